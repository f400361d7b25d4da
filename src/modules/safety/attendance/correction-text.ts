import { isRow } from '#kernel/forms/rows.ts'
import { textOf } from '#kernel/text.ts'
import { ukDay } from '#kernel/time.ts'

const FACTS = { presenter: 'Presenter', date: 'Date', place: 'Place', startTime: 'Start time' } as const

const shown = (name: string, value: unknown) => (name === 'date' ? ukDay(textOf(value).slice(0, 10)) : textOf(value))

/** Text of a correction: `Date: 20 November 2026, was 19 November 2026`. */
export function correctionText(correction: Readonly<Record<string, unknown>>): string {
  const { formerly } = correction
  if (!isRow(formerly)) return ''
  return Object.entries(FACTS)
    .filter(([name]) => name in formerly)
    .map(([name, label]) => `${label}: ${shown(name, correction[name])}, was ${shown(name, formerly[name])}`)
    .join('; ')
}
