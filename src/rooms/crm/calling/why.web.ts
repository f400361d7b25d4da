import { ukDate } from '#kernel/time.ts'
import { relative } from '#web/dates/relative-words.ts'
import { readInstant } from '#web/dates/temporal.ts'
import type { Lead } from '../contacts/data.web.ts'

/** Whose turn it is, in a line, for a lead that was opened from the list. */
export function whyNow(lead: Pick<Lead, 'callbackDate' | 'expiry' | 'lastResult'>, now: Temporal.Instant): string {
  if (lead.callbackDate !== null) {
    const { text, late } = relative(readInstant(lead.callbackDate), now, true)
    return late ? `A callback, ${text}.` : `A callback is agreed for ${text === 'now' ? 'now' : `${text}`}.`
  }
  if (lead.expiry !== null && lead.expiry * 1000 > now.epochMilliseconds)
    return `Resting until ${ukDate(readInstant(lead.expiry))}.`
  return lead.lastResult ? 'Its time has come round again.' : 'A new lead: nobody has rung yet.'
}
