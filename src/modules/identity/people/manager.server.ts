import { problem, violation } from '#kernel/errors.ts'
import type { Context } from '#server/engine/types.ts'
import { user } from './user.ts'

const refused = (message: string) => problem.invalid([violation('manager', message)])

/**
 * Refuses a manager who is not one of the client's people, and one who reports to the person themselves. Those above stay
 * locked, so that two changes at once make no circle either.
 */
export async function checkManager(c: Context, person: number | undefined, manager: number): Promise<void> {
  if (manager === person) throw refused('Nobody reports to themselves')
  let above: number | null = manager
  while (above !== null) {
    const [next]: { manager: number | null; isRetired: boolean }[] = await c.lockAll(user, { id: above })
    if (!next) throw refused('Please choose somebody of the same company')
    if (above === manager && next.isRetired) throw refused('This person is retired')
    if (next.manager !== null && next.manager === person)
      throw refused('This person reports to the one whose manager they would be')
    above = next.manager
  }
}
