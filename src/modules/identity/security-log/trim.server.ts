import { feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { securityEvent } from './security-event.ts'

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

export const securityLog = feature({
  resources: [securityEvent],
  schedules: [trimSecurityLog],
})
