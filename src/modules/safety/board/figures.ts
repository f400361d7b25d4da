/** API paths of the figures for the user's own company and for a reseller's clients. */
export const SAFETY_FIGURES_PATH = '/api/safety/figures'
export const RESELLER_CLIENT_FIGURES_PATH = '/api/safety/figures/clients'

/** Open tasks on documents: overdue review, review due soon, pending approval, missing signatures. */
export const SAFETY_TASKS = ['late', 'soon', 'approve', 'unsigned'] as const
export type SafetyTask = (typeof SAFETY_TASKS)[number]

/** Number of days before the due date from which a review is treated as due soon, as in the list filter. */
export const REVIEW_SOON_DAYS = 30

/** Number of documents of one type that have a given open task. */
export interface SafetyTaskCount {
  readonly task: SafetyTask
  readonly kind: string
  readonly documents: number
  /** Number of missing signatures; 0 for all tasks except `unsigned`. */
  readonly signatures: number
}

/** A company's documents in force, open tasks, and locations with high residual risk. */
export interface SafetyFigures {
  readonly today: string
  /** Number of documents in force by type, omitting types that have none. */
  readonly inForce: readonly { readonly kind: string; readonly documents: number }[]
  readonly toDo: readonly SafetyTaskCount[]
  /** Number of assessments in force with a high residual risk, by location. */
  readonly highRisk: readonly { readonly site: string | null; readonly documents: number }[]
}

/** Open tasks of a reseller's clients, by client ID. */
export interface ResellerClientFigures {
  readonly today: string
  readonly toDo: readonly (SafetyTaskCount & { readonly client: number })[]
}

export type ReviewTrafficLight = 'late' | 'soon' | 'well' | 'none'

interface ReviewCounts {
  readonly inForce: number
  /** Number of documents in force with an overdue review (`late`) and with a review due soon (`soon`). */
  readonly late: number
  readonly soon: number
}

/**
 * Returns the traffic light of a document type: the worst review status of its documents, or `none` if no document is
 * in force.
 */
export const reviewTrafficLightFor = ({ inForce, late, soon }: ReviewCounts): ReviewTrafficLight =>
  late ? 'late' : soon ? 'soon' : inForce ? 'well' : 'none'
