import { problem, violation } from '#kernel/errors.ts'
import { integer } from '#kernel/fields.ts'
import { londonDate } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { trainingBooking } from '../bookings/booking.ts'
import { trainingCourse } from '../courses/course.ts'
import { trainee } from '../matrix/matrix.ts'
import { TRAINING_READER_ROLES } from '../rights.ts'
import {
  PLAN_SUMMARY_URL,
  type PlannedPerson,
  type TrainingPlanSummary,
  trainingPlan,
  type UnplannedTraining,
} from './plan.ts'
import { expiryNotice, expiryReminder } from './remind.server.ts'

const MAX_PEOPLE = 5000

const planBehaviour = behaviour(trainingPlan, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && (changes.employee !== undefined || changes.course !== undefined))
      throw problem.conflict('Cancel this and plan the other training.')
    if (before && (await c.exists(trainingBooking, { plan: before.id, state: 'booked' })))
      throw problem.conflict('This training is booked in a session. Please cancel the seat there.')
    if (before) return undefined
    const person = await c.get(employee, values.employee ?? 0)
    if (person?.retired) throw problem.invalid([violation('employee', 'This person has left')])
    const course = await c.get(trainingCourse, values.course ?? 0)
    if (course?.retired) throw problem.invalid([violation('course', 'This course is retired')])
    return { createdAt: c.now.toString(), cost: values.cost ?? course?.cost ?? null }
  },
})

const PEOPLE = `
  SELECT e.id::int AS employee, e.name,
    count(*) FILTER (WHERE NOT p.done AND p.state = 'planned')::int AS planned,
    count(*) FILTER (WHERE NOT p.done AND p.state = 'booked')::int AS booked,
    count(*) FILTER (WHERE p.done)::int AS done,
    coalesce(sum(p.cost), 0)::int AS cost, count(*) FILTER (WHERE p.cost IS NULL)::int AS "withoutCost"
  FROM (SELECT t.*, training_plan_done($1::int, t.employee_id, t.course_id, t.created_at) AS done FROM training_plan t
    WHERE t.client_id = $1 AND t.employee_id = ANY($2::bigint[]) AND t.state <> 'cancelled'
      AND t.planned_on BETWEEN make_date($3::int, 1, 1) AND make_date($3::int, 12, 31)) p
  JOIN employee e ON e.client_id = $1 AND e.id = p.employee_id
  GROUP BY e.id, e.name ORDER BY e.name, e.id`

const UNPLANNED = `
  SELECT e.id::int AS employee, k.id::int AS course, e.name, k.name AS "courseName", m.valid_until::text AS "validUntil", k.cost
  FROM training_matrix($1::int, $4::date, $2::bigint[]) m
  JOIN employee e ON e.client_id = $1 AND e.id = m.employee_id
  JOIN training_course k ON k.client_id = $1 AND k.id = m.course_id
  WHERE m.needed AND (m.valid_until <= make_date($3::int, 12, 31) OR m.state = 'never')
    AND NOT EXISTS (SELECT FROM training_plan p WHERE p.client_id = $1 AND p.employee_id = m.employee_id AND p.course_id = m.course_id
      AND p.state <> 'cancelled' AND NOT training_plan_done($1::int, p.employee_id, p.course_id, p.created_at))
  ORDER BY m.valid_until NULLS FIRST, e.name, k.name`

/** Reads the plan of a year for the people in the reader’s charge. */
async function readSummary(c: RouteContext): Promise<TrainingPlanSummary> {
  const today = londonDate(c.now)
  const given = firstQueryValue(c.query.year)
  if (given && !/^2\d{3}$/.test(given)) throw problem.badRequest('The year has four digits, such as 2027.')
  const year = given ? Number(given) : today.year
  const { members } = await c.engine.list(trainee, c.me, {}, { limit: MAX_PEOPLE, offset: 0 }, { count: false })
  const ids = members.map(({ id }) => id)
  const { clientId } = c.me
  return c.engine.db.tx({ clientId }, async (tx) => ({
    year,
    people: await tx.rows<PlannedPerson>(PEOPLE, [clientId, ids, year]),
    unplanned: await tx.rows<UnplannedTraining>(UNPLANNED, [clientId, ids, year, today.toString()]),
  }))
}

const summaryRoute: Route = {
  method: 'GET',
  path: PLAN_SUMMARY_URL,
  title: 'Sum up planned training and its cost by person and year, with training that is not planned yet',
  allow: TRAINING_READER_ROLES,
  query: { year: integer({ help: 'The current year if left out.' }) },
  handle: async (c) =>
    ({ '@id': PLAN_SUMMARY_URL, '@type': 'TrainingPlanSummary', ...(await readSummary(c)) }) as unknown as ApiRecord,
}

export const plan = feature({
  pack: 'safety',
  resources: [trainingPlan],
  behaviours: [planBehaviour],
  routes: [summaryRoute],
  schedules: [expiryReminder],
  notifications: [expiryNotice],
})
