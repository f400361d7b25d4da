import { problem, type Violation, violation } from '#kernel/errors.ts'
import { isSamePersonName } from '#kernel/signature.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import type { Context } from '#server/engine/types.ts'
import type { NamedPerson } from './name-places.ts'

export interface NamedPersonChange {
  /** Path of the employee's ID, for errors. */
  readonly path: string
  readonly before?: NamedPerson | undefined
  readonly next: NamedPerson
}

export const UNKNOWN_EMPLOYEE = 'Please choose an employee of this company'

/**
 * Returns the people as they are to be stored. Throws 422 for employees who can't be chosen. A new reference needs an
 * employee in service that the actor may read; without a name, the employee's name is stored. A reference ends when its
 * name is changed to another person's. `isContinued` exempts employees in an earlier revision: one who has left is
 * stored, and one who no longer exists is dropped.
 */
export async function settleNamedPeople(
  c: Context,
  changes: readonly NamedPersonChange[],
  isContinued: (id: number) => boolean = () => false,
): Promise<NamedPerson[]> {
  const ids = [...new Set(changes.filter(isLookedUp).map(({ next }) => next.employee))]
  const known = new Map((ids.length ? await c.find(employee, { id: ids }) : []).map((one) => [one.id, one]))
  const isNew = ({ before, next }: NamedPersonChange) => next.employee > 0 && next.employee !== before?.employee
  const chosen = changes.filter(isNew).map(({ next }) => next.employee)
  const readable = await filterReadableIds(c.work.tx, c.actor, employee, chosen)
  const wrong = changes.filter(isNew).flatMap(({ path, next }): Violation[] => {
    const found = known.get(next.employee)
    if (isContinued(next.employee)) return []
    if (!found || !readable.has(found.id)) return [violation(path, UNKNOWN_EMPLOYEE)]
    return found.retired ? [violation(path, `${found.name} has left. Please choose another person`)] : []
  })
  if (wrong.length) throw problem.invalid(wrong)
  return changes.map((change) => {
    if (!isLookedUp(change)) return change.next
    const { before, next } = change
    const found = known.get(next.employee)
    if (!found) return { ...next, employee: 0 }
    const isSameName = next.name.trim() === (before?.name ?? '').trim()
    if (next.employee !== before?.employee)
      // The name of an employee who was replaced without a new name would be wrong.
      return { ...next, name: next.name.trim() && !(isSameName && before?.employee) ? next.name : found.name }
    return isSameName || isSamePersonName(next.name, found.name) ? next : { ...next, employee: 0 }
  })
}

/** Returns true if an employee has to be read: for a new reference, or for a name that has changed. */
const isLookedUp = ({ before, next }: NamedPersonChange): boolean =>
  next.employee > 0 && (next.employee !== before?.employee || next.name !== before.name)
