import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { authorOf } from '#kernel/roles.ts'
import { listNumbersOfField, parsePhoneNumbers, toE164 } from '#kernel/text/phone.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { BatchJob, BatchStep, BatchStepResult, RejectedItem } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact } from '../contacts/contact.ts'
import { crmNav } from '../nav.ts'
import { contactPerson } from '../people/person.ts'
import { callSettings, doNotCallNumber, screenedNumber, screening } from './do-not-call.ts'

/** Screening result for one number. `list` is empty if the number is on no register. */
interface ScreeningResult {
  readonly line: number
  readonly number: string
  readonly list: '' | 'TPS' | 'CTPS'
}

interface UnreadableScreeningLine {
  readonly line: number
  readonly said: string
  readonly wrong: string
}

const isScreeningResult = (l: ScreeningResult | UnreadableScreeningLine): l is ScreeningResult => 'number' in l

const CLEAR = /^(?:|n|no|none|clear|ok|false|0|not (?:registered|listed|found)|no match)$/
const ON_TPS = /^(?:y|yes|true|1|tps|registered|listed|match)$/

const NUMBER_HEADING = /phone|mobile|number|^tel|^cli$|^msisdn/i
const OTHER_NUMBER_HEADING = /id$|\bid\b|ref|record|account|company|reg/i
/** Share of a column's cells that must be telephone numbers, unless its heading names them. */
const LEAST_SHARE = 0.9
/** Number of rows, and of columns, that are examined to find the column of numbers. */
const SAMPLED_ROWS = 500
const MAX_COLUMNS = 50
const MAX_CELL_LENGTH = 60

/**
 * Finds the column with the number that was looked up: the only column whose heading says so, or else the only column
 * in which almost all cells contain telephone numbers. Returns a sentence if there is no such column, or several.
 */
function findNumberColumn(
  heading: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
): number | string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, at) => {
    const filled = rows.flatMap((row) => row[at]?.trim() || [])
    const title = heading?.[at] ?? ''
    return {
      at,
      share: filled.length ? filled.filter((cell) => toE164(cell)).length / filled.length : 0,
      isNamed: NUMBER_HEADING.test(title) && !OTHER_NUMBER_HEADING.test(title),
      isOther: OTHER_NUMBER_HEADING.test(title),
    }
  })
  const named = columns.filter((c) => c.isNamed && c.share > 0)
  const found = named.length ? named : columns.filter((c) => c.share >= LEAST_SHARE && !c.isOther)
  if (found.length === 1 && found[0]) return found[0].at
  return found.length
    ? 'Several columns contain telephone numbers. Remove all except the screened numbers, then import the file again.'
    : 'No column contains complete telephone numbers. Add the heading “Telephone” to the column of screened numbers, then import the file again.'
}

/**
 * Parses screening results in the formats used by screening bureaux. The result is "TPS", "CTPS", yes, no or blank;
 * under a heading "CTPS", yes means CTPS. Separators are commas, semicolons or tabs. Quotation marks are ignored.
 * Returns a sentence if it is unclear which column holds the number that was looked up.
 */
function parseScreening(csv: string): (ScreeningResult | UnreadableScreeningLine)[] | string {
  const lines = csv.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const separator =
    [',', ';', '\t'].toSorted((a, b) => (lines[0] ?? '').split(b).length - (lines[0] ?? '').split(a).length)[0] ?? ','
  const cells = (line: string) =>
    line.split(separator, MAX_COLUMNS).map((cell) =>
      cell
        .slice(0, MAX_CELL_LENGTH)
        .replaceAll('"', '')
        .trim()
        .replace(/^[='’]+/, ''),
    )
  const heading = cells(lines[0] ?? '')
  const hasHeading = !heading.some((cell) => toE164(cell))
  const rows = lines.slice(hasHeading ? 1 : 0).filter((line) => line.trim())
  const at = findNumberColumn(hasHeading ? heading : undefined, rows.slice(0, SAMPLED_ROWS).map(cells))
  if (typeof at === 'string') return at
  return lines.flatMap((text, n): (ScreeningResult | UnreadableScreeningLine)[] => {
    if (!text.trim() || (n === 0 && hasHeading)) return []
    const row = cells(text)
    const said = text.trim().slice(0, 60)
    const { numbers } = parsePhoneNumbers(row[at])
    if (numbers.length !== 1)
      return [
        {
          line: n + 1,
          said,
          wrong: 'The telephone number in this line is missing or incomplete, or there is more than one',
        },
      ]
    const answers = row.flatMap((cell, k) =>
      k === at ? [] : [{ cell: cell.toLowerCase(), under: hasHeading ? (heading[k] ?? '') : '' }],
    )
    const found = answers.map(({ cell, under }) => meaning(cell, under))
    const list = found.includes('CTPS')
      ? 'CTPS'
      : found.includes('TPS')
        ? 'TPS'
        : found.includes('') || !found.length
          ? ''
          : undefined
    return list === undefined
      ? [{ line: n + 1, said, wrong: 'The number must be followed by TPS, CTPS, yes, no or nothing' }]
      : [{ line: n + 1, number: numbers[0] ?? '', list }]
  })
}

/**
 * Returns the register that a cell and its column heading indicate; an empty string if the number is on no register;
 * `undefined` if the cell is not a screening result.
 */
function meaning(cell: string, under: string): ScreeningResult['list'] | undefined {
  if (cell === 'ctps') return 'CTPS'
  if (ON_TPS.test(cell)) return /ctps|corporate/i.test(under) ? 'CTPS' : 'TPS'
  return CLEAR.test(cell) ? '' : undefined
}

const PORTION = 500
const INPUT = z.object({ screening: z.int() })

/** Job that imports screening results in batches. Unreadable lines are reported with their line numbers. */
const screeningJob = defineBatchJob({
  kind: 'crm.screening',
  title: 'Import of TPS and CTPS results',
  queue: 'imports',
  oneAtATime: true,
  screen: crmNav.doNotCall.path,
  input: INPUT,
  cursor: z.int(),
  steps: portions,
  onFinished: async (c, run) => {
    if (run.state !== 'done') return
    const [row] = await c.lockAll(screening, { id: run.input.screening })
    if (row) await c.set(screening, row, { content: '' }, 'read')
  },
})

async function* portions(
  engine: Engine,
  run: BatchJob<z.output<typeof INPUT>>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  const { screening: id } = run.input
  const [file] = await engine.db.tx({ clientId: run.clientId }, (tx) =>
    tx.rows<{ content: string; day: string }>(
      'SELECT content, screened_on::text AS day FROM screening WHERE client_id = $1 AND id = $2',
      [run.clientId, id],
    ),
  )
  const lines = parseScreening(file?.content ?? '')
  if (typeof lines === 'string') throw problem.conflict(lines)
  for (let n = from ?? 0; n < lines.length; n += PORTION) {
    const some = lines.slice(n, n + PORTION)
    yield { cursor: n + PORTION, execute: (c) => takeLines(c, id, file?.day ?? '', some) }
  }
}

async function takeLines(
  c: Context,
  id: number,
  screenedOn: string,
  lines: readonly (ScreeningResult | UnreadableScreeningLine)[],
): Promise<BatchStepResult> {
  const good = lines.filter(isScreeningResult)
  const refused: RejectedItem[] = lines.flatMap((l) =>
    isScreeningResult(l) ? [] : [{ line: l.line, about: l.said, reason: l.wrong }],
  )
  const newer = await keepNewer(c, screenedOn, good)
  await bar(c, screenedOn, newer)
  const row = await c.lock(screening, id)
  const registered = good.filter((l) => l.list).length
  await c.set(
    screening,
    row,
    {
      rowsRead: row.rowsRead + lines.length,
      registered: row.registered + registered,
      clear: row.clear + good.length - registered,
      refused: row.refused + refused.length,
    },
    'read',
  )
  return { done: good.length, refused, tally: { registered } }
}

/**
 * Stores the latest result for each number and returns the stored results. Results older than those already stored are
 * ignored.
 */
async function keepNewer(c: Context, screenedOn: string, good: readonly ScreeningResult[]): Promise<ScreeningResult[]> {
  const last = [...new Map(good.map((l) => [l.number, l])).values()]
  const rows = await c.work.tx.rows<{ number: string }>(
    `INSERT INTO screened_number (client_id, number, screened_on, list) SELECT $1, u.number, $2::date, u.list FROM unnest($3::text[], $4::text[]) u(number, list)
     ON CONFLICT (client_id, number) DO UPDATE SET screened_on = excluded.screened_on, list = excluded.list
       WHERE screened_number.screened_on <= excluded.screened_on RETURNING number`,
    [c.clientId, screenedOn, last.map((l) => l.number), last.map((l) => l.list)],
  )
  c.work.touched.add('screened_number')
  const kept = new Set(rows.map((r) => r.number))
  return last.filter((l) => kept.has(l.number))
}

/**
 * Blocks numbers that are on a register, and unblocks those no longer on one. Opt-outs made by the person themselves
 * are not affected.
 */
async function bar(c: Context, screenedOn: string, answers: readonly ScreeningResult[]): Promise<void> {
  const known = await c.lockAll(doNotCallNumber, {
    number: answers.map((a) => a.number),
    source: ['TPS', 'CTPS'],
    state: 'in force',
  })
  // A block lifted by hand means that the subscriber has agreed to calls, so a register does not block the number
  // again.
  const agreed = (await c.find(doNotCallNumber, { number: answers.map((a) => a.number), state: 'lifted' })).filter(
    (row) => row.source !== 'objection' && row.liftedBy,
  )
  const has = (rows: readonly { number: string; source: string }[], a: ScreeningResult) =>
    rows.some((row) => row.number === a.number && row.source === a.list)
  const list = new Map(answers.map((a) => [a.number, a.list]))
  for (const row of known)
    if (list.get(row.number) !== row.source)
      await c.set(
        doNotCallNumber,
        row,
        {
          state: 'lifted',
          liftedAt: c.now.toString(),
          liftedBy: '',
          liftedReason: `Not on the ${row.source} when screened on ${screenedOn}`,
        },
        'lift',
      )
  const unit = c.withoutPermissionCheck('a screening blocks registered numbers')
  for (const answer of answers)
    if (answer.list && !has(known, answer) && !has(agreed, answer))
      await unit.create(doNotCallNumber, {
        number: answer.number,
        source: answer.list,
        reason: `On the ${answer.list} when screened on ${screenedOn}`,
      })
}

const screeningBehaviour = behaviour(screening, {
  beforeSave: ({ before, now, values: { screenedOn, content } }) => {
    if (before) return
    if (screenedOn && Temporal.PlainDate.compare(screenedOn, londonDate(now)) > 0)
      throw problem.invalid([violation('screenedOn', 'This date is in the future')])
    const lines = content ? parseScreening(content) : []
    if (typeof lines === 'string') throw problem.invalid([violation('content', lines)])
  },
  afterSave: async (c) => {
    if (c.before) return
    const { id } = await c.written.saved()
    const run = await startBatchJob(c, screeningJob, { screening: id })
    await c.set(screening, await c.lock(screening, id), { run }, 'start')
  },
})

const IN_FORCE = 'in force'

/** Returns the numbers of a lead and its contact people, in E.164 format. */
async function numbersOf(c: Context, lead: number): Promise<string[]> {
  await c.work.flush()
  const [found] = await c.work.tx.rows<{ numbers: string[] | null }>('SELECT lead_numbers($1, $2) AS numbers', [
    c.clientId,
    lead,
  ])
  return found?.numbers ?? []
}

/** Returns whether any of a lead's numbers is on the do-not-call list. */
export async function isDoNotCallLead(c: Context, lead: number): Promise<boolean> {
  const numbers = await numbersOf(c, lead)
  return numbers.length > 0 && c.exists(doNotCallNumber, { number: numbers, state: IN_FORCE })
}

const lifted = (c: Context, liftedReason: string) => ({
  liftedAt: c.now.toString(),
  liftedBy: authorOf(c.actor).username,
  liftedReason,
})

const doNotCallBehaviour = behaviour(doNotCallNumber, {
  beforeSave: async (c) => {
    if (c.before) return undefined
    const { numbers, unreadable } = parsePhoneNumbers(c.values.number)
    const [number] = numbers
    if (!number || numbers.length > 1 || unreadable.length)
      throw problem.invalid([
        violation('number', 'Please enter one complete telephone number, with area code or country code'),
      ])
    if (await c.exists(doNotCallNumber, { number, source: c.values.source ?? 'objection', state: IN_FORCE }))
      throw problem.invalid([violation('number', 'This number is already on the list', 'duplicate')])
    return { number }
  },
  actions: {
    lift: (c) => ({ set: lifted(c, c.input.reason) }),
  },
})

/**
 * Returns why a number must be screened before it is called, or `undefined` if it may be called. The registers cover
 * numbers in the United Kingdom. A registration takes effect after 28 days (SI 2003/2426, regulation 21(3)). A
 * screening is therefore valid for at most 28 days. The provider sets the number of days (`days`), and the telephone
 * number is locked from the day after that. Days are counted in London time.
 */
function findNumberLockReason(
  number: string,
  screenedOn: string | undefined,
  days: number,
  today: Temporal.PlainDate,
): string | undefined {
  if (!number.startsWith('+44')) return undefined
  if (!screenedOn) return 'This number has never been screened against the TPS and CTPS'
  const ago = Temporal.PlainDate.from(screenedOn).until(today, { largestUnit: 'days' }).days
  return ago > days ? `This number was last screened ${ago} days ago` : undefined
}

const DEFAULT_SCREENING_DAYS = callSettings.fields.screeningDays.default ?? 28

const UNREADABLE_NUMBER =
  'This field contains an incomplete or unreadable number. Correct it, so that its numbers can be screened against the TPS and CTPS'

/**
 * Route that returns the numbers of a lead and its people that are locked because they were not screened recently or
 * can't be read. The list is empty if the provider does not screen numbers.
 */
const lockedNumbersRoute: Route = {
  method: 'GET',
  path: `${contact.url}/{id}/locked-numbers`,
  title: 'Get a lead’s numbers that must be screened before they can be called',
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const id = await c.engine.idOf(contact, c.actor, c.params.id)
    const lead = await c.engine.one(contact, c.actor, id)
    const found = await c.engine.readIn(
      c.me.clientId,
      'staff need to know which numbers they may call',
      async (unit) => {
        const [settings] = await unit.find(callSettings, {})
        if (settings?.screens === false) return []
        const days = settings?.screeningDays ?? DEFAULT_SCREENING_DAYS
        const people = await unit.find(contactPerson, { contact: id, retired: false })
        const fields = [lead.phone, lead.mobile, ...people.flatMap((p) => [p.telephone, p.mobile])]
        const screened = await unit.find(screenedNumber, {
          number: fields.flatMap((f) => parsePhoneNumbers(f).numbers),
        })
        const on = new Map(screened.map((s) => [s.number, s.screenedOn]))
        return fields.flatMap((field) =>
          listNumbersOfField(field).flatMap((number) => {
            const key = toE164(number)
            const why =
              !key || parsePhoneNumbers(field).unreadable.length
                ? UNREADABLE_NUMBER
                : findNumberLockReason(key, on.get(key), days, londonDate(c.now))
            return why ? [{ number, why }] : []
          }),
        )
      },
    )
    return { locked: found }
  },
}

export const doNotCall = feature({
  resources: [doNotCallNumber, screening, screenedNumber, callSettings],
  behaviours: [doNotCallBehaviour, screeningBehaviour],
  routes: [lockedNumbersRoute],
  batchJobs: [screeningJob],
})
