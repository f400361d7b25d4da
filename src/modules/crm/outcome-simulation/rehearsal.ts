import type { Workload } from './rehearse.ts'

/** URL of the outcome simulation. */
export const REHEARSAL = '/api/crm/outcomes/rehearsal'

export interface Rehearsal {
  readonly calls: number
  /** Number of calls with this outcome. */
  readonly concerned: number
  readonly formula: string
  readonly days: readonly Workload[]
}
