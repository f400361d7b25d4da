import { problem, violation } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { incidentSite } from '../sites/incident-site.ts'
import { department, employee, employeeWithDetails } from './employee.ts'

const EARLIEST_BIRTH_DATE = '1900-01-01'

const employeeBehaviour = behaviour(employee, {
  beforeSave: (c) => {
    const { dob, user } = c.changes
    if (user && user === c.actor.userId && user !== c.before?.user && c.clientId === c.actor.clientId)
      throw problem.forbidden(
        'Another administrator has to link your own account, as it gives access to personal details.',
      )
    if (dob && (dob < EARLIEST_BIRTH_DATE || dob > londonDate(c.now).toString()))
      throw problem.invalid([violation('dob', 'Please enter a date of birth between 1900 and today')])
    return undefined
  },
})

/** Defaults of an employee search (specification, safety section 9). */
const inService = (c: RouteContext) => ({ query: { retired: 'false', ...c.query } })

/** Logs whose private fields were listed, as for confidential fields of a single record. */
async function traceListedDetails(c: RouteContext, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const fields = Object.entries(employee.fields).flatMap(([name, f]) => ('confidential' in f ? [name] : []))
  const trace = { clientId: c.me.clientId, type: employee.type, rowId: 0, verb: 'look', changes: { fields, ids } }
  await c.engine.db.tx('system', (tx) => writeAuditEvent(tx, c.me, trace))
}

const employeeRoutes = [
  listRoute(employee, `${employee.url}/list`, 'List the names of employees', inService),
  listRoute(
    employeeWithDetails,
    `${employee.url}/safetyDetailed`,
    'List employees with the details for the accident book',
    inService,
    {
      onListed: (c, { members }) =>
        traceListedDetails(
          c,
          members.map(({ id }) => id),
        ),
    },
  ),
  listRoute(employee, '/api/employees/holiday_users', 'List the names of employees who take leave', (c) => ({
    query: { retired: 'false', isSubby: 'false', ...c.query },
  })),
]

export const employees = feature({
  pack: 'safety',
  resources: [employee, department, incidentSite],
  behaviours: [employeeBehaviour],
  routes: employeeRoutes,
  seeds: () => import('./demo.server.ts'),
})
