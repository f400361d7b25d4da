import { feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { securityEvent } from './security-event.ts'

/** Takes away what has been in the security log for thirteen months; the database keeps anybody from taking more. */
const trimSecurityLog = schedule({
  name: 'identity.trim-security-log',
  every: { daily: '03:20' },
  run: (engine) =>
    engine.db.tx('owner', async (tx) => {
      await tx.rows("SET LOCAL app.upkeep = 'security_event'")
      await tx.rows("DELETE FROM security_event WHERE at < now() - interval '13 months'")
    }),
})

export const securityLog = feature({
  resources: [securityEvent],
  schedules: [trimSecurityLog],
})
