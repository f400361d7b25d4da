import type { TIERS } from '../library/tiers.ts'

export type Tier = (typeof TIERS)[number]['value']

/** One line of an assessment's table, as the editor holds it; whatever else the server sent with it stays on it. */
export interface Line extends Readonly<Record<string, unknown>> {
  /** The saved record. A line without it is new. */
  readonly '@id'?: string
  /** Names a new line until it is saved, and then goes on naming it. The server takes no notice of it. */
  readonly '@key'?: string
  readonly group?: string | null
  readonly hazard?: string | null
  readonly hazardName?: string | null
  readonly description?: string | null
  readonly control?: string | null
  readonly controlName?: string | null
  readonly controlDescription?: string | null
  readonly tier?: string | null
  readonly persons?: string | null
  readonly probability?: number | null
  readonly severity?: number | null
  readonly judged?: boolean
  readonly residualProbability?: number | null
  readonly residualSeverity?: number | null
  readonly responsible?: string | null
  readonly implemented?: string | null
  readonly plannedFor?: string | null
  readonly ppeReason?: string | null
  readonly residualReason?: string | null
  /** Came with a copy, and nobody has said that it holds here. */
  readonly unconfirmed?: boolean
  readonly retired?: boolean
}

/** What every line of a hazard says alike. */
export const SHARED = [
  'group',
  'hazard',
  'hazardName',
  'description',
  'persons',
  'probability',
  'severity',
  'judged',
  'residualProbability',
  'residualSeverity',
  'responsibility',
  'responsible',
  'ppeReason',
  'residualReason',
  'unconfirmed',
] as const

/** A name for a new line that no other line has. */
export const newKey = (): string => [...crypto.getRandomValues(new Uint32Array(3))].map((n) => n.toString(36)).join('')
