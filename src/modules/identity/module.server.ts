import { feature, joinFeatures } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { IDENTITY_NAV } from './nav.ts'
import { passwords } from './passwords/routes.server.ts'
import { people } from './people/user.server.ts'
import { portal } from './portal/routes.server.ts'
import { roles } from './roles/role.server.ts'
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
