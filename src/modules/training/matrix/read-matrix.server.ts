import { problem } from '#kernel/errors.ts'
import { isCalendarDate, londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { MatrixCell, MatrixCourse, MatrixPerson, TrainingMatrix } from './matrix.ts'
import { trainee } from './matrix.ts'

/** Most people in a matrix. */
const MAX_PEOPLE = 5000

const PEOPLE = `
  SELECT e.id::int, e.name, p.jobtitlename AS "jobTitle", coalesce(d.name, '') AS department, coalesce(s.name, '') AS site
  FROM training_people($1::int, $2::date, $3::bigint[]) p JOIN employee e ON e.client_id = $1 AND e.id = p.employee_id
  LEFT JOIN department d ON d.client_id = $1 AND d.id = p.department_id
  LEFT JOIN incident_site s ON s.client_id = $1 AND s.id = p.site_id
  WHERE ($4::bigint IS NULL OR p.site_id = $4) AND ($5::bigint IS NULL OR p.department_id = $5)
  ORDER BY e.name, e.id`

const CELLS = `
  SELECT m.employee_id::int AS employee, m.course_id::int AS course, m.needed, m.competent, m.state, m.due_on::text AS "dueOn",
    m.record_id::int AS record, m.completed_on::text AS "completedOn", m.valid_until::text AS "validUntil"
  FROM training_matrix($1::int, $2::date, $3::bigint[]) m WHERE ($4::bigint IS NULL OR m.course_id = $4)`

const COURSES = `
  SELECT id::int, name, code FROM training_course WHERE client_id = $1 AND id = ANY($2::bigint[]) ORDER BY name, id`

const idIn = (c: RouteContext, name: string): number | null => {
  const given = firstQueryValue(c.query[name])
  return given ? Number(given) : null
}

/** Returns the day in the query; today by default. Throws 400 for any other text. */
function parseDay(c: RouteContext): string {
  const given = firstQueryValue(c.query.day)
  if (!given) return londonDate(c.now).toString()
  if (!isCalendarDate(given)) throw problem.badRequest('The day has the form 2026-05-31.')
  return given
}

/** Reads the training of the people in the reader’s charge, on a day. */
export async function readMatrix(c: RouteContext): Promise<TrainingMatrix> {
  const { clientId } = c.me
  const day = parseDay(c)
  const one = idIn(c, 'employee')
  const filters: Record<string, string> = one === null ? {} : { id: String(one) }
  const { members } = await c.engine.list(trainee, c.me, filters, { limit: MAX_PEOPLE, offset: 0 }, { count: false })
  return c.engine.db.tx({ clientId }, async (tx) => {
    const seen = members.map(({ id }) => id)
    const filter = [idIn(c, 'site'), idIn(c, 'department')]
    const people = await tx.rows<MatrixPerson>(PEOPLE, [clientId, day, seen, ...filter])
    const ids = people.map(({ id }) => id)
    const cells = await tx.rows<MatrixCell>(CELLS, [clientId, day, ids, idIn(c, 'course')])
    const used = [...new Set(cells.map(({ course }) => course))]
    const courses = await tx.rows<MatrixCourse>(COURSES, [clientId, used])
    return { day, people, courses, cells }
  })
}
