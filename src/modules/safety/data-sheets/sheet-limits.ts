import { isHeading, type SheetLimit, type SheetProposal, sourceOf } from './sheet-labels.ts'
import { cellsOf, type SheetLine } from './sheet-lines.ts'

type Period = 'long' | 'short'
type Unit = 'Ppm' | 'MgM3'

const FIGURE =
  /(?<![a-z\d.,])(\d{1,3}(?: \d{3}){1,2}|\d{1,7})([.,]\d{1,4})?[ \t]?(ppm|ml\/m3|mg ?\/ ?m3|mg\.m-3|mg m-3)(?![a-z\d])/gi
const PERIOD =
  /(long[ -]?term|8[ -]?h(?:ou)?rs?\b|8[ -]?h\b|\btwa\b|\bltel\b|time[ -]weighted)|(short[ -]?term|15[ -]?min(?:ute)?s?\b|\bstel\b)/gi
const BARE = /^(?:(\d{1,5})([.,]\d{1,4})?|-{1,2}|n\/?a)$/i
/** Values in section 8 that are not limits for workplace air. */
const OTHER_VALUES = /\b(?:dnels?|dmels?|pnecs?|derived no|predicted no|biological limit|bmgv|biological monitoring)\b/i
const LIMIT_HEADING = /\b(?:exposure limits?|limit values?|control parameters|wels?|oels?|eh40)\b/i
const UK = /\b(?:wels?|eh40|united kingdom|great britain|uk|gb)\b/i
const ELSEWHERE =
  /\b(?:ireland|denmark|sweden|norway|finland|iceland|portugal|greece|luxembourg|czech\w*|slovak\w*|slovenia|hungary|romania|bulgaria|croatia|estonia|latvia|lithuania|turkey|canada|australia|japan|china|germany|france|belgium|netherlands|austria|switzerland|spain|italy|poland|usa?|eu|ioelv|trgs|mak|agw|vlep|acgih|osha|niosh|pel|tlv|rel|dfg)\b/i
const CAS = /\b\d{2,7}-\d{2}-\d\b/
/** Beginning of a row that does not name a substance. */
const NO_AGENT =
  /^(?:control parameters|occupational exposure|workplace exposure|exposure limits?|limit values?|national|components? with|ingredients? with|substance|component|ingredient|chemical name|country|type|value|source|list|remarks?|notes?|uk|united kingdom|great britain|gb|cas|regulation|basis|form)\b/i

interface LimitRow {
  readonly agent: string
  readonly figures: Partial<Record<`${Period}${Unit}`, number>>
  readonly lines: SheetLine[]
  readonly notes: Set<string>
  /** True if the lines so far name the UK, false if another country; undefined if they name none. */
  readonly isUk: boolean | undefined
}

/** Columns of a table of limits, from left to right. */
type Columns = readonly `${Period}${Unit}`[]

interface Reading {
  rows: LimitRow[]
  agent: { readonly name: string; readonly line: SheetLine } | undefined
  period: Period | undefined
  columns: Columns | undefined
  /** Previous lines without figures, which can be the heading of a table. */
  heading: SheetLine[]
  isUk: boolean | undefined
  isOther: boolean
}

/** Finds the exposure limits in section 8. Limits of other countries and other kinds of value are marked or omitted. */
export function proposeLimits(lines: readonly SheetLine[]): SheetProposal[] {
  const reading: Reading = {
    rows: [],
    agent: undefined,
    period: undefined,
    columns: undefined,
    heading: [],
    isUk: undefined,
    isOther: false,
  }
  for (const line of lines.filter(({ part }) => part <= 1)) readLimitLine(line, reading)
  return reading.rows.map(({ agent, figures, lines: from, notes }) => ({
    field: 'limits' as const,
    value: {
      agent,
      longPpm: figures.longPpm ?? null,
      longMgM3: figures.longMgM3 ?? null,
      shortPpm: figures.shortPpm ?? null,
      shortMgM3: figures.shortMgM3 ?? null,
    } satisfies SheetLimit,
    ...sourceOf(from),
    ...(notes.size ? { note: [...notes].join(' ') } : {}),
  }))
}

function readLimitLine(line: SheetLine, reading: Reading): void {
  const { text } = line
  if (OTHER_VALUES.test(text)) reading.isOther = true
  else if (LIMIT_HEADING.test(text)) reading.isOther = false
  if (reading.isOther) return
  if (UK.test(text)) reading.isUk = true
  else if (ELSEWHERE.test(text)) reading.isUk = false
  const figures = [...text.matchAll(FIGURE)]
  if (figures.length) readFigures(line, figures, reading)
  else if (!readTableRow(line, reading)) readHeading(line, reading)
}

/** Reads a line whose figures have units: `TWA (8 h): 50 ppm, 191 mg/m3`. */
function readFigures(line: SheetLine, found: readonly RegExpExecArray[], reading: Reading): void {
  const periods = [...line.text.matchAll(PERIOD)].map((m) => ({
    at: m.index,
    period: (m[1] ? 'long' : 'short') as Period,
  }))
  const isAfter = (periods[0]?.at ?? -1) > (found[0]?.index ?? 0)
  const start = Math.min(found[0]?.index ?? 0, periods[0]?.at ?? Number.POSITIVE_INFINITY)
  const row = rowFor(line, line.text.slice(0, start), reading)
  const last = periods.at(-1)
  for (const figure of found) {
    const own = isAfter ? periods.find(({ at }) => at > figure.index) : periods.findLast(({ at }) => at < figure.index)
    const period = own?.period ?? reading.period
    if (!period)
      row.notes.add(
        'The line does not say whether the limit is for 8 hours or 15 minutes. It is shown as an 8-hour limit. Check it.',
      )
    const unit: Unit = /^(?:ppm|ml)/i.test(figure[3] ?? '') ? 'Ppm' : 'MgM3'
    addFigure(row, `${period ?? 'long'}${unit}`, figure[1] ?? '', figure[2])
  }
  if (last) reading.period = last.period
}

/** Reads a row of bare figures below a heading with units: `Ethanol 1000 1920 - -`. */
function readTableRow(line: SheetLine, reading: Reading): boolean {
  const columns = reading.columns ?? columnsOf(reading.heading)
  if (!columns) return false
  const words = cellsOf(line).flatMap((cell) => cell.split(' '))
  const cells = words.slice(-columns.length).map((word) => BARE.exec(word))
  const isRow = words.length >= columns.length && cells.every(Boolean) && cells.some((cell) => cell?.[1])
  if (!isRow) return false
  reading.columns = columns
  const row = rowFor(line, words.slice(0, -columns.length).join(' '), reading)
  for (const [i, name] of columns.entries()) {
    const [, digits, decimals] = cells[i] ?? []
    if (digits) addFigure(row, name, digits, decimals)
  }
  row.notes.add('Read from the columns of a table. Check each figure against its column.')
  return true
}

const HEADING_LINES = 4

/** Returns the columns in the heading of a table: units, each below the period that precedes it. */
function columnsOf(heading: readonly SheetLine[]): Columns | undefined {
  const text = heading.map((line) => line.text).join(' ')
  const units = [...text.matchAll(/\bppm\b|\bmg ?\/ ?m3/gi)].map(([unit]): Unit => (/^p/i.test(unit) ? 'Ppm' : 'MgM3'))
  const periods = [...text.matchAll(PERIOD)].map((m): Period => (m[1] ? 'long' : 'short'))
  const order = [...new Set(periods)]
  if (units.length < 2 || units.length % 2 || order.length !== units.length / 2) return undefined
  if (units.length > 2 && units[0] === units[1]) return undefined
  return units.map((unit, i): Columns[number] => `${order[Math.floor(i / 2)] ?? 'long'}${unit}`)
}

function readHeading(line: SheetLine, reading: Reading): void {
  reading.columns = undefined
  reading.heading = [...reading.heading, line].slice(-HEADING_LINES)
  const period = [...line.text.matchAll(PERIOD)].at(-1)
  if (period) reading.period = period[1] ? 'long' : 'short'
  else {
    const name = isHeading(line) ? '' : agentOf(line.text)
    if (!name) return
    reading.agent = { name, line }
    reading.period = undefined
  }
}

/** Returns the name of a substance at the beginning of a row; empty if there is none. */
function agentOf(text: string): string {
  const [before = ''] = text.split(CAS, 1)
  const words = before
    .replaceAll('\t', ' ')
    .replace(/ ?\([^()]{0,40}\)/g, '')
    .replace(/\b(?:cas|ec|wels?|eh40(?:\/\d{4})?|uk|gb|no|number|oels?)\b\.?:?/gi, '')
    .replace(/^(?:substance|component|ingredient|agent|name) ?:/i, '')
    .replace(/[ :;,.(|/-]{1,8}$/, '')
    .trim()
    .replaceAll('  ', ' ')
  return words.length > 2 &&
    words.length <= 100 &&
    /\p{L}{3}/u.test(words) &&
    !NO_AGENT.test(words) &&
    words.search(ELSEWHERE) !== 0
    ? words
    : ''
}

/** Returns the row that a line continues, or a new row. */
function rowFor(line: SheetLine, before: string, reading: Reading): LimitRow {
  const own = agentOf(before)
  const name = own || reading.agent?.name || ''
  const last = reading.rows.at(-1)
  const near = last?.lines.at(-1)
  if (
    last &&
    near &&
    last.agent === name &&
    last.isUk === reading.isUk &&
    near.page >= line.page - 1 &&
    !isFull(last)
  ) {
    if (near !== line) last.lines.push(line)
    return last
  }
  const row: LimitRow = {
    agent: name,
    figures: {},
    lines: !own && reading.agent ? [reading.agent.line, line] : [line],
    notes: new Set(),
    isUk: reading.isUk,
  }
  if (own) reading.agent = { name: own, line }
  if (!name) row.notes.add('The line names no substance. Enter the substance that the limit covers.')
  if (reading.isUk === false)
    row.notes.add('This seems to be a limit of another country. Check before you use it as a UK limit.')
  if (reading.isUk === undefined) row.notes.add('The sheet does not say that this is a UK limit. Check it in EH40.')
  reading.rows.push(row)
  return row
}

const isFull = ({ figures, lines }: LimitRow) => Object.keys(figures).length === 4 || lines.length >= 6

function addFigure(row: LimitRow, name: Columns[number], digits: string, decimals = ''): void {
  const whole = digits.replaceAll(' ', '')
  const isThousands = decimals.length === 4 && decimals.startsWith(',') && whole !== '0' && whole.length <= 3
  const value = Number(isThousands ? whole + decimals.slice(1) : `${whole}${decimals.replace(',', '.')}`)
  if (isThousands || digits.includes(' ') || (decimals.length === 4 && whole !== '0'))
    row.notes.add(`Read as ${value}. Check the figure: the comma, point or space in it can mark decimals or thousands.`)
  const before = row.figures[name]
  if (before !== undefined && before !== value) {
    row.notes.add(
      `The sheet also states ${value} ${name.endsWith('Ppm') ? 'ppm' : 'mg/m³'}. Check which limit applies.`,
    )
    return
  }
  row.figures[name] = value
}
