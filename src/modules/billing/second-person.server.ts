import { PROVIDER } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import type { Context } from '#server/engine/types.ts'
import { FINANCE } from './rights.ts'

/** Is there anybody who looks after money here and is none of these? */
export async function isSecondPerson(c: Context, not: readonly (string | null | undefined)[]): Promise<boolean> {
  const people = await c.withoutPermissionCheck('who may approve').find(user, { isRetired: false })
  return people.some(({ username, roles }) => !not.includes(username) && FINANCE.some((role) => roles.includes(role)))
}

/** What to do where there is nobody. */
export const findSecondPerson = ({ clientId }: Pick<Context, 'clientId'>): string =>
  `Nobody else here can approve it: give somebody else the right ${clientId === PROVIDER ? '“Finance”' : '“Invoicing”'}, or raise the limit in the settings for quotes.`
