import type { DayWorkload } from './rehearse.ts'

/** URL of the outcome simulation. */
export const OUTCOME_SIMULATION_URL = '/api/crm/outcomes/rehearsal'

export interface OutcomeSimulation {
  readonly calls: number
  /** Number of calls with this outcome. */
  readonly concerned: number
  readonly formula: string
  readonly days: readonly DayWorkload[]
}
