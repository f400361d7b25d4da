import type { Reference } from '#server/engine/world.ts'
import { quoteSettings } from '../letters/settings.ts'

const TERMS =
  '<p>Prices are in the currency shown. Plans are paid in advance for each period and go on until they are cancelled, with 30 days’ notice before a period ends. What is paid once is due when the quote is accepted.</p>'

/** The provider's own rules for quotes, to be changed where they don't fit. */
export const quoteReference: Reference = {
  name: 'quotes',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const [settled] = await c.find(quoteSettings, {})
    if (!settled) await c.withoutPermissionCheck('quotes begin with rules').create(quoteSettings, { terms: TERMS })
  },
}
