import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { correctiveAction, OPEN_ACTION_STATES } from '#modules/actions/corrective-action.ts'
import { retireAccountOfLeaver } from '#modules/identity/people/user.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { CONTROLLING_ROLES } from '#modules/identity/roles/role-groups.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { department, employee } from './employee.ts'

type Employee = RowOf<typeof employee>

const REASON = 'the work of an employee who leaves is handed on'

/**
 * Throws 403 if human resources would end the employment, and thereby the account, of a user who controls money or
 * access, such as an administrator.
 */
export async function refuseEndOfProtectedAccount(c: Context & BeforeSaveInput<typeof employee>): Promise<void> {
  const { before, changes, actor } = c
  if (!before?.user || !(changes.retired || changes.leavingDate)) return
  if (actor.kind === 'system' || hasRole(actor, 'ROLE_CLIENT_ADMIN')) return
  const account = await c.withoutPermissionCheck(REASON).get(user, before.user)
  if (account && !account.isRetired && account.roles.some((role) => role in CONTROLLING_ROLES))
    throw problem.forbidden(
      `${before.name}’s account controls money or access. Please ask an administrator to end this employment.`,
    )
}

/** Returns the employee who takes over: the chosen successor, otherwise the manager. */
const successorOf = async (c: Context, leaver: Employee): Promise<Employee | undefined> => {
  const id = leaver.successor ?? leaver.manager
  return id === null ? undefined : c.get(employee, id)
}

/** Returns true if an employee reports to another one, directly or through others. */
async function isBelow(c: Context, { manager }: Employee, above: number): Promise<boolean> {
  if (manager === null || manager === above) return manager === above
  const next = await c.get(employee, manager)
  return next !== undefined && isBelow(c, next, above)
}

/** Moves the direct reports of a leaver. A successor from below reports to the leaver's manager. */
async function handOnReports(c: Context, leaver: Employee, successor: Employee | undefined): Promise<void> {
  const reports = (await c.find(employee, { manager: leaver.id, retired: false })).filter(
    ({ id }) => id !== successor?.id,
  )
  const isRaised = successor && (await isBelow(c, successor, leaver.id))
  const moves = [
    ...(isRaised ? [{ row: successor, values: { manager: leaver.manager } }] : []),
    ...reports.map((row) => ({ row, values: { manager: successor?.id ?? null } })),
  ]
  if (moves.length) await c.withoutPermissionCheck(REASON).setAll(employee, moves, 'update')
}

/** Replaces a leaver as head, deputy and approver of departments. */
async function handOnDepartments(c: Context, leaver: Employee, successor: Employee | undefined): Promise<void> {
  const to = successor?.id ?? null
  const roles = ['head', 'deputy', 'approver'] as const
  const led = (await c.find(department, { retired: false })).filter((d) => roles.some((role) => d[role] === leaver.id))
  await c.withoutPermissionCheck(REASON).setAll(
    department,
    led.map((row) => ({
      row,
      values: Object.fromEntries(roles.flatMap((role) => (row[role] === leaver.id ? [[role, to]] : []))),
    })),
    'update',
  )
}

/**
 * Gives the open corrective actions of a leaver to the successor. Without a successor they remain, and the company's
 * approvers are notified to choose another owner if the leaver has an account.
 */
async function handOnActions(c: Context, leaver: Employee, successor: Employee | undefined): Promise<void> {
  if (!successor) return
  const right = c.withoutPermissionCheck(REASON)
  const open = { state: [...OPEN_ACTION_STATES], retired: false }
  const actions = [
    ...(await right.find(correctiveAction, { ...open, employee: leaver.id })),
    ...(leaver.user ? await right.find(correctiveAction, { ...open, owner: leaver.user, employee: null }) : []),
  ]
  const { id, name, email } = successor
  for (const action of actions) await right.change(correctiveAction, action, { employee: id, managerName: name, email })
}

/** Hands on a leaver's work and retires their account, in the transaction that retires the employee. */
export async function handOnWork(c: Context, leaver: Employee): Promise<void> {
  const successor = await successorOf(c, leaver)
  await handOnReports(c, leaver, successor)
  await handOnDepartments(c, leaver, successor)
  await handOnActions(c, leaver, successor)
  if (leaver.user) await retireAccountOfLeaver(c, leaver.user)
}

/** Retires employees whose last day has passed. */
export const retireLeavers = schedule({
  name: 'people.retire-leavers',
  every: { minutes: 15 },
  run: (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    return processRowsForAllClients(
      engine,
      {
        of: employee,
        where: { retired: false },
        condition: (next) => `t.leaving_date < ${next(today)}::date`,
        reason: 'people.retire-leavers',
      },
      async (c, row) => {
        await c.change(employee, row, { retired: true })
      },
    )
  },
})
