import { requireCurrentProof } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature, joinFeatures } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { IDENTITY_NAV } from './nav.ts'
import { passwords } from './passwords/routes.server.ts'
import { people } from './people/user.server.ts'
import { portal } from './portal/routes.server.ts'
import { role, roleCategory } from './roles/role.ts'
import { secondFactor } from './second-factor/prove.server.ts'
import { securityEvent } from './security-log/security-event.ts'
import { sessions } from './sessions/routes.server.ts'

/** Deletes entries older than thirteen months; the database prevents the deletion of newer entries. */
const trimSecurityLog = schedule({
  name: 'identity.trim-security-log',
  every: { daily: '03:20' },
  run: (engine) =>
    engine.db.tx('owner', async (tx) => {
      await tx.rows("SET LOCAL app.upkeep = 'security_event'")
      await tx.rows("DELETE FROM security_event WHERE at < now() - interval '13 months'")
    }),
})

const securityLog = feature({
  resources: [securityEvent],
  schedules: [trimSecurityLog],
})

interface Roles {
  readonly categories: readonly { readonly name: string; readonly internal: boolean }[]
  readonly roles: readonly {
    readonly name: string
    readonly label: string
    readonly description: string
    readonly category: string
    readonly internal: boolean
  }[]
}

/** Reference data: the roles and their categories. */
const roleReference: ReferenceData = {
  name: 'roles',
  edition: 4,
  load: async (c) => {
    const { categories, roles }: Roles = readReferenceFile('roles.json')
    await insertMissingRows(c, roleCategory, 'name', categories)
    const ids = new Map((await c.find(roleCategory, {})).map((known) => [known.name, known.id]))
    await insertMissingRows(
      c,
      role,
      'name',
      roles.map(({ category, ...one }) => ({ ...one, category: ids.get(category) ?? null })),
    )
  },
}

/** Changing a role requires recent proof of identity, because the change affects everybody who holds the role. */
const roleBehaviour = behaviour(role, {
  beforeSave: async (c) => {
    await requireCurrentProof(c)
    return undefined
  },
})

const roles = feature({
  resources: [role, roleCategory],
  behaviours: [roleBehaviour],
  referenceData: [roleReference],
})

export const identityModule = joinFeatures('identity', [
  { navigation: IDENTITY_NAV },
  people,
  roles,
  sessions,
  secondFactor,
  passwords,
  portal,
  securityLog,
])
