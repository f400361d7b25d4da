import { date, flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { TRAINING_READER_ROLES, TRAINING_ROLES } from '../rights.ts'

export const MATRIX_URL = '/api/employees/training_matrix'
/** Days before an expiry from which training is due. */
const DUE_DAYS = 90

/** States of training, in the order in which they need attention. */
export const TRAINING_STATES = [
  { value: 'expired', label: 'Expired' },
  { value: 'never', label: 'Never' },
  { value: 'due', label: `Due within ${DUE_DAYS} days` },
  { value: 'inDate', label: 'In date' },
  { value: 'notNeeded', label: 'Not needed' },
] as const
export type TrainingState = (typeof TRAINING_STATES)[number]['value']

/** Employees whose training a reader may read: themselves, their people, or for the training role everybody. */
export const trainee = resource({
  type: 'Trainee',
  service: 'employees',
  path: 'trainees',
  table: employee.table,
  tenant: 'own',
  title: 'name',
  order: ['name'],
  pack: 'safety',
  fields: {
    name: text({ readonly: true, notNull: true, order: true, filter: 'partial' }),
    jobtitlename: text({ readonly: true, label: 'Job title' }),
    retired: flag({ readonly: true, filter: true }),
    user: integer({ readonly: true, column: 'user_id', visible: 'nobody' }),
  },
  allow: {
    read: TRAINING_READER_ROLES,
    rows: [{ unless: TRAINING_ROLES, only: only.inSet('id', 'employees_in_charge') }],
  },
})

export interface MatrixPerson {
  readonly id: number
  readonly name: string
  readonly jobTitle: string
  readonly department: string
  readonly site: string
}

export interface MatrixCourse {
  readonly id: number
  readonly name: string
  readonly code: string
}

/** Training of a person in a course on the day. A pair without a cell is not needed. */
export interface MatrixCell {
  readonly employee: number
  readonly course: number
  readonly needed: boolean
  readonly competent: boolean
  readonly state: TrainingState
  /** Day by which the training is needed; null if it is not. */
  readonly dueOn: string | null
  readonly record: number | null
  readonly completedOn: string | null
  readonly validUntil: string | null
}

/** Pair of a person and a course whose records are shown. */
export type ChosenPair = Pick<MatrixCell, 'employee' | 'course'>

export interface TrainingMatrix {
  readonly day: string
  readonly people: readonly MatrixPerson[]
  readonly courses: readonly MatrixCourse[]
  readonly cells: readonly MatrixCell[]
}

/** Query parameters of the matrix. */
export const matrixQuery = {
  day: date({ help: 'The day on which training is counted; today if left out.' }),
  site: integer(),
  department: integer(),
  course: integer(),
  employee: integer(),
}

/** True if the training is needed, and there is none or it has expired. */
const isGap = ({ needed, state }: MatrixCell): boolean => needed && (state === 'expired' || state === 'never')

/** Day from which a gap counts: the day after the expiry, or the end of grace. */
export const gapSince = ({ dueOn, validUntil }: MatrixCell): string => validUntil ?? dueOn ?? ''

/** Returns the gaps of a matrix, the oldest first. */
export const findGaps = ({ cells }: TrainingMatrix): MatrixCell[] =>
  cells.filter(isGap).toSorted((a, b) => gapSince(a).localeCompare(gapSince(b)))
