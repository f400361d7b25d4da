/** Paths of a company's figures and of a reseller's clients' figures. */
export const SAFETY_FIGURES = '/api/safety/figures'
export const CLIENT_FIGURES = '/api/safety/figures/clients'

/** Open tasks on documents: review overdue, review due soon, approval, requested signatures. */
export const TASKS = ['late', 'soon', 'approve', 'unsigned'] as const
export type Task = (typeof TASKS)[number]

/** Days within which a review is due soon, as in the lists' filter. */
export const SOON_DAYS = 30

/** Number of documents of a type with an open task. */
export interface ToDo {
  readonly task: Task
  readonly kind: string
  readonly documents: number
  /** Missing signatures, for the task `unsigned`. */
  readonly signatures: number
}

/** A company's documents in force, open tasks, and locations with high residual risk. */
export interface SafetyFigures {
  readonly today: string
  /** Documents in force by type, without types that have none. */
  readonly inForce: readonly { readonly kind: string; readonly documents: number }[]
  readonly toDo: readonly ToDo[]
  /** Assessments in force with a high residual risk, by location. */
  readonly highRisk: readonly { readonly site: string | null; readonly documents: number }[]
}

/** Open tasks of a reseller's clients, by client id. */
export interface ClientFigures {
  readonly today: string
  readonly toDo: readonly (ToDo & { readonly client: number })[]
}
