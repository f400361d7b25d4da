import { text } from '#kernel/fields.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { wholeList } from '#server/http/list-route.ts'
import { readUserNames } from '../people/names.server.ts'
import { parseClientNumber, typedText } from '../sessions/sign-in.server.ts'
import { visit } from '../visits/visit.ts'

/** Maximum usernames per request. */
const MOST = 100

/**
 * `GET /api/portal/names`: names for usernames in records. Of the provider's users clients get only those who worked in
 * their portal, as the impersonation log shows; others are treated like unknown usernames.
 */
export const namesRoute: Route = {
  method: 'GET',
  path: '/api/portal/names',
  title: 'Get the names for usernames in records',
  allow: 'member',
  listOf: 'objects',
  query: {
    of: text({ max: 10_000, help: `Comma-separated usernames, at most ${MOST}.` }),
    client: text({ help: 'Client ID; for the provider’s staff only.' }),
  },
  handle: async ({ engine, me, query }) => {
    const asked = [...new Set(typedText(query.of).split(',').filter(Boolean))].slice(0, MOST)
    const wide = me.clientId === PROVIDER && hasRole(me, 'ROLE_STAFF')
    const named = parseClientNumber(typedText(query.client))
    const clientId = wide && named !== undefined && !Number.isNaN(named) ? named : me.clientId
    const own = await readUserNames(engine, clientId, asked, [clientId])
    const others = asked.filter((username) => !own.has(username))
    const known = wide ? others : await visitorsAmong(engine, clientId, others)
    const provider = await readUserNames(engine, clientId, known, [PROVIDER])
    return wholeList([...own, ...provider].map(([username, name]) => ({ username, name })))
  },
}

/** Filters the usernames to those who have worked in a client's portal. */
async function visitorsAmong(engine: Engine, clientId: number, usernames: readonly string[]): Promise<string[]> {
  if (!usernames.length) return []
  const visits = await engine.readIn(clientId, 'read the names of impersonating users', (c) =>
    c.find(visit, { visitorUsername: [...usernames] }),
  )
  return [...new Set(visits.flatMap((v) => v.visitorUsername ?? []))]
}
