import { Problem, problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { toSearchForm } from '#kernel/text/search.ts'
import { londonDate } from '#kernel/time.ts'
import { assertMatchesAccount } from '#modules/identity/people/accounts.server.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import { eraseIdentity } from '../erasure/erasure.server.ts'
import { EMPLOYEE_PACKS } from '../rights.ts'
import { incidentSite } from '../sites/incident-site.ts'
import { department, employee, employeeAccount, employeeWithDetails } from './employee.ts'
import { employeeRecord } from './employee-record.ts'
import { employeeDateViolations, normalisePrivateDetails } from './employee-rules.ts'
import { employmentChanged } from './employment-changed.ts'
import { handOnWork, refuseEndOfProtectedAccount, retireLeavers } from './leaving.server.ts'
import { refuseOwnLeave } from './own-leave.server.ts'

/** Fields by which leave is calculated. */
const EMPLOYMENT_FIELDS = ['extCStartDate', 'leavingDate', 'nation'] as const

type Save = Context & BeforeSaveInput<typeof employee>

/** Last account whose link to an employee was removed, and the ID of the user who removed it. */
const REMOVED_LINK = `SELECT (changes -> 'user' ->> 0)::int AS account, user_id::int AS "removedBy" FROM audit
  WHERE client_id = $1 AND type = '${employee.type}' AND row_id = $2 AND jsonb_typeof(changes -> 'user' -> 0) <> 'null'
  ORDER BY id DESC LIMIT 1`

/**
 * Throws 403 if administrators would link their own account or remove its link, and 409 if the record would pass to
 * another account, also if the same person has removed its link before.
 */
async function checkAccount(c: Save): Promise<void> {
  const { before, changes, actor } = c
  const { user } = changes
  if (user === undefined || user === (before?.user ?? null)) return
  if ([user, before?.user].includes(actor.userId) && c.clientId === actor.clientId)
    throw problem.forbidden(
      'Another administrator has to link your own account or remove its link, as it gives access to personal details.',
    )
  if (!before || user === null) return
  assertMatchesAccount(employeeAccount, before, { user })
  const [last] = await c.work.tx.rows<{ account: number; removedBy: number }>(REMOVED_LINK, [c.clientId, before.id])
  if (last && last.account !== user && last.removedBy === actor.userId)
    throw problem.conflict(
      'You removed the link to this record’s former account. Another administrator has to link a different one, as it gives access to personal details.',
    )
}

/** Throws 422 if a change names an employee who has left, or the employee as their own manager or successor. */
async function checkColleagues(c: Save): Promise<void> {
  const { manager, successor } = c.changes
  if (manager && manager === c.before?.id) throw refused('manager', 'Employees can’t report to themselves')
  if (successor && successor === c.before?.id) throw refused('successor', 'Please choose another employee')
  await refuseLeavers(c, { manager, successor }, c.before)
  const { department: to } = c.changes
  if (to && to !== c.before?.department && (await c.get(department, to))?.retired)
    throw refused('department', 'This department is retired. Please choose another')
}

const refused = (field: string, message: string) => problem.invalid([violation(field, message)])

/** Throws 422 if a changed field names an employee who has left. */
async function refuseLeavers<N extends string>(
  c: Context,
  named: Readonly<Record<N, number | null | undefined>>,
  before: Readonly<Record<NoInfer<N>, number | null>> | undefined,
): Promise<void> {
  for (const name of Object.keys(named) as N[]) {
    const id = named[name]
    if (!id || id === before?.[name]) continue
    const found = await c.get(employee, id)
    if (found?.retired) throw refused(name, `${found.name} has left. Please choose somebody else`)
  }
}

/** Throws 409 if another employee, who may have left, has the same name and date of birth. */
async function refuseDuplicate({ before, changes, values, ...c }: Save): Promise<void> {
  const { forename, surname, dob } = { ...before, ...values }
  const isNew = !before || 'forename' in changes || 'surname' in changes || 'dob' in changes
  if (!isNew || !dob || changes.keepBoth) return
  const [same] = await c.work.tx.rows<{ id: number; name: string; retired: boolean }>(
    'SELECT id::int, name, retired FROM employee WHERE client_id = $1 AND dob = $2 AND search_form(name) = $3 AND id <> $4 LIMIT 1',
    [c.clientId, dob, toSearchForm(`${forename} ${surname}`), before?.id ?? 0],
  )
  if (!same) return
  throw new Problem(
    409,
    same.retired
      ? `${same.name}, born on the same day, has left. Use the existing record to restore it, or keep both.`
      : `There is already an employee named ${same.name} who was born on the same day. Use the existing record, or keep both.`,
    { code: 'already_there', more: { existing: iriOf(employee, same.id) } },
  )
}

/** Returns the changed private details in their stored form. Throws 422 if a value is wrong. */
function checkedValues(c: Save): ValuesOf<typeof employee> {
  const dates = employeeDateViolations(c, londonDate(c.now).toString())
  if (dates.length) throw problem.invalid([...dates])
  const { set, wrong } = normalisePrivateDetails(c)
  if (wrong.length) throw problem.invalid([...wrong])
  return set
}

/** A returning employee has no last day. */
const returnValues = ({ before, changes }: Save): ValuesOf<typeof employee> =>
  before?.retired && changes.retired === false ? { leavingDate: null, leavingReason: null, successor: null } : {}

const employeeBehaviour = behaviour(employee, {
  beforeSave: async (c) => {
    if (c.before?.erasedOn) throw problem.conflict('The identity of this employee has been erased. The record stays.')
    await checkAccount(c)
    await refuseEndOfProtectedAccount(c)
    const set = checkedValues(c)
    await checkColleagues(c)
    if (EMPLOYMENT_FIELDS.some((name) => name in c.changes)) await refuseOwnLeave(c, c.before?.id)
    await refuseDuplicate(c)
    return { ...set, ...returnValues(c) }
  },
  afterSave: async (c) => {
    if (c.before && c.changes.retired && !c.before.retired)
      await handOnWork(c, { ...c.before, ...c.changes } as RowOf<typeof employee>)
    // A new employee has no work pattern yet, by which leave is calculated, but may have a last day ahead.
    const isChanged = c.before
      ? EMPLOYMENT_FIELDS.some((name) => c.changes[name] !== undefined)
      : (c.changes.leavingDate ?? '') >= londonDate(c.now).toString()
    if (isChanged) await c.emit(employmentChanged, { employee: (await c.written.saved()).id })
  },
  actions: {
    endEmployment: async (c) => {
      if (c.row.retired) throw problem.conflict(`${c.row.name} has already left.`)
      const retired = c.input.leavingDate <= londonDate(c.now).toString()
      await c.change(employee, c.row, { ...c.input, retired })
      return {}
    },
    erase: async (c) => {
      if (!c.input.confirmed) throw refused('confirmed', 'Please confirm')
      return eraseIdentity(c)
    },
    resumeEmployment: async (c) => {
      if (!c.row.retired && !c.row.leavingDate) throw problem.conflict(`${c.row.name} has not left.`)
      await c.change(employee, c.row, { retired: false, leavingDate: null, leavingReason: null, successor: null })
      return {}
    },
  },
})

/** Throws 422 if the head, deputy or approver of a department has left. */
const departmentBehaviour = behaviour(department, {
  beforeSave: async (c) => {
    const { head, deputy, approver } = c.changes
    await refuseLeavers(c, { head, deputy, approver }, c.before)
    if (c.before && c.changes.retired && (await c.exists(employee, { department: c.before.id, retired: false })))
      throw problem.conflict('This department has members. Please move them first.', 'in_use')
    return undefined
  },
})

/** Defaults of an employee search (specification, safety section 9). */
const inService = (c: RouteContext) => ({ query: { retired: 'false', ...c.query } })

/** Private fields that `safetyDetailed` returns. */
const LISTED_PRIVATE_FIELDS = Object.entries(employee.fields).flatMap(([name, f]) =>
  'confidential' in f && name in employeeWithDetails.fields ? [name] : [],
)

/** Logs whose private fields were listed, as for confidential fields of a single record. */
async function traceListedDetails(c: RouteContext, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const changes = { fields: LISTED_PRIVATE_FIELDS, ids }
  const trace = { clientId: c.me.clientId, type: employee.type, rowId: 0, verb: 'look', changes } as const
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
  pack: EMPLOYEE_PACKS,
  resources: [employee, employeeRecord, department, incidentSite],
  behaviours: [employeeBehaviour, departmentBehaviour],
  routes: employeeRoutes,
  schedules: [retireLeavers],
  seeds: () => import('./demo.server.ts'),
})
