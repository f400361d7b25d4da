import { problem } from '#kernel/errors.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from './employee.ts'

/**
 * Throws 403 if one of the employees is the actor. Two people are involved in a change of leave, or of anything by which
 * it is calculated.
 */
export async function refuseOwnLeave(c: Context, ...employees: readonly (number | undefined)[]): Promise<void> {
  const ids = employees.filter((id) => id !== undefined)
  const isOwn =
    c.actor.clientId === c.clientId && ids.length > 0 && (await c.exists(employee, { id: ids, user: c.actor.userId }))
  if (isOwn) throw problem.forbidden('Another person has to change your own leave.')
}

interface EmploymentDates {
  readonly name: string
  readonly extCStartDate: string | null
  readonly leavingDate: string | null
}

/** Returns the reason why an employee can't be absent in a period; undefined if employed from its first day to its last. */
export function employmentProblem(
  { name, extCStartDate: start, leavingDate: end }: EmploymentDates,
  firstDay: string,
  lastDay: string,
): string | undefined {
  if (start && firstDay < start) return `The employment of ${name} starts on ${formatIsoDateAsUk(start)}.`
  return end && lastDay > end ? `The employment of ${name} ends on ${formatIsoDateAsUk(end)}.` : undefined
}
