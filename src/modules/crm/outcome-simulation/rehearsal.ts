import type { Workload } from './rehearse.ts'

/** Where a changed outcome is tried on the last calls. */
export const REHEARSAL = '/api/crm/outcomes/rehearsal'

export interface Rehearsal {
  readonly calls: number
  /** How many of them ended with this outcome. */
  readonly concerned: number
  readonly formula: string
  readonly days: readonly Workload[]
}
