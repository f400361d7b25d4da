import { problem } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Route } from '#server/engine/route.ts'
import { user } from '../people/user.ts'

/**
 * Required by the specification on each page change: the owner and expiry of the request's own token. The token itself
 * is never returned again, and another user's is not found.
 */
export const userTokenRoute: Route = {
  method: 'GET',
  path: '/api/portal/user_tokens/{id}',
  title: 'Get the owner and idle expiry of one’s own token; never the token itself',
  allow: 'member',
  whileReadOnly: true,
  handle: async (c) => {
    const { me, engine } = c
    if ((await engine.idOf(user, me, c.params.id)) !== me.userId) throw problem.notFound()
    const session = (await engine.sessions.list(c.request.token ?? '')).find((one) => one.current)
    return {
      '@type': 'UserToken',
      id: me.userId,
      user: iriOf(user, me.userId),
      client: iriOf(client, me.clientId),
      tokenType: 'Bearer',
      lastsMinutes: engine.config.tokenMinutes,
      createdAt: session?.createdAt ?? null,
      isImpersonating: !!me.original,
    }
  },
}
