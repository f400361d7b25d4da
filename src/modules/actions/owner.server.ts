import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { settleNamedPeople } from '#modules/documents/named-employees/check.server.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { findNamesLikeAccounts } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { employee } from '#modules/people/employees/employee.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { type correctiveAction, isOpenActionState } from './corrective-action.ts'

type Row = RowOf<typeof correctiveAction>
type Values = ValuesOf<typeof correctiveAction>
type Save = Context & BeforeSaveInput<typeof correctiveAction>

const OWNER_FIELDS = ['employee', 'owner', 'managerName', 'email'] as const

const refuse = (message: string) => problem.invalid([violation('owner', message)])

/**
 * If the action is new or its owner's details have changed, returns the person responsible. Choosing an employee also
 * sets their account, and choosing an account sets its employee. The name and e-mail address of an owner with an
 * account are those of the account. Throws 422 for a person who can't be chosen, and for a name like that of an
 * account.
 */
export async function settleOwner(c: Save): Promise<Values> {
  if (c.before && !OWNER_FIELDS.some((name) => name in c.changes)) return {}
  const [person] = await settleNamedPeople(c, [
    {
      path: 'employee',
      before: c.before && { employee: c.before.employee ?? 0, name: c.before.managerName },
      next: { employee: c.values.employee ?? 0, name: c.values.managerName ?? '' },
    },
  ])
  const isChosen = Boolean(c.changes.employee) && c.changes.employee !== c.before?.employee
  const account = isChosen ? await accountOfEmployee(c, c.changes.employee ?? 0) : c.values.owner
  if (isChosen && c.changes.owner && c.changes.owner !== account)
    throw refuse('This account belongs to another person. Please choose the employee only')
  if (typeof account === 'number') return ownerWithAccount(c, account)
  const { employee: id = 0, name = '' } = person ?? {}
  await refuseNameOfAccount(c, id, name)
  return { owner: null, employee: id || null, managerName: name }
}

/**
 * Throws 422 if a link would be e-mailed to a person with the same name as an account: a report by that link would be
 * recorded in the account holder's name. An employee without an account is a different person, and work that is handed
 * on retains the name of the employee who takes over.
 */
async function refuseNameOfAccount(c: Save, id: number, name: string): Promise<void> {
  if (!name || !c.values.email || c.actor.kind === 'system') return
  const [chosen] = id ? await c.find(employee, { id }) : []
  if ((chosen && !chosen.user) || !(await findNamesLikeAccounts(c, [name])).has(name)) return
  const sentence = `${name} has an account. Choose them as the owner, or add a company to the name of a different person`
  throw problem.invalid([violation('managerName', sentence)])
}

/** Returns the account of an employee who can open corrective actions with it; otherwise null. */
async function accountOfEmployee(c: Context, id: number): Promise<number | null> {
  const [chosen] = await c.find(employee, { id })
  const account = chosen?.user ? await c.get(user, chosen.user) : undefined
  return account && !account.isRetired && canOpenActions(account) ? account.id : null
}

const canOpenActions = ({ roles }: Pick<RowOf<typeof user>, 'roles'>): boolean =>
  DOCUMENT_READER_ROLES.some((role) => roles.includes(role))

/** Returns an owner with an account, and their employee if they have one. Throws 422 if they can't open the action. */
async function ownerWithAccount(c: Save, owner: number): Promise<Values> {
  const person = await c.get(user, owner)
  if (!person) throw refuse('Please choose a person at your company')
  if (c.changes.owner !== undefined && person.isRetired)
    throw refuse(`${person.name} can no longer sign in. Choose another person`)
  if (!canOpenActions(person)) throw refuse(`${person.name} can’t open corrective actions. Choose another person`)
  const [joined] = await c.find(employee, { user: owner })
  return { owner, employee: joined?.id ?? null, managerName: person.name, email: person.email }
}

/**
 * Returns true if an open action is new, has been restored or has a new owner. For an owner without an account, a new
 * name or e-mail address is treated as a new owner.
 */
export const isAssigned = (before: Row | undefined, now: Row): boolean =>
  !now.retired &&
  isOpenActionState(now.state) &&
  (!before ||
    before.retired ||
    before.owner !== now.owner ||
    (now.owner === null && (before.email !== now.email || before.managerName !== now.managerName)))
