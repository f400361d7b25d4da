import { z } from 'zod'
import type { Currency } from '#kernel/money.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { mapInSlices } from '#server/slices.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { bankLine, bankStatement, type StatementMapping } from './bank-line.ts'
import { compareWithEarlierLines, computeBankStatementLineKeys, type EarlierBankLine } from './earlier-lines.server.ts'
import { loadOpenInvoices, loadPayers } from './match.server.ts'
import { type BankMatch, findMatchFacts, matchBankLine } from './match.ts'
import type { BankStatementLine, ParsedBankStatement } from './statement-lines.ts'
import { parseUpload, STATEMENT_INPUT, withUpload } from './statement-upload.server.ts'

const IMPORT_REASON = 'import a bank statement'

/** Maximum number of days between a bank line and a manually recorded payment that may be the same payment. */
const NEAR_DAYS = 5
/** Maximum number of problems saved per statement. */
const MAX_PROBLEMS = 50
/** Number of lines that are matched and saved together. */
const LINES_PER_PORTION = 1000

/** Bank transfers that were recorded manually near the statement's days and are not linked to a bank line. */
const BY_HAND = `SELECT h.id::int, h.customer_id::int AS customer, h.amount::int, h.currency, (h.received_at AT TIME ZONE '${LONDON_TIME_ZONE}')::date::text AS day
  FROM charge h WHERE h.client_id = $1 AND h.method = 'bank' AND h.state = 'succeeded' AND h.received_at BETWEEN $2::date - ${NEAR_DAYS + 1} AND $3::date + ${NEAR_DAYS + 2}
    AND h.bank_line_id IS NULL ORDER BY h.id`
const EARLIER = `SELECT l.key, l.bank_id AS "bankId", l.day::text, l.amount::int, l.currency, l.reference, l.payer, s.name AS statement
  FROM bank_line l JOIN bank_statement s ON s.client_id = l.client_id AND s.id = l.statement_id
    JOIN (SELECT DISTINCT day, amount FROM unnest($2::date[], $3::bigint[]) m (day, amount)) m ON l.day = m.day AND l.amount = m.amount
  WHERE l.client_id = $1 ORDER BY l.id`

interface ManualPayment {
  readonly id: number
  readonly customer: number
  readonly amount: number
  readonly currency: Currency
  readonly day: string
}

/** Values of a statement that are saved with it and come from its file. */
interface StatementSource {
  readonly checksum?: string
  readonly mapping?: StatementMapping | undefined
  readonly headingsKey?: string
}

const daysBetween = (one: string, other: string) =>
  Math.abs(Temporal.PlainDate.from(one).until(other, { largestUnit: 'day' }).days)

/** A line that is in no earlier statement, with its key. */
interface NewLine {
  readonly line: BankStatementLine & { readonly currency: Currency }
  readonly key: string
  readonly similarTo: EarlierBankLine | undefined
}

/** Returns the lines that are in no earlier statement. */
async function findNewLines(c: Context, lines: readonly BankStatementLine[], currency: Currency): Promise<NewLine[]> {
  if (!lines.length) return []
  const keys = await computeBankStatementLineKeys(lines, currency)
  const earlier = await c.work.tx.rows<EarlierBankLine>(EARLIER, [
    c.clientId,
    lines.map(({ day }) => day),
    lines.map(({ amount }) => amount),
  ])
  const repeats = await compareWithEarlierLines(lines, keys, currency, earlier)
  return lines.flatMap((line, n) => {
    const repeat = repeats[n]
    const similarTo = typeof repeat === 'object' ? repeat.similarTo : undefined
    const key = keys[n] as string
    return repeat === 'known' ? [] : [{ line: { ...line, currency: line.currency ?? currency }, key, similarTo }]
  })
}

/** Manually recorded payments by currency and amount. */
type ManualPayments = ReadonlyMap<string, readonly ManualPayment[]>

async function loadManualPayments(c: Context, lines: readonly BankStatementLine[]): Promise<ManualPayments> {
  const days = lines.map(({ day }) => day).toSorted()
  const rows = await c.work.tx.rows<ManualPayment>(BY_HAND, [c.clientId, days[0], days.at(-1)])
  return Map.groupBy(rows, (payment) => `${payment.currency} ${payment.amount}`)
}

/** Returns the match unchanged, or marked as uncertain if the payment may have been recorded before. */
function markPossibleRepeat({ line, similarTo }: NewLine, match: BankMatch, manual: ManualPayments): BankMatch {
  const same = manual
    .get(`${line.currency} ${line.amount}`)
    ?.find(
      (one) =>
        daysBetween(one.day, line.day) <= NEAR_DAYS && (match.customer === null || one.customer === match.customer),
    )
  if (same)
    return {
      ...match,
      sure: false,
      why: `Payment ${same.id}, for the same amount, was recorded manually and may be the same payment`,
    }
  return similarTo
    ? {
        ...match,
        sure: false,
        why: `The statement “${similarTo.statement.slice(0, 100)}” has a payment of the same day and amount, which may be the same payment`,
      }
    : match
}

/** Saves lines, each with its match. */
async function saveLines(c: Context, statement: number, lines: readonly NewLine[]): Promise<void> {
  if (!lines.length) return
  const { tx } = c.work
  const payers = await loadPayers(tx, c.clientId)
  const manual = await loadManualPayments(
    c,
    lines.map(({ line }) => line),
  )
  for (let first = 0; first < lines.length; first += LINES_PER_PORTION) {
    const portion = await mapInSlices(lines.slice(first, first + LINES_PER_PORTION), (one) => ({
      ...one,
      amount: one.line.amount,
      facts: findMatchFacts(one.line, payers),
    }))
    const open = await loadOpenInvoices(tx, c.clientId, portion)
    const rows = await mapInSlices(portion, (one) => {
      const { sure, ...match } = markPossibleRepeat(one, matchBankLine(one.line, open, one.facts), manual)
      return { ...one.line, ...match, statement, key: one.key, state: sure ? ('proposed' as const) : ('open' as const) }
    })
    await c.withoutPermissionCheck(IMPORT_REASON).createAll(bankLine, rows)
  }
}

/**
 * Saves a statement and its new incoming lines, each with its match. Payments out, lines left out and lines of an
 * earlier statement are only counted. Returns the statement's ID.
 */
export async function importBankStatement(
  c: Context,
  name: string,
  currency: Currency,
  { lines, problems, leftOut = [] }: ParsedBankStatement,
  { checksum = '', mapping, headingsKey = '' }: StatementSource = {},
): Promise<number> {
  const incoming = lines.filter(({ amount }) => amount > 0)
  const fresh = await findNewLines(c, incoming, currency)
  const statement = await c.withoutPermissionCheck(IMPORT_REASON).create(bankStatement, {
    name,
    currency,
    lines: fresh.length,
    known: incoming.length - fresh.length,
    outgoing: lines.length - incoming.length,
    alike: fresh.filter(({ similarTo }) => similarTo).length,
    leftOut,
    mapping: mapping ?? null,
    headingsKey,
    checksum,
    problems: problems.slice(0, MAX_PROBLEMS),
  })
  const { id } = await statement.saved()
  await saveLines(c, id, fresh)
  return id
}

const answerFor = (made: { readonly '@id': string }) => new RouteResponse(201, made, { location: made['@id'] })

const stored = z.object({ id: z.int() })

export const importRoute: Route = {
  method: 'POST',
  path: bankStatement.url,
  title: 'Import a bank statement (CSV, OFX, QIF, CAMT.053 or MT940). New lines must then be confirmed',
  allow: FINANCE_ROLES,
  upload: true,
  input: STATEMENT_INPUT,
  refuses: [429, 503],
  isReplayOf: async (c, answer) => {
    const { id } = stored.parse(JSON.parse(answer))
    const statement = await c.engine.readIn(c.me.clientId, 'read a repeated upload', (reader) =>
      reader.get(bankStatement, id),
    )
    return withUpload(c, async ({ checksum }) => statement?.checksum === checksum)
  },
  handle: async (c) => {
    const { input, parsed, ...source } = await withUpload(c, async (upload) => ({
      ...(await parseUpload(c, upload)),
      input: upload.input,
      checksum: upload.checksum,
    }))
    return c.engine.inTenant(c.me.clientId, c.change<RouteResponse>(), async (unit) => {
      // Serialises imports, so that a file uploaded twice at the same time is imported only once.
      await unit.work.tx.rows('SELECT pg_advisory_xact_lock(hashtext($1), $2)', [bankStatement.table, unit.clientId])
      const id = await importBankStatement(unit, input.name, input.currency ?? 'GBP', parsed, source)
      return async () => answerFor(await c.engine.one(bankStatement, c.me, id))
    })
  },
}
