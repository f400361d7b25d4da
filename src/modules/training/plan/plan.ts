import { choice, date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { IN_SERVICE } from '#modules/people/employees/employee-fields.ts'
import { trainingCourse } from '../courses/course.ts'
import { TRAINING_ROWS } from '../records/access.ts'
import { TRAINING_READER_ROLES, TRAINING_ROLES } from '../rights.ts'

/** Training that is planned or booked for a person. It is done once its training record exists. */
export const trainingPlan = resource({
  type: 'TrainingPlan',
  service: 'employees',
  path: 'training_plans',
  table: 'training_plan',
  tenant: 'own',
  order: ['plannedOn', 'id'],
  pack: 'safety',
  fields: {
    employee: link(() => employee, {
      required: 'Please choose a person',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
      label: 'Person',
    }),
    course: link(() => trainingCourse, {
      required: 'Please choose a course',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
    }),
    plannedOn: date({ required: 'Please enter the day', filter: true, order: true, label: 'Planned for' }),
    state: choice(
      [
        { value: 'planned', label: 'Planned' },
        { value: 'booked', label: 'Booked' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
      { default: 'planned', notNull: true, filter: true, label: 'Status' },
    ),
    cost: integer({ min: 0, pence: true, label: 'Cost', help: 'Empty: the cost of the course, if it is known.' }),
    provider: text({ default: '', max: 200, stripInvisible: true, label: 'Training provider' }),
    notes: longText({ default: '', max: 1000 }),
    done: flag({ readonly: true, sql: 'training_plan_done(t.client_id, t.employee_id, t.course_id, t.created_at)' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Planned by' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: TRAINING_READER_ROLES, create: TRAINING_ROLES, update: TRAINING_ROLES, rows: TRAINING_ROWS },
})

export const PLAN_SUMMARY_URL = '/api/employees/training_plan_summary'

/** Planned training of a person in a year. */
export interface PlannedPerson {
  readonly employee: number
  readonly name: string
  readonly planned: number
  readonly booked: number
  readonly done: number
  /** Sum of the costs that are known, in pence. */
  readonly cost: number
  /** Number of courses whose cost is not known. */
  readonly withoutCost: number
}

/** Training that expires in the year or is missing, and is neither planned nor booked. */
export interface UnplannedTraining {
  readonly employee: number
  readonly course: number
  readonly name: string
  readonly courseName: string
  /** Last day of validity; null if the training never took place. */
  readonly validUntil: string | null
  readonly cost: number | null
}

export interface TrainingPlanSummary {
  readonly year: number
  readonly people: readonly PlannedPerson[]
  readonly unplanned: readonly UnplannedTraining[]
}
