import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import { quoteSettings } from './settings.ts'

type QuoteRules = Omit<RowOf<typeof quoteSettings>, 'id' | 'clientId'>

const USUAL: QuoteRules = {
  validDays: 30,
  firstReminder: 7,
  secondReminder: 1,
  // Clients without settings may have one user, so nobody could approve.
  discountLimitPercent: 100,
  discountLimitAmount: 1_000_000_000,
  terms: '',
}

/** Returns the quote settings of this client, or the defaults. */
export async function loadQuoteRules(c: Pick<Context, 'find'>): Promise<QuoteRules> {
  const [row] = await c.find(quoteSettings, {})
  return row ?? USUAL
}
