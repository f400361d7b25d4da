import { isCalendarDate } from '#kernel/time.ts'
import { type SheetProposal, sourceOf } from './sheet-labels.ts'
import type { SheetLine } from './sheet-lines.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const NUMERIC = /(?<!\d)(\d{1,4}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{2,4})(?!\d)/
const DAY_FIRST = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[ .-]{1,2}([a-z]{3,9})[ .,-]{1,2}(\d{4}|\d{2})(?!\d)/i
const MONTH_FIRST = /(?<![a-z])([a-z]{3,9})[ .-]{1,2}(\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{4})(?!\d)/i

/** A date in ISO 8601. `isUnclear` is true if day and month could be the other way round. */
interface SheetDate {
  readonly date: string
  readonly isUnclear: boolean
}

const CENTURY = 2000
const FIRST_YEAR = 1980

function isoDate(year: number, month: number, day: number): string | undefined {
  const full = year < 100 ? CENTURY + year : year
  const date = `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return full >= FIRST_YEAR && full < CENTURY + 100 && isCalendarDate(date) ? date : undefined
}

const monthNumber = (name: string) => MONTHS.findIndex((month) => name.toLowerCase().startsWith(month)) + 1

function numericDate(first: string, second: string, third: string): SheetDate | undefined {
  const [a, b, c] = [Number(first), Number(second), Number(third)]
  const sure = (date: string | undefined) => (date ? { date, isUnclear: false } : undefined)
  if (first.length === 4) return sure(isoDate(a, b, c))
  if (first.length > 2 || third.length === 3) return undefined
  const british = isoDate(c, b, a)
  const american = isoDate(c, a, b)
  if (british && american) return { date: british, isUnclear: a !== b }
  return sure(british ?? american)
}

/** Reads the first date of a text in the notations of data sheets, the day before the month if both are possible. */
export function readSheetDate(text: string): SheetDate | undefined {
  const numeric = NUMERIC.exec(text)
  const dayFirst = DAY_FIRST.exec(text)
  const monthFirst = MONTH_FIRST.exec(text)
  const found = [
    numeric && { at: numeric.index, date: numericDate(numeric[1] ?? '', numeric[3] ?? '', numeric[4] ?? '') },
    dayFirst && { at: dayFirst.index, date: wordDate(dayFirst[3], dayFirst[2], dayFirst[1]) },
    monthFirst && { at: monthFirst.index, date: wordDate(monthFirst[3], monthFirst[1], monthFirst[2]) },
  ]
  return found
    .filter((one) => one?.date !== undefined && one.date !== null)
    .sort((a, b) => (a?.at ?? 0) - (b?.at ?? 0))[0]?.date
}

function wordDate(year = '', month = '', day = ''): SheetDate | undefined {
  const number = monthNumber(month)
  const date = number ? isoDate(Number(year), number, Number(day)) : undefined
  return date ? { date, isUnclear: false } : undefined
}

/** Labels of dates, the most specific first. */
const LABELS = [
  ['revision date', 'date of revision', 'revised on', 'last revised', 'date revised', 'revised', 'revision'],
  [
    'version date',
    'date of this version',
    'date of issue',
    'issue date',
    'issued on',
    'issued',
    'sds date',
    'msds date',
  ],
  ['date of preparation', 'preparation date', 'date prepared', 'date of compilation', 'date of first issue', 'date'],
] as const
/** Words before a label whose date belongs to another version or to the printout. */
const OTHER_VERSION =
  /(?:previous|last|next|review|valid until|supersedes?|superseded|replaces|print(?:ing|ed)?|expiry)(?: \w{1,12})? ?$/i
const MAX_DATE_DISTANCE = 45

/** Finds the date of a data sheet: its revision date or, if there is none, its issue date. */
export function proposeDate(lines: readonly SheetLine[]): SheetProposal[] {
  for (const labels of LABELS) {
    const found = lines.flatMap((line, i) => datesInLine(line, lines[i + 1], labels))
    const [latest] = found.toSorted((a, b) => b.date.localeCompare(a.date))
    if (latest) {
      const note = latest.isUnclear
        ? { note: 'Read as day/month/year. Check that the supplier writes dates this way.' }
        : {}
      return [{ field: 'sheetDate', value: latest.date, ...sourceOf(latest.lines), ...note }]
    }
  }
  return []
}

function datesInLine(line: SheetLine, next: SheetLine | undefined, labels: readonly string[]) {
  const text = line.text.replaceAll('\t', ' ')
  const lower = text.toLowerCase()
  return labels.flatMap((label) => {
    const at = lower.indexOf(label)
    if (at < 0 || /\w/.test(lower.charAt(at - 1)) || OTHER_VERSION.test(text.slice(Math.max(0, at - 30), at))) return []
    const after = text.slice(at + label.length)
    const own = readSheetDate(after.slice(0, MAX_DATE_DISTANCE))
    if (own) return [{ ...own, lines: [line] }]
    const isLast = after.replace(/^[ :(/a-z]{0,30}/i, '') === ''
    const below = isLast && next ? readSheetDate(next.text.slice(0, MAX_DATE_DISTANCE)) : undefined
    return below && next ? [{ ...below, lines: [line, next] }] : []
  })
}
