import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import { quoteSettings } from './settings.ts'

type QuoteRules = Omit<RowOf<typeof quoteSettings>, 'id' | 'clientId'>

const USUAL: QuoteRules = {
  validDays: 30,
  firstReminder: 7,
  secondReminder: 1,
  // Who has settled nothing may be alone: nobody could approve.
  discountLimitPercent: 100,
  discountLimitAmount: 1_000_000_000,
  terms: '',
}

/** How quotes are kept by this client; what nobody has settled is as a new record has it. */
export async function settingsOf(c: Pick<Context, 'find'>): Promise<QuoteRules> {
  const [row] = await c.find(quoteSettings, {})
  return row ?? USUAL
}
