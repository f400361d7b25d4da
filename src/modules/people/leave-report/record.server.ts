import { date } from '#kernel/fields.ts'
import { formatIsoDateAsUk, formatUkDateTime, londonDate } from '#kernel/time.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseYearParameter, readLeaveBalances } from '../leave/balances.server.ts'
import { readLeaveSettings } from '../leave/history.server.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { LEAVE_PART_OPTIONS, type LeaveEntry, leaveEntry } from '../leave/leave-entry.ts'
import { leaveRequest } from '../leave/leave-request.ts'
import { CARRY_OVER_REASONS } from '../leave-rules/carry-over.ts'
import { LEDGER_KINDS } from '../leave-rules/leave-history.ts'
import { type LeaveYear, leaveYearOf } from '../leave-rules/leave-year.ts'
import { sumMinutes } from '../leave-rules/ledger.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { csvResponse, toHours } from './csv.server.ts'
import { type LeaveTables, leavePdfResponse, numberHead, textHead } from './leave-pdf.server.ts'

/** Years for which regulation 16B requires the record. */
const RETENTION_YEARS = 6
/** More requests than an employee has in a year. */
const MAX_OTHERS = 400

const labelOf = (
  options: readonly { readonly value: string; readonly label: string }[],
  value: string | null,
): string => options.find((one) => one.value === value)?.label ?? ''

/** Returns a name with the letters that every system accepts in a file name. */
const toFileName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\w -]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
    .toLowerCase()

/** Record of leave of an employee and leave year, as regulation 16B requires it. */
interface LeaveRecord {
  readonly name: string
  readonly year: LeaveYear
  /** Figures that the regulation names, in hours. */
  readonly figures: readonly (readonly [string, number])[]
  readonly entries: readonly LeaveEntry[]
  /** Approved leave of other kinds that the reader may see. */
  readonly others: readonly OtherLeave[]
}

interface OtherLeave {
  readonly kind: { readonly name: string }
  readonly firstDay: string
  readonly lastDay: string
}

const TITLE = 'Record of annual leave, regulation 16B of the Working Time Regulations 1998'
const STORED_FOR = `${RETENTION_YEARS} years`
const ENTRY_HEADS = [
  'Recorded at',
  'Kind',
  'Rule',
  'Minutes',
  'Day',
  'Use by',
  'Formula',
  'Reason',
  'Recorded by',
] as const

/** Returns the figures that regulation 16B names, in hours. */
function recordFigures(entries: readonly LeaveEntry[], taken: number): (readonly [string, number])[] {
  const sum = (keep: (one: LeaveEntry) => boolean) => toHours(sumMinutes(entries.filter(keep)))
  const byPart = (title: string, of: LeaveEntry['kind']) =>
    LEAVE_PART_OPTIONS.map(
      ({ value, label }) => [`${title}: ${label}`, sum(({ kind, part }) => kind === of && part === value)] as const,
    )
  return [
    ...byPart('Entitlement', 'entitlement'),
    ...byPart('Carried over', 'carryOver'),
    ['Adjusted', sum(({ kind }) => kind === 'adjustment')],
    ['Bank holidays that count towards the entitlement', -sum(({ kind }) => kind === 'bankHoliday') || 0],
    ['Taken: approved leave that has started', toHours(taken)],
    ['Paid in lieu', -sum(({ kind }) => kind === 'payInLieu') || 0],
    ['Left, with approved leave to come and requests that wait deducted', sum(() => true)],
  ]
}

const OTHER_TITLE = 'Other leave, not deducted'
const OTHER_HEADS = ['Kind', 'First day', 'Last day'] as const

const otherCells = ({ kind, firstDay, lastDay }: OtherLeave) => [
  kind.name,
  formatIsoDateAsUk(firstDay),
  formatIsoDateAsUk(lastDay),
]

const yearText = ({ from, until }: LeaveYear) => `${formatIsoDateAsUk(from)} to ${formatIsoDateAsUk(until)}`

const entryCells = (one: LeaveEntry) => [
  formatUkDateTime(Temporal.Instant.from(one.createdAt)),
  labelOf(LEDGER_KINDS, one.kind),
  labelOf(LEAVE_PART_OPTIONS, one.part),
  one.minutes,
  one.day ? formatIsoDateAsUk(one.day) : '',
  one.expiresOn ? formatIsoDateAsUk(one.expiresOn) : '',
  one.formula,
  [labelOf(CARRY_OVER_REASONS, one.carryReason), one.reason].filter(Boolean).join(': '),
  one.author ?? '',
]

/** Returns the figures, then every row of the ledger from which they are added up. */
const recordRows = ({ name, year, figures, entries, others }: LeaveRecord) => [
  [TITLE],
  ['Employee', name],
  ['Leave year', yearText(year)],
  ['To be stored for', STORED_FOR],
  [],
  ['Figure', 'Hours'],
  ...figures,
  [],
  [...ENTRY_HEADS],
  ...entries.map(entryCells),
  ...(others.length ? [[], [OTHER_TITLE], [...OTHER_HEADS], ...others.map(otherCells)] : []),
]

/** Returns the same record as tables of a PDF. */
export const recordTables = ({ name, year, figures, entries, others }: LeaveRecord): LeaveTables => ({
  title: `Record of annual leave: ${name}`,
  wide: true,
  facts: [
    { label: 'Employee', value: name },
    { label: 'Leave year', value: yearText(year) },
    { label: 'To be stored for', value: STORED_FOR },
  ],
  tables: [
    {
      title: 'Figures',
      heads: [textHead('Figure'), numberHead('Hours')],
      rows: figures.map(([label, hours]) => [label, String(hours)]),
    },
    {
      title: 'Rows of the ledger',
      heads: ENTRY_HEADS.map((label) => (label === 'Minutes' ? numberHead(label) : textHead(label))),
      rows: entries.map((one) => entryCells(one).map(String)),
    },
    ...(others.length ? [{ title: OTHER_TITLE, heads: OTHER_HEADS.map(textHead), rows: others.map(otherCells) }] : []),
  ],
  notes: [`${TITLE}.`],
})

/** Reads approved leave of other kinds that touches a leave year, under the reader's rights. */
async function readOthers({ engine, me }: RouteContext, id: number, { from, until }: LeaveYear): Promise<OtherLeave[]> {
  const query = {
    employee: String(id),
    deducted: 'false',
    state: 'approved',
    'lastDay[after]': from,
    'firstDay[before]': until,
    'order[firstDay]': 'asc',
  }
  const { members } = await engine.list(leaveRequest, me, query, { limit: MAX_OTHERS, offset: 0 }, { count: false })
  return [...members]
}

/** Reads the record of an employee whose leave the reader may read. */
async function readRecord(c: RouteContext): Promise<LeaveRecord> {
  const { engine, me, actor, params, now } = c
  const { clientId } = me
  const id = await engine.idOf(leaveAccount, actor, params.id)
  const { name } = await engine.one(leaveAccount, actor, id)
  const today = londonDate(now).toString()
  const asked = parseYearParameter(c, today)
  const { yearStartsOn } = await engine.readIn(clientId, 'the rules of leave are known to all', (read) =>
    readLeaveSettings(read, clientId),
  )
  const year = leaveYearOf(asked, yearStartsOn)
  const others = await readOthers(c, id, year)
  return engine.db.tx({ clientId }, (tx) =>
    engine.readIn(clientId, 'the record of an employee whose leave the reader may read', async (read) => {
      const entries = await read.find(leaveEntry, { employee: id, year: year.from })
      const [balance] = await readLeaveBalances(tx, clientId, year.from, [id], today)
      return { name, year, figures: recordFigures(entries, balance?.taken ?? 0), entries, others }
    }),
  )
}

const fileName = ({ name, year }: LeaveRecord, type: string) =>
  `leave-record-${toFileName(name)}-${year.from.slice(0, 4)}.${type}`

const ofRecord = {
  method: 'GET',
  allow: EMPLOYEE_READER_ROLES,
  query: { year: date({ help: 'A day of the leave year; today if left out.' }) },
} as const

/** The record of leave that an employer must be able to show for each worker and year. */
export const recordRoutes: readonly Route[] = [
  {
    ...ofRecord,
    path: `${leaveAccount.url}/{id}/record.csv`,
    title: 'Download the record of leave of an employee and leave year (regulation 16B)',
    file: ['text/csv'],
    handle: async (c) => {
      const record = await readRecord(c)
      return csvResponse(fileName(record, 'csv'), recordRows(record))
    },
  },
  {
    ...ofRecord,
    path: `${leaveAccount.url}/{id}/record.pdf`,
    title: 'Get the record of leave of an employee and leave year (regulation 16B) as a PDF file',
    file: ['application/pdf'],
    handle: async (c) => {
      const record = await readRecord(c)
      return leavePdfResponse(c, fileName(record, 'pdf'), recordTables(record))
    },
  },
]
