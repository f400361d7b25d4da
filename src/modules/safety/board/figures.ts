/** Where the figures of a company's documents are read, and those of a reseller's clients. */
export const SAFETY_FIGURES = '/api/safety/figures'
export const CLIENT_FIGURES = '/api/safety/figures/clients'

/** What is to be done about documents: reviewed now or soon, approved, signed by those who were asked. */
export const TASKS = ['late', 'soon', 'approve', 'unsigned'] as const
export type Task = (typeof TASKS)[number]

/** Reviews are due soon within so many days: as the list says it. */
export const SOON_DAYS = 30

/** Documents of a kind with which this is to be done. */
export interface ToDo {
  readonly task: Task
  readonly kind: string
  readonly documents: number
  /** Of those that are unsigned: signatures that are missing. */
  readonly signatures: number
}

/** What stands in a company and is to be done there, and where much risk is left with all controls in place. */
export interface SafetyFigures {
  readonly today: string
  /** Documents that people work by, of each kind that there are some of. */
  readonly inForce: readonly { readonly kind: string; readonly documents: number }[]
  readonly toDo: readonly ToDo[]
  /** Assessments in force with a residual risk that is high, by location. */
  readonly highRisk: readonly { readonly site: string | null; readonly documents: number }[]
}

/** What is to be done at the clients that a reseller carries, by their ids. */
export interface ClientFigures {
  readonly today: string
  readonly toDo: readonly (ToDo & { readonly client: number })[]
}
