import type { Reference } from '#server/engine/world.ts'
import { paymentSettings } from './settings.ts'

/** The provider's rules for payments, to be changed where they don't fit. */
export const paymentReference: Reference = {
  name: 'payments',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const [settled] = await c.find(paymentSettings, {})
    if (!settled) await c.withoutPermissionCheck('payments begin with rules').create(paymentSettings, {})
  },
}
