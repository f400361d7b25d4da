import { isPlainObject } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'

const FACTS = { presenter: 'Presenter', date: 'Date', place: 'Place', startTime: 'Start time' } as const

const shown = (name: string, value: unknown) =>
  name === 'date' ? formatIsoDateAsUk(toText(value).slice(0, 10)) : toText(value)

/** Text of a correction: `Date: 20 November 2026, was 19 November 2026`. */
export function talkCorrectionText(correction: Readonly<Record<string, unknown>>): string {
  const { formerly } = correction
  if (!isPlainObject(formerly)) return ''
  return Object.entries(FACTS)
    .filter(([name]) => name in formerly)
    .map(([name, label]) => `${label}: ${shown(name, correction[name])}, was ${shown(name, formerly[name])}`)
    .join('; ')
}
