import { text } from '#kernel/fields.ts'
import { navigationEntriesFor } from '#kernel/packs.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { findDemoUsers, findUsersWithRoles } from '#server/auth/accounts.ts'
import type { Where } from '#server/data/where.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { PORTAL_VERSION } from '#server/version.ts'
import { impersonationPeriod } from '../impersonations/impersonation.ts'
import { readUserNames } from '../people/accounts.server.ts'
import { user } from '../people/user.ts'
import { parseClientNumber, textOrEmpty } from '../sessions/second-step-routes.server.ts'

/** Maximum number of usernames in one request. */
const MAX_USERNAMES = 100

/**
 * `GET /api/portal/names`: returns the names for usernames found in records. A client gets the name of a provider user
 * only if the impersonation log shows that this user worked in the client's portal; other provider users are treated as
 * unknown.
 */
const namesRoute: Route = {
  method: 'GET',
  path: '/api/portal/names',
  title: 'Get people’s names for the usernames in records',
  allow: 'member',
  listOf: 'objects',
  query: {
    of: text({ max: 10_000, help: `Comma-separated usernames, at most ${MAX_USERNAMES}.` }),
    client: text({ help: 'Client ID; for the provider’s staff only.' }),
  },
  handle: async ({ engine, me, query }) => {
    const asked = [...new Set(textOrEmpty(query.of).split(',').filter(Boolean))].slice(0, MAX_USERNAMES)
    const wide = me.clientId === PROVIDER_CLIENT_ID && hasRole(me, 'ROLE_STAFF')
    const named = parseClientNumber(textOrEmpty(query.client))
    const clientId = wide && named !== undefined && !Number.isNaN(named) ? named : me.clientId
    const own = await readUserNames(engine, clientId, asked, [clientId])
    const others = asked.filter((username) => !own.has(username))
    const known = wide ? others : await visitorsAmong(engine, clientId, others)
    const provider = await readUserNames(engine, clientId, known, [PROVIDER_CLIENT_ID])
    return hydraCollection([...own, ...provider].map(([username, name]) => ({ username, name })))
  },
}

/** Returns those usernames that belong to users who have impersonated one of the client's users. */
async function visitorsAmong(engine: Engine, clientId: number, usernames: readonly string[]): Promise<string[]> {
  if (!usernames.length) return []
  const visits = await engine.readIn(clientId, 'read the names of impersonating users', (c) =>
    c.find(impersonationPeriod, { visitorUsername: [...usernames] }),
  )
  return [...new Set(visits.flatMap((v) => v.visitorUsername ?? []))]
}

const ADMINISTRATORS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN']
const MAX_LISTED_ADMINISTRATORS = 5

/**
 * Lists a client's users by name without a permission check. More users may choose from this list than may read the
 * user records, so the route checks access itself.
 */
const peopleOf = (c: RouteContext, clientId: number, where: Where<typeof user>) =>
  c.engine.readIn(clientId, 'list users to choose from', async (reader) =>
    (await reader.find(user, where)).toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB')),
  )

/** Routes that return the data that pages need before and after sign-in. */
const portalRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/portal/public',
    title: 'Get the public information about this portal',
    allow: 'anonymous',
    duringMaintenance: true,
    handle: async (c) => {
      const demo = await c.engine.db.tx('system', findDemoUsers)
      return {
        provider: c.engine.config.provider,
        version: PORTAL_VERSION,
        maintenance: c.engine.config.maintenance ?? null,
        mail: c.engine.config.smtpUrl !== undefined,
        demo,
        demoPassword: demo.length ? 'Portal-demo-2026' : null,
        demoNote: demo.length
          ? c.engine.config.demoAnywhere
            ? 'This is a demonstration: these accounts are public.'
            : 'This is a demonstration: these accounts are public and work only on the machine that runs the portal.'
          : null,
      }
    },
  },
  {
    method: 'GET',
    path: '/api/portal/navigations',
    title: 'List the screens the current user may open',
    allow: 'member',
    listOf: 'objects',
    handle: (c) =>
      hydraCollection(
        navigationEntriesFor(
          c.me,
          registryOf(c.engine).modules.flatMap((module) => Object.values(module.navigation ?? {})),
        ).map(({ path, title, area, icon, order, advert = false }, i) => ({
          '@id': `/api/portal/navigations/${i + 1}`,
          '@type': 'Navigation',
          id: i + 1,
          path,
          title,
          area,
          icon,
          order,
          isAdvert: advert,
        })),
      ),
  },
  {
    method: 'GET',
    path: '/api/portal/phonebook',
    title: 'List the users of the current client',
    listOf: 'objects',
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    handle: async (c) => {
      const people = await peopleOf(c, c.me.clientId, { inPhonebook: true, isRetired: false })
      return hydraCollection(
        people.map(({ id, name, username, email, telephone }) => ({
          '@id': iriOf(user, id),
          id,
          name,
          username,
          email,
          telephone,
        })),
      )
    },
  },
  {
    method: 'GET',
    path: '/api/portal/administrators',
    title: 'List the administrators of the current client by name',
    listOf: 'objects',
    allow: 'member',
    handle: async (c) => {
      const found = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
        findUsersWithRoles(tx, c.me.clientId, ADMINISTRATORS, MAX_LISTED_ADMINISTRATORS),
      )
      return hydraCollection(found.map(({ userId, name }) => ({ '@id': iriOf(user, userId), id: userId, name })))
    },
  },
  {
    method: 'GET',
    path: '/api/portal/users_list',
    title: 'List all users of a client, to choose from',
    query: { client: text({ help: 'Client ID; for the provider’s staff only.' }) },
    listOf: 'objects',
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    handle: async (c) => {
      const asked = parseClientNumber(textOrEmpty(c.query.client)) ?? Number.NaN
      const wide = c.me.clientId === PROVIDER_CLIENT_ID && hasRole(c.me, 'ROLE_STAFF')
      const clientId = wide && !Number.isNaN(asked) ? asked : c.me.clientId
      const people = await peopleOf(c, clientId, { isRetired: false })
      return hydraCollection(people.map(({ id, name, username }) => ({ '@id': iriOf(user, id), id, name, username })))
    },
  },
]

export const portal = feature({
  routes: [...portalRoutes, namesRoute],
})
