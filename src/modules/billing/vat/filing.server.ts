import { Problem, problem, violation } from '#kernel/errors.ts'
import { flag, integer } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf, RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { findLastLockedDay } from '../ledger/ledger.server.ts'
import { ledgerLock } from '../ledger/ledger.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import { browserInput, callWithAccess, toHmrcProblem } from './connection.server.ts'
import { freezeVatRows, loadBadDebts, loadVatFigures } from './figures.server.ts'
import { HmrcError } from './hmrc.server.ts'
import {
  buildHmrcReturn,
  differentBoxes,
  figuresOfHmrcReturn,
  type HmrcBrowserFacts,
  type HmrcObligation,
} from './hmrc.ts'
import { type HmrcReceipt, type HmrcReturn, type VatFigures, vatBadDebt, vatReturn } from './vat-return.ts'

type ReturnRow = RowOf<typeof vatReturn>

const uk = formatIsoDateAsUk

/** Closes the books up to a day. From then on, nothing can be posted that would change the figures. */
async function closePeriod(c: Context, through: string): Promise<void> {
  const locked = await findLastLockedDay(c)
  if (locked !== undefined && through <= locked) return
  await (await c.create(ledgerLock, { through })).saved()
}

function assertSeen(figures: VatFigures, seen: number): void {
  if (figures[5] === seen) return
  throw problem.conflict(
    `Box 5 is now ${formatMoney(figures[5], 'GBP')}, not ${formatMoney(seen, 'GBP')}. Check the figures again. Nothing was filed.`,
    'preview_outdated',
  )
}

/** Throws 409 if a debt has been paid or credited since its relief was calculated. */
async function assertClaimsCurrent(c: Context, row: ReturnRow): Promise<void> {
  const claims = await c.find(vatBadDebt, { vatReturn: row.id })
  const debts = claims.length ? await loadBadDebts(c.work.tx, c.clientId, row) : []
  for (const claim of claims) {
    const debt = debts.find((one) => one.invoice === claim.invoice)
    if (debt?.amount !== claim.amount)
      throw problem.conflict(
        `The bad debt of ${formatMoney(claim.amount, 'GBP')} VAT has changed since it was claimed. Remove the claim, and claim it again.`,
      )
  }
}

async function assertTurn(c: Context, row: ReturnRow): Promise<void> {
  if (row.to >= londonDate(c.now).toString())
    throw problem.conflict(`The period ends on ${uk(row.to)}. File the return after that day.`)
  const open = (await c.find(vatReturn, { state: ['draft', 'sending'] })).find((one) => one.to < row.from)
  if (open) throw problem.conflict(`File the return for ${uk(open.from)} to ${uk(open.to)} first.`)
}

const MINUTES_IN_FLIGHT = 2

/** Throws 409 while a request to HMRC may still be in progress. */
function assertAnswered(row: ReturnRow, now: Context['now']): void {
  if (row.state !== 'sending' || row.submissionMessage || !row.submittedAt) return
  if (Temporal.Instant.compare(Temporal.Instant.from(row.submittedAt).add({ minutes: MINUTES_IN_FLIGHT }), now) > 0)
    throw problem.conflict('The return is being sent to HMRC. Wait two minutes, then try again.')
}

const filedBy = (c: Context) => ({ filedBy: authorOf(c.actor).username, filedAt: c.now.toString() })

/** Records a return that was filed with other software: closes its period, and freezes its figures and rows. */
export async function fileByHand(
  c: Context,
  row: ReturnRow,
  input: { filedOn: string | null; netVatDue: number | null },
) {
  const today = londonDate(c.now).toString()
  assertAnswered(row, c.now)
  await assertTurn(c, row)
  if (!input.filedOn || input.filedOn > today || input.filedOn <= row.to)
    throw problem.invalid([violation('filedOn', `Please enter a date after ${uk(row.to)}, up to today`)])
  await closePeriod(c, row.to)
  const figures = await freezeVatRows(c.work.tx, c.clientId, row)
  await assertClaimsCurrent(c, row)
  assertSeen(figures, Number(input.netVatDue))
  return { state: 'filed' as const, figures, filedOn: input.filedOn, submissionMessage: '', ...filedBy(c) }
}

/** Result of sending or checking a return. `unknown`: HMRC may have it. */
type Outcome =
  | { readonly is: 'filed'; readonly on: string; readonly receipt: HmrcReceipt | null; readonly message: string }
  | { readonly is: 'refused' | 'unknown'; readonly message: string }

const NOTHING_FILED = 'Nothing was filed.'

/** Locks the books of a period without closing them, stores the JSON that will be sent, and returns it. */
async function prepare(c: Context, id: number, periodKey: string, seen: number): Promise<HmrcReturn> {
  const row = await c.lock(vatReturn, id)
  assertDraft(row)
  await assertTurn(c, row)
  // Waits for postings in progress. Later ones are refused while the return is unconfirmed.
  await c.work.tx.rows("SELECT pg_advisory_xact_lock(hashtext('ledger_lock'), $1)", [c.clientId])
  const figures = await loadVatFigures(c.work.tx, c.clientId, row)
  await assertClaimsCurrent(c, row)
  assertSeen(figures, seen)
  const submission = buildHmrcReturn(periodKey, figures)
  const sent = { submittedAt: c.now.toString(), submittedBy: authorOf(c.actor).username }
  const values = { state: 'sending' as const, periodKey, submission, submissionMessage: '', ...sent }
  await (await c.set(vatReturn, row, values, 'send')).saved()
  return submission
}

function assertDraft({ state }: Pick<ReturnRow, 'state'>): void {
  if (state === 'filed') throw problem.conflict('This VAT return is filed.', 'wrong_state')
  if (state === 'sending')
    throw problem.conflict(
      'This VAT return was sent to HMRC and is not confirmed. Choose “Check with HMRC” before you send it again.',
      'wrong_state',
    )
}

/** Stores the outcome. An accepted return is filed, even if its state has changed; a refused one is a draft again. */
async function settle(c: Context, id: number, submission: HmrcReturn, outcome: Outcome): Promise<void> {
  const row = await c.lock(vatReturn, id)
  if (row.state === 'filed') return
  const { message: submissionMessage } = outcome
  if (outcome.is !== 'filed') {
    if (row.state === 'sending')
      await c.set(
        vatReturn,
        row,
        { submissionMessage, ...(outcome.is === 'refused' ? { state: 'draft' as const } : {}) },
        outcome.is === 'refused' ? 'refuse' : 'doubt',
      )
    return
  }
  await closePeriod(c, row.to)
  await freezeVatRows(c.work.tx, c.clientId, row)
  const { on: filedOn, receipt } = outcome
  const { periodKey } = submission
  const sent = { periodKey, submission, submissionMessage, receipt, figures: figuresOfHmrcReturn(submission) }
  await c.set(vatReturn, row, { state: 'filed', filedOn, ...sent, ...filedBy(c) }, 'file')
}

interface Sending {
  readonly c: RouteContext
  readonly browser?: HmrcBrowserFacts | null | undefined
  readonly row: Pick<ReturnRow, 'from' | 'to'>
}

/** Returns HMRC's period with the same first and last day. A period that already has a return is not open. */
async function findObligation({ c, browser, row }: Sending): Promise<HmrcObligation | undefined> {
  for (const days of [undefined, row]) {
    const listed = await callWithAccess(c, browser, (service, access) => service.listObligations(access, days))
    const found = listed.find(({ start, end }) => start === row.from && end === row.to)
    if (found) return found
  }
  return undefined
}

/** Returns the outcome of a failed call, which may or may not have reached HMRC. */
const outcomeOf = (e: unknown, inDoubt: string): Outcome => {
  // The connection ended before the return was sent.
  if (e instanceof Problem) return { is: 'refused', message: `${e.message} ${NOTHING_FILED}` }
  if (!(e instanceof HmrcError)) throw e
  return e.isInDoubt
    ? { is: 'unknown', message: `${e.message} ${inDoubt}` }
    : { is: 'refused', message: `${e.message} ${NOTHING_FILED}` }
}

const UNKNOWN_IF_RECEIVED = 'It is not known whether HMRC has received the return. Choose “Check with HMRC”.'

/** Reads the return of a period back from HMRC, and compares it with the one that was sent. */
async function readBack(sending: Sending, sent: HmrcReturn, ifMissing: Outcome): Promise<Outcome> {
  const { c, browser, row } = sending
  const found = await callWithAccess(c, browser, (service, access) => service.findReturn(access, sent.periodKey))
  if (!found) return ifMissing
  const different = differentBoxes(found, sent)
  if (different.length)
    return {
      is: 'refused',
      message: `HMRC already has a return for this period, with other figures in ${different.length === 1 ? 'box' : 'boxes'} ${different.join(', ')}. Box 5 is ${formatMoney(Math.round(found.netVatDue * 100), 'GBP')} at HMRC. Nothing was filed by the portal. Compare the figures in your HMRC account, then record the return as filed.`,
    }
  const received = (await findObligation(sending).catch(() => undefined))?.received
  return {
    is: 'filed',
    on: received && received > row.to ? received : londonDate(c.now).toString(),
    receipt: null,
    message:
      'HMRC already had this return, with the same figures. It was not sent twice. HMRC shows no receipt for it.',
  }
}

async function send(sending: Sending, body: HmrcReturn, obligation: HmrcObligation): Promise<Outcome> {
  const { c, browser } = sending
  const already: Outcome = {
    is: 'unknown',
    message:
      'HMRC states that it already has a return for this period, but does not show it. Check the period in your HMRC account.',
  }
  if (obligation.status === 'F')
    return readBack(sending, body, already).catch((e: unknown) => outcomeOf(e, UNKNOWN_IF_RECEIVED))
  try {
    const receipt = await callWithAccess(c, browser, (service, access) => service.submitReturn(access, body))
    return { is: 'filed', on: dayOf(receipt.processingDate) ?? londonDate(c.now).toString(), receipt, message: '' }
  } catch (e) {
    if (!(e instanceof HmrcError && e.codes.includes('DUPLICATE_SUBMISSION'))) return outcomeOf(e, UNKNOWN_IF_RECEIVED)
    return readBack(sending, body, already).catch(
      (failed: unknown): Outcome => ({
        is: 'unknown',
        message: `${e.message} ${failed instanceof Error ? failed.message : ''} ${UNKNOWN_IF_RECEIVED}`,
      }),
    )
  }
}

/** Returns the London date of a time from HMRC, such as `2026-11-28T08:20:27.895+0000`. */
function dayOf(time: string): string | undefined {
  try {
    return londonDate(Temporal.Instant.from(time)).toString()
  } catch {
    return undefined
  }
}

type ReturnRecord = RecordOf<typeof vatReturn>

/** Stores the outcome and returns the record. Throws 409 if HMRC refused the return. */
async function settleIn(c: RouteContext, id: number, body: HmrcReturn, outcome: Outcome): Promise<ReturnRecord> {
  await c.engine.inTenant(c.me.clientId, writeBy(c), async (unit) => {
    await settle(unit, id, body, outcome)
    return () => undefined
  })
  if (outcome.is === 'refused') throw problem.conflict(outcome.message)
  return c.engine.one(vatReturn, c.me, id)
}

const writeBy = (c: RouteContext) => ({ actor: c.me, requestId: c.request.id })

const loadReturn = async (c: RouteContext): Promise<ReturnRow> => {
  const id = await c.engine.idOf(vatReturn, c.actor, c.params.id)
  const row = await c.engine.readIn(c.me.clientId, 'file a VAT return with HMRC', (unit) => unit.get(vatReturn, id))
  if (!row) throw problem.notFound()
  return row
}

const nothingFiled = (e: unknown): never => {
  throw e instanceof HmrcError ? toHmrcProblem(e, NOTHING_FILED) : e
}

interface SubmitInput {
  readonly netVatDue: number
  readonly declared: boolean
  readonly browser?: HmrcBrowserFacts | null | undefined
}

/** Sends a draft to HMRC. Transactions end before each call: the JSON is stored before it is sent, the outcome afterwards. */
async function submit(c: RouteContext, { netVatDue, declared, browser }: SubmitInput): Promise<ReturnRecord> {
  if (!declared) throw problem.invalid([violation('declared', 'Please confirm the declaration')])
  const row = await loadReturn(c)
  assertDraft(row)
  const sending = { c, browser, row }
  const obligation = await findObligation(sending).catch(nothingFiled)
  if (!obligation)
    throw problem.conflict(
      `HMRC expects no return for ${uk(row.from)} to ${uk(row.to)}. Compare the open periods on the page of VAT returns. ${NOTHING_FILED}`,
    )
  const body = await c.engine.inTenant(c.me.clientId, writeBy(c), async (unit) => {
    const made = await prepare(unit, row.id, obligation.periodKey, netVatDue)
    return () => made
  })
  return settleIn(c, row.id, body, await send(sending, body, obligation))
}

/** Checks whether HMRC has received an unconfirmed return. */
async function check(c: RouteContext, browser: HmrcBrowserFacts | null | undefined): Promise<ReturnRecord> {
  const row = await loadReturn(c)
  const { submission } = row
  if (row.state !== 'sending' || !submission)
    throw problem.conflict('This VAT return is not waiting for an answer of HMRC.', 'wrong_state')
  assertAnswered(row, c.now)
  const missing: Outcome = {
    is: 'refused',
    message: `HMRC has no return for this period. ${NOTHING_FILED} File the return again.`,
  }
  const outcome = await readBack({ c, browser, row }, submission, missing).catch((e: unknown) => {
    throw e instanceof HmrcError ? toHmrcProblem(e, 'It is still not known whether HMRC has received the return.') : e
  })
  return settleIn(c, row.id, submission, outcome)
}

const shared = {
  method: 'POST',
  allow: FINANCE_ROLES,
  pack: INVOICING_PACK,
  of: vatReturn,
  refuses: [409, 502],
} as const

export const filingRoutes: readonly Route[] = [
  routeWithInput(
    {
      /** Box 5 as the user saw it, in pence. */
      netVatDue: integer({ required: 'Please state box 5', pence: true, label: 'Box 5' }),
      declared: flag({ label: 'The information is true and complete' }),
      browser: browserInput,
    },
    {
      ...shared,
      path: `${vatReturn.url}/{id}/submit`,
      title: 'Send the return to HMRC. If HMRC accepts it, the period is closed and the figures are frozen',
      handle: (c) => submit(c, { ...c.input, declared: c.input.declared === true }),
    },
  ),
  routeWithInput(
    { browser: browserInput },
    {
      ...shared,
      path: `${vatReturn.url}/{id}/check`,
      title: 'Find out whether HMRC has received a return that was sent and is not confirmed',
      handle: (c) => check(c, c.input.browser),
    },
  ),
]
