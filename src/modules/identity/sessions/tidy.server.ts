import { DEVICE_DAYS } from '#server/auth/devices.ts'
import { schedule } from '#server/engine/schedule.ts'

/** Takes away what has had its time: sessions and tokens that are over, old attempts, old answers kept for repeats. */
export const tidy = schedule({
  name: 'identity.tidy',
  every: { minutes: 60 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows('DELETE FROM access_token WHERE expires_at < now()')
      await tx.rows('DELETE FROM session WHERE expires_at < now()')
      await tx.rows('DELETE FROM factor_ticket WHERE expires_at < now()')
      await tx.rows('DELETE FROM attempt WHERE since + lasts < now()')
      await tx.rows('DELETE FROM known_device WHERE used_at < now() - make_interval(days => $1)', [DEVICE_DAYS])
      await tx.rows("DELETE FROM password_reset WHERE expires_at < now() - interval '1 day'")
      await tx.rows("DELETE FROM idempotency WHERE created_at < now() - interval '1 day'")
      // A link that was asked for a day ago helps nobody any more.
      await tx.rows("DELETE FROM outbox WHERE kind = 'password.forgotten' AND relayed_at < now() - interval '1 day'")
      await tx.rows("DELETE FROM outbox WHERE relayed_at < now() - interval '30 days'")
    }),
})
