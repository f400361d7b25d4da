import { problem, violation } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { readSignature, type SignatureValue, signatureProblems } from '#kernel/signature.ts'
import { type Instant, londonDate, ukDate } from '#kernel/time.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { Context } from '#server/engine/types.ts'
import { redeemCoupon, releaseCoupon } from '../coupons/redemption.server.ts'
import { describePayments } from '../lines/sum.ts'
import { closedQuoteSentence, quoteAcceptanceState } from '../print/state.ts'
import { billAcceptedQuote } from '../subscriptions/sell.server.ts'
import { type QuoteAcceptedPayload, quoteAccepted, quoteDeclined } from './events.ts'
import { addContactNote, type QuoteActions, updateLeadOfQuote } from './facts.server.ts'
import type { QuoteRow, QuoteValues } from './quote.ts'
import { quoteStatusId } from './status.ts'

/** Accepts by signature. Idempotent: a repeat changes nothing. */
export const acceptQuote: QuoteActions['accept'] = async (c) => {
  const { row, input, now } = c
  const given = checkedSignature(input.signature)
  if (isDecided(row, now, 'accepted')) return {}
  const words = `The customer accepted quote ${row.reference} (${describePayments(row)}), signed by ${given.name}.`
  const set = await close(c, row, words)
  const at = now.toString({ smallestUnit: 'second' })
  const signature = { ...given, at, address: input.address, agent: input.agent }
  return { set: { ...set, decidedBy: given.name, signature } }
}

/** Accepts by telephone: without a signature; records who took the call. */
export const acceptQuoteByPhone: QuoteActions['acceptByPhone'] = async (c) => {
  const { row, input, now } = c
  isDecided(row, now, 'accepted')
  const name = input.name.trim()
  if (!name) throw problem.invalid([violation('name', 'Please enter the name of the person who accepts')])
  const other = input.takenBy ? await c.get(staff, input.takenBy) : undefined
  const takenBy = other?.username ?? author(c.actor).username
  const poNumber = input.poNumber.trim()
  const order = poNumber ? `, purchase order ${poNumber}` : ''
  const words = `${name} accepted quote ${row.reference} (${describePayments(row)}) by telephone${order}; call taken by ${takenBy}.`
  return { set: { ...(await close(c, { ...row, poNumber }, words)), decidedBy: name, poNumber, takenBy } }
}

/** Effects of any acceptance. A quote that can't be billed is still accepted and waits to be converted. */
async function close(c: Context, row: QuoteRow, words: string): Promise<QuoteValues> {
  await redeemCoupon(c, row)
  await addContactNote(c, row, words)
  const decidedAt = c.now.toString()
  await updateLeadOfQuote(c, row, { wonAt: decidedAt, callbackDate: null, expiry: null }, 'won')
  await c.emit(quoteAccepted, eventOf(row, decidedAt))
  const sold = await c.attempt(() => billAcceptedQuote(c, row, { invoiced: false, poNumber: row.poNumber }))
  return { status: quoteStatusId('accepted'), decidedAt, ...('value' in sold ? { billedAt: decidedAt } : {}) }
}

/** Earliest start of the first period of an older quote. */
const FURTHEST_BACK_YEARS = 1

/** Bills a quote that was accepted without billing. Refused if it is already billed. */
export const convertQuote: QuoteActions['convert'] = async (c) => {
  const { row, input, now } = c
  if (row.billedAt !== null) throw problem.conflict(`${row.reference} has already been billed.`, 'wrong_state')
  const today = londonDate(now)
  if (input.start && input.start > today.toString())
    throw problem.invalid([violation('start', 'Please choose today or an earlier date')])
  if (input.start && input.start < today.subtract({ years: FURTHEST_BACK_YEARS }).toString())
    throw problem.invalid([violation('start', 'Please choose a date within the last year')])
  await billAcceptedQuote(c, row, {
    invoiced: input.invoiced,
    poNumber: row.poNumber,
    ...(input.start ? { start: input.start } : {}),
  })
  return { set: { billedAt: now.toString() } }
}

/** Declines with an optional reason. Idempotent, like accepting. */
export const declineQuote: QuoteActions['decline'] = async (c) => {
  const { row, now } = c
  const { reason, name } = c.input
  if (isDecided(row, now, 'declined')) return {}
  await releaseCoupon(c, row)
  await addContactNote(
    c,
    row,
    `The customer declined quote ${row.reference} (${describePayments(row)})${reason ? `: ${reason}` : '.'}`,
  )
  if (row.ownedBy) await c.emit(quoteDeclined, { quote: row.id, reason, name })
  return { set: { status: quoteStatusId('declined'), decidedAt: now.toString(), decidedBy: name, reason } }
}

/** Marks an open quote past its date as expired and notes it in the contact's timeline. */
export const expireQuote: QuoteActions['expire'] = async (c) => {
  const { row, now } = c
  if (row.state !== 'open' || row.expiresAt === null || quoteAcceptanceState(row, now) !== 'expired') return {}
  const day = ukDate(Temporal.Instant.from(row.expiresAt))
  await releaseCoupon(c, row)
  await addContactNote(c, row, `Quote ${row.reference} (${describePayments(row)}) expired on ${day} without an answer.`)
  return { set: { status: quoteStatusId('expired') } }
}

/** True if it has already been decided like this. Throws 409 with the status of a quote that can't be decided. */
function isDecided(row: QuoteRow, now: Instant, as: 'accepted' | 'declined'): boolean {
  const state = quoteAcceptanceState(row, now)
  if (state !== as && state !== 'open') throw problem.conflict(closedQuoteSentence(state, row))
  return state === as
}

function checkedSignature(value: unknown): SignatureValue {
  const given = readSignature(value)
  if (!given) throw problem.invalid([violation('signature', 'Please sign, or type your name')])
  const wrong = signatureProblems(given)
  if (wrong.length) throw problem.invalid(wrong.map((v) => ({ ...v, propertyPath: `signature.${v.propertyPath}` })))
  return given
}

const eventOf = (row: QuoteRow, acceptedAt: string): QuoteAcceptedPayload => ({
  ...row,
  quote: row.id,
  plans: row.plans.flatMap((line) => (line.plan === null ? [] : [{ ...line, plan: line.plan }])),
  acceptedAt,
})
