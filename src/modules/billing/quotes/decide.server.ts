import { hash } from 'node:crypto'
import { problem, violation } from '#kernel/errors.ts'
import type { Currency } from '#kernel/money.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { parseSignature, type SignatureValue, signatureProblems } from '#kernel/signature.ts'
import { formatUkDate, type Instant, londonDate } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { addNoteToContact } from '#modules/crm/contacts/note.server.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { foldLookAlikes } from '#modules/identity/people/look-alikes.ts'
import { user } from '#modules/identity/people/user.ts'
import type { ResourceBehaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import type { coupon } from '../catalogue/coupon.ts'
import { type CouponTerms, type QuoteDiscount, quoteDiscountTerms } from '../catalogue/coupon-rules.ts'
import { redeemCoupon, releaseCoupon } from '../coupons/coupons.server.ts'
import { loadQuoteLinkOrigin } from '../emails/emails.server.ts'
import { lockCustomers } from '../ledger/ledger.server.ts'
import { computeQuoteTotalsOrThrow, type QuoteLineValues } from '../lines/lines.server.ts'
import type { QuoteLineLists } from '../lines/lines.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { describeClosedQuote, quoteAcceptanceState } from '../print/acceptance-state.ts'
import { INVOICING_FINANCE_ROLE } from '../rights.ts'
import { billAcceptedQuote } from '../subscriptions/sell.server.ts'
import { type QuoteAcceptedPayload, quoteAccepted, quoteDeclined } from './events.ts'
import type { QuoteRow, QuoteValues } from './quote.ts'
import { quote, quoteStatusId } from './quote.ts'

/** Returns a coupon's terms as they are saved with a quote. */
function termsOf(row: RowOf<typeof coupon>): CouponTerms {
  const { id: _id, clientId: _clientId, createdAt: _createdAt, ...terms } = row
  return terms
}

export type QuoteActionHandlers = NonNullable<ResourceBehaviour<typeof quote>['actions']>

export function toSavedQuoteTotals(
  quote: QuoteDiscount & { readonly currency: Currency; readonly taxPercent: number },
  lines: QuoteLineLists<QuoteLineValues>,
  found: RowOf<typeof coupon> | undefined,
): QuoteValues {
  const couponTerms = found ? termsOf(found) : quoteDiscountTerms(quote, quote.currency)
  const totals = computeQuoteTotalsOrThrow(quote, lines, couponTerms)
  if (!totals) return {}
  const { lines: _, ...sums } = totals
  return { total: sums.gross, totals: sums, couponTerms }
}

/** Returns the content of a quote without its history, to be copied to a new quote. */
export const copyableQuoteValues = ({
  customer,
  contact,
  company,
  coupon,
  discountPercent,
  discountAmount,
  discountDuration,
  discountPeriods,
  currency,
  taxPercent,
  billingCycleAnchor,
  prorate,
  sendEmail,
  emailTo,
  message,
  terms,
  plans,
  skus,
  additionalItems,
  pricedBy,
}: QuoteRow): QuoteValues => ({
  customer,
  contact,
  company,
  coupon,
  discountPercent,
  discountAmount,
  discountDuration,
  discountPeriods,
  currency,
  taxPercent,
  billingCycleAnchor,
  prorate,
  sendEmail,
  emailTo,
  message,
  terms,
  plans,
  skus,
  additionalItems,
  pricedBy,
})

/**
 * Adds a note for the owner to the timeline of the quote's contact, signed by the acting member of staff. If a customer
 * or a job acts, the note has no author.
 */
export async function addQuoteNoteToContact(c: Context, row: QuoteRow, notes: string): Promise<void> {
  if (row.contact !== null)
    await addNoteToContact(c, row.contact, { notes, user: row.owner, about: iriOf(quote, row.id) })
}

export const recordQuoteReminder = (c: Context, row: QuoteRow) =>
  c.set(quote, row, { remindedAt: [...(row.remindedAt ?? []), c.now.toString({ smallestUnit: 'second' })] }, 'remind')

/** Updates the quote's lead after the quote is sent or signed. */
export async function updateQuoteLead(
  c: Context,
  row: QuoteRow,
  set: ValuesOf<typeof contact>,
  verb: string,
): Promise<void> {
  if (row.contact === null) return
  const unit = c.withoutPermissionCheck('update a lead from its quote')
  await unit.set(contact, await unit.lock(contact, row.contact), set, verb)
}

/** Returns the SHA-256 of a quote as the customer reads it. None of these values changes after the quote is sent. */
function quoteDigest(row: QuoteRow): string {
  const { reference, company, currency, taxPercent, billingCycleAnchor, prorate, message, terms } = row
  const { total, totals, couponTerms, supplier } = row
  const lines = [...row.plans, ...row.skus, ...row.additionalItems].map((line) => [
    line.description,
    line.quantity,
    line.unitAmount,
    line.taxCode,
    line.taxPercent,
    line.discountable,
    line.interval,
    line.intervalCount,
    // Quotes signed before lines had discounts have the same digest as before.
    ...(line.discountPercent ? [line.discountPercent] : []),
  ])
  const heading = [reference, company, currency, taxPercent, billingCycleAnchor, prorate, message, terms]
  return hash('sha256', JSON.stringify([heading, lines, total, totals, couponTerms, supplier]), 'hex')
}

/**
 * Accepts a quote by signature. Idempotent, so a repeat changes nothing. If the quote has just been accepted by
 * telephone, the first signature is added to it.
 */
export const acceptQuote: QuoteActionHandlers['accept'] = async (c) => {
  const { row, input, now } = c
  const given = checkedSignature(input.signature)
  const isAccepted = isDecided(row, now, 'accepted')
  if (isAccepted && (row.signature || !row.takenBy)) return {}
  await refuseSeller(c, row, 'signature.name', given.name)
  const words = `The customer accepted quote ${row.reference} (${describeQuotePayments(row)}), signed by ${given.name}.`
  const set = isAccepted ? {} : { ...(await close(c, row, words)), decidedBy: given.name }
  const at = now.toString({ smallestUnit: 'second' })
  const signature = {
    ...given,
    at,
    address: input.address,
    agent: input.agent,
    ...(await loadQuoteLinkOrigin(c.withoutPermissionCheck('record the link of a signature'), input.link)),
    digest: quoteDigest(row),
  }
  return { set: { ...set, signature } }
}

/** Throws 422 if the customer's name looks like that of the quote's owner or creator, who may not decide on it. */
async function refuseSeller(c: Context, { ownedBy, createdBy }: QuoteRow, path: string, name: string): Promise<void> {
  const sellers = await c.find(user, { username: [ownedBy, createdBy] })
  const names = [ownedBy, createdBy, ...sellers.map((one) => one.name)].map(foldLookAlikes)
  if (foldLookAlikes(name) && names.includes(foldLookAlikes(name)))
    throw problem.invalid([
      violation(
        path,
        'A person with this name sent you the quote. If you have the same name, add your company after it',
      ),
    ])
}

/** Roles that may record an acceptance by telephone for a colleague, who then gets credit for the call. */
export const ROLES_NAMING_COLLEAGUES = ['ROLE_SALES_ADMIN', INVOICING_FINANCE_ROLE] as const

/**
 * Accepts a quote by telephone, without a signature, and records who took the call. Throws 403 if a colleague
 * took it and the actor has none of the roles above.
 */
export const acceptQuoteByPhone: QuoteActionHandlers['acceptByPhone'] = async (c) => {
  const { row, input, now } = c
  isDecided(row, now, 'accepted')
  const name = input.name.trim()
  if (!name) throw problem.invalid([violation('name', 'Please enter the name of the person who accepted the quote')])
  const other = input.takenBy ? await c.get(staff, input.takenBy) : undefined
  const { username } = authorOf(c.actor)
  const takenBy = other?.username ?? username
  if (takenBy !== username && !hasRole(c.actor, ROLES_NAMING_COLLEAGUES))
    throw problem.forbidden('Only a sales manager can record a call that a colleague took.')
  const poNumber = input.poNumber.trim()
  const order = poNumber ? `, purchase order ${poNumber}` : ''
  const words = `${name} accepted quote ${row.reference} (${describeQuotePayments(row)}) by telephone${order}; call taken by ${takenBy}.`
  return { set: { ...(await close(c, { ...row, poNumber }, words)), decidedBy: name, poNumber, takenBy } }
}

/**
 * Applies the effects of an acceptance, whether by signature or by telephone. A quote that can't be billed is still
 * accepted, and waits to be converted.
 */
async function close(c: Context, row: QuoteRow, words: string): Promise<QuoteValues> {
  // The customer is locked before the coupon and the lead, as everywhere.
  await lockCustomers(c, [row.customer], 'accept a quote')
  await redeemCoupon(c, row)
  await addQuoteNoteToContact(c, row, words)
  const decidedAt = c.now.toString()
  await updateQuoteLead(c, row, { wonAt: decidedAt, callbackDate: null, expiry: null }, 'won')
  await c.emit(quoteAccepted, eventOf(row, decidedAt))
  const sold = await c.attempt(() => billAcceptedQuote(c, row, { invoiced: false, poNumber: row.poNumber }))
  return { status: quoteStatusId('accepted'), decidedAt, ...('value' in sold ? { billedAt: decidedAt } : {}) }
}

/** Number of years by which an older quote's first period may start in the past. */
const FURTHEST_BACK_YEARS = 1

/**
 * Bills a quote that was accepted without billing. Throws 409 if the quote has already been billed, and 422 for an
 * invalid start date.
 */
export const convertQuote: QuoteActionHandlers['convert'] = async (c) => {
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

/** Declines a quote with an optional reason. Idempotent, like acceptance. */
export const declineQuote: QuoteActionHandlers['decline'] = async (c) => {
  const { row, now } = c
  const { reason, name } = c.input
  if (isDecided(row, now, 'declined')) return {}
  await refuseSeller(c, row, 'name', name)
  await releaseCoupon(c, row)
  await addQuoteNoteToContact(
    c,
    row,
    `The customer declined quote ${row.reference} (${describeQuotePayments(row)})${reason ? `: ${reason}` : '.'}`,
  )
  if (row.ownedBy) await c.emit(quoteDeclined, { quote: row.id, reason, name })
  return { set: { status: quoteStatusId('declined'), decidedAt: now.toString(), decidedBy: name, reason } }
}

/** Marks an open quote past its expiry date as expired, and notes this in the contact's timeline. */
export const expireQuote: QuoteActionHandlers['expire'] = async (c) => {
  const { row, now } = c
  if (row.state !== 'open' || row.expiresAt === null || quoteAcceptanceState(row, now) !== 'expired') return {}
  const day = formatUkDate(Temporal.Instant.from(row.expiresAt))
  await releaseCoupon(c, row)
  await addQuoteNoteToContact(
    c,
    row,
    `Quote ${row.reference} (${describeQuotePayments(row)}) expired on ${day} without an answer.`,
  )
  return { set: { status: quoteStatusId('expired') } }
}

/**
 * Returns whether the quote has already been decided in this way. Throws 409 with the quote's status if the quote can't
 * be decided.
 */
function isDecided(row: QuoteRow, now: Instant, as: 'accepted' | 'declined'): boolean {
  const state = quoteAcceptanceState(row, now)
  if (state !== as && state !== 'open') throw problem.conflict(describeClosedQuote(state, row))
  return state === as
}

function checkedSignature(value: unknown): SignatureValue {
  const given = parseSignature(value)
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
