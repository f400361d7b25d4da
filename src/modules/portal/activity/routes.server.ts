import { problem } from '#kernel/errors.ts'
import { choice, instant, link, text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { idFromIri, iriOf, resource } from '#kernel/resource.ts'
import { type Actor, authorOf, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { PORTAL_VERSION } from '#server/version.ts'
import { client } from '../clients/client.ts'
import { CLIENT_QUERY_PARAMS, findRequestedClientId } from '../packs/routes.server.ts'

/** Portal version that a user last saw. */
const versionControl = resource({
  type: 'VersionControl',
  service: 'portal',
  path: 'version_controls',
  table: 'version_control',
  tenant: 'own',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    user: link(() => user, { readonly: true, filter: true, notNull: true }),
    product: choice(['portal'], { readonly: true, default: 'portal' }),
    version: text({ default: '', max: 40 }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'member', create: 'member', update: 'member', rows: [{ unless: [], only: only.mine('user') }] },
})

/** Time at which a company last used an area of the portal. */
const applicationActivity = resource({
  type: 'ApplicationActivity',
  service: 'portal',
  path: 'application_activities',
  table: 'application_activity',
  tenant: 'own',
  title: 'applicationName',
  order: ['-lastActivityAt'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    applicationName: text({ required: true, max: 60, filter: true }),
    lastActivityAt: instant({ notNull: true, filter: true, order: true }),
  },
  allow: { read: 'member', create: 'member', update: 'member', allTenants: 'ROLE_STAFF' },
})

const activityBehaviours = [
  behaviour(versionControl, {
    beforeSave: ({ actor, before }) =>
      before
        ? undefined
        : { user: authorOf(actor).clientId === actor.clientId ? authorOf(actor).userId : actor.userId },
  }),
  /** Sets the time on the server, whatever time the request contains. */
  behaviour(applicationActivity, {
    beforeSave: ({ before, changes, now }) => {
      if (before && changes.applicationName !== undefined)
        throw problem.conflict(
          'The application of an activity record can’t be changed. Create a new record for the other application.',
        )
      // A change without a time, or with the stored time, is not treated as use.
      const said = changes.lastActivityAt
      const isSo = before && (said === undefined || Date.parse(said) === Date.parse(before.lastActivityAt))
      return { lastActivityAt: isSo ? before.lastActivityAt : now.toString() }
    },
  }),
]

/** Returns true if the user may read other users' activity in their company. */
const looksAfter = (me: Actor) =>
  hasRole(me, me.clientId === PROVIDER_CLIENT_ID ? 'ROLE_USER_ADMIN' : ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'])

/**
 * Finds the portal version that a user last saw. If the user has no record yet, the user's own request creates it, and
 * an administrator's request returns null.
 */
async function seenVersion(c: RouteContext): Promise<Record<string, unknown> | null> {
  const given = firstQueryValue(c.query['user.id']) || firstQueryValue(c.query.user)
  const id = given ? parseId(idFromIri(user, given) ?? given) : c.me.userId
  if (id === undefined) throw problem.notFound()
  if (id !== c.me.userId) {
    if (!looksAfter(c.me)) throw problem.forbidden()
    const { client: theirs } = await c.engine.one(user, c.me, id)
    const [found] = await c.engine.readIn(theirs?.id ?? c.me.clientId, 'read the version last seen by a user', (r) =>
      r.find(versionControl, { user: id }),
    )
    return found ? { '@id': iriOf(versionControl, found.id), ...found } : null
  }
  const known = async () =>
    (await c.engine.list(versionControl, c.me, {}, { limit: 1, offset: 0 }, { count: false })).members[0]
  return (
    (await known()) ??
    (await c.engine
      .create(versionControl, { version: PORTAL_VERSION }, { actor: c.me, requestId: c.request.id })
      // Returns the record that a concurrent request from the same user has created, if there is one.
      .catch(async (e: unknown) => {
        const theirs = await known()
        if (!theirs) throw e
        return theirs
      }))
  )
}

/** Routes for the versions that users last saw, and for the activity of users and companies. */
const activityRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/portal/version_controls/product_version',
    title:
      'Get the current portal version and the version the user has last seen; the record of the version seen is created at the user’s first request',
    writesOnGet: true,
    query: {
      'user.id': text({ help: 'User ID. Defaults to the current user.' }),
      user: text({ help: 'IRI of the user.' }),
    },
    allow: 'member',
    handle: async (c) => ({ productVersion: PORTAL_VERSION, versionControl: await seenVersion(c) }),
  },
  {
    method: 'GET',
    path: '/api/portal/stats',
    title: 'Count a client’s users, and how many of them signed in during the last 30 days',
    query: CLIENT_QUERY_PARAMS,
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    handle: async (c) => {
      const clientId = await findRequestedClientId(c)
      const people = await c.engine.readIn(clientId, 'count the users of a client', (r) =>
        r.find(user, { isRetired: false }),
      )
      const since = c.now.subtract({ hours: 24 * 30 }).epochMilliseconds
      const seen = people.flatMap((p) => (p.lastLoginAt ? [Date.parse(p.lastLoginAt)] : []))
      return {
        client: iriOf(client, clientId),
        people: people.length,
        active: seen.filter((at) => at >= since).length,
        never: people.length - seen.length,
        lastLoginAt: seen.length ? new Date(Math.max(...seen)).toISOString() : null,
        rows: `/config/users?client=${clientId}`,
      }
    },
  },
]

export const activity = feature({
  resources: [versionControl, applicationActivity],
  behaviours: activityBehaviours,
  routes: activityRoutes,
})
