import { settleNamedPeople } from '#modules/documents/named-employees/check.server.ts'
import { employee } from '#modules/people/employees/employee.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { type AttendeeDraft, linkAttendeeAccounts } from './presented-rules.server.ts'
import type { presentedTalk } from './toolbox-talk.ts'

/**
 * Returns the values of a talk's changed presenter: their employee, and whether they have an account. A chosen employee
 * is stored as long as the name is theirs; an account's employee is found by their relation.
 */
export async function settlePresenter(c: Context & BeforeSaveInput<typeof presentedTalk>) {
  const { before, changes, values } = c
  if (changes.presenter === undefined && changes.presenterEmployee === undefined) return {}
  const [person] = await settleNamedPeople(c, [
    {
      path: 'presenterEmployee',
      before: before && { employee: before.presenterEmployee ?? 0, name: before.presenter },
      next: { employee: values.presenterEmployee ?? 0, name: values.presenter ?? '' },
    },
  ])
  return {
    ...(await findPresenter(c, person?.name ?? '')),
    ...(person?.employee ? { presenter: person.name, presenterEmployee: person.employee } : {}),
  }
}

/** Returns whether a presenter has an account, and the employee of that account. */
export async function findPresenter(c: Context, name: string) {
  const [named] = await linkAttendeeAccounts(c, [{ name }])
  const [joined] = named?.user ? await c.find(employee, { user: named.user }) : []
  return { presenterVisitor: named?.visitor ?? false, presenterEmployee: joined?.id ?? null }
}

export type AddedPeopleOptions = Pick<AttendeeDraft, 'company' | 'trade'> & {
  readonly listed?: boolean
  /** ID of the employee for each name that was chosen; 0 for other names. */
  readonly employees?: readonly number[]
}

/**
 * Returns people to add to a list with the employees that were chosen for them. The row gets the employee's account,
 * even if other accounts have the same name. The name is the employee's.
 */
export async function withChosenEmployees(
  c: Context,
  people: readonly AttendeeDraft[],
  chosen: readonly number[],
): Promise<AttendeeDraft[]> {
  const ids = chosen.filter((id) => id > 0)
  if (!ids.length) return [...people]
  const changes = people.map((_, i) => ({ path: `employees[${i}]`, next: { employee: chosen[i] ?? 0, name: '' } }))
  await settleNamedPeople(c, changes)
  const found = new Map((await c.find(employee, { id: ids })).map((one) => [one.id, one]))
  return people.map((person, i) => {
    const one = found.get(chosen[i] ?? 0)
    return one ? { ...person, name: one.name, user: one.user, visitor: one.user === null, employee: one.id } : person
  })
}
