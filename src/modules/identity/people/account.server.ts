import { problem } from '#kernel/errors.ts'
import type { AccountOwner } from '#server/auth/accounts.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { user } from './user.ts'

/** Finds the account in the request's URL, if the caller has access to it. Throws 404. */
export async function findRequestedAccount(
  c: RouteContext,
): Promise<AccountOwner & { readonly isRetired: boolean; readonly company: string }> {
  const found = await c.engine.one(user, c.me, await c.engine.idOf(user, c.me, c.params.id))
  const { id, client, username, name, email, isRetired } = found
  if (!client) throw problem.notFound()
  return { userId: id, clientId: client.id, company: client.company, username, name, email, isRetired }
}
