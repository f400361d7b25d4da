import type { CONTROL_TIERS } from '../library/hazard.ts'

export type ControlTier = (typeof CONTROL_TIERS)[number]['value']

/** Line of the hazard grid in the editor. Fields not declared here are preserved as sent by the server. */
export interface HazardLine extends Readonly<Record<string, unknown>> {
  /** `@id` of the saved record; undefined for a new line. */
  readonly '@id'?: string
  /** Client-side key of a line. Saving doesn't change the key, and the server ignores it. */
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
  /** ID of the employee who is responsible; 0 if the name was typed. */
  readonly responsibility?: number | null
  readonly responsible?: string | null
  readonly implemented?: string | null
  /** True until an author states whether the control is in place. */
  readonly implementedUnknown?: boolean
  readonly plannedFor?: string | null
  readonly ppeReason?: string | null
  readonly residualReason?: string | null
  /** True for a copied line that is not yet confirmed for this document. */
  readonly unconfirmed?: boolean
  readonly retired?: boolean
}

/** Fields with the same value on every line of a hazard. */
export const SHARED_HAZARD_FIELDS = [
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

export const createHazardLineKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(3))].map((n) => n.toString(36)).join('')
