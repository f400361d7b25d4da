/** Paths of a company's figures and of a reseller's clients' figures. */
export const SAFETY_FIGURES_PATH = '/api/safety/figures'
export const RESELLER_CLIENT_FIGURES_PATH = '/api/safety/figures/clients'

/** Open tasks on documents: review overdue, review due soon, approval, requested signatures. */
export const SAFETY_TASKS = ['late', 'soon', 'approve', 'unsigned'] as const
export type SafetyTask = (typeof SAFETY_TASKS)[number]

/** Days within which a review is due soon, as in the lists' filter. */
export const REVIEW_SOON_DAYS = 30

/** Number of documents of a type with an open task. */
export interface SafetyTaskCount {
  readonly task: SafetyTask
  readonly kind: string
  readonly documents: number
  /** Number of missing signatures, for the task `unsigned`. */
  readonly signatures: number
}

/** A company's documents in force, open tasks, and locations with high residual risk. */
export interface SafetyFigures {
  readonly today: string
  /** Documents in force by type, without types that have none. */
  readonly inForce: readonly { readonly kind: string; readonly documents: number }[]
  readonly toDo: readonly SafetyTaskCount[]
  /** Assessments in force with a high residual risk, by location. */
  readonly highRisk: readonly { readonly site: string | null; readonly documents: number }[]
}

/** Open tasks of a reseller's clients, by client id. */
export interface ResellerClientFigures {
  readonly today: string
  readonly toDo: readonly (SafetyTaskCount & { readonly client: number })[]
}
