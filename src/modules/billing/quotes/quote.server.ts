import { Problem, problem, violation } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import type { Currency } from '#kernel/money.ts'
import { idFromIri, type RowOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { ensureStaffRecordId } from '#modules/crm/staff/staff.server.ts'
import { staff, staffAccount } from '#modules/crm/staff/staff.ts'
import { findAccountRecord, isSamePerson } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { discountApprovalBehaviour, discountNotifications } from '../approvals/discount.server.ts'
import { coupon } from '../catalogue/coupon.ts'
import { findExcessDiscount, findQuoteDiscountProblems } from '../catalogue/coupon-rules.ts'
import { findCouponRedemptionRejectionReason } from '../coupons/coupons.server.ts'
import { findBuyerProblems } from '../customers/buyer.server.ts'
import { customer } from '../customers/customer.ts'
import { findOrCreateCustomerForLead } from '../customers/customer-from.server.ts'
import { loadQuoteSettings } from '../emails/emails.server.ts'
import { quoteSettings } from '../emails/settings.ts'
import { UNSET_LINE_VAT } from '../lines/line-vat.ts'
import {
  completeLinesFromCatalogue,
  findChargeableVatPercents,
  type QuoteLineValues,
  unknownVatRateMessage,
} from '../lines/lines.server.ts'
import { allQuoteLines, mapQuoteLineLists, type QuoteLineLists } from '../lines/lines.ts'
import { loadSupplier } from '../print/financial-document.server.ts'
import { INVOICING_PACK, STAFF_ROLE } from '../rights.ts'
import { forecastInvoices } from '../subscriptions/renewal.server.ts'
import { findQuoteTermProblems, quoteActionHandlers } from './actions.server.ts'
import { ROLES_NAMING_COLLEAGUES, toSavedQuoteTotals } from './decide.server.ts'
import {
  discountApproval,
  type QuoteRow,
  type QuoteValues,
  quote,
  quoteLine,
  quoteNumberSequence,
  quoteStatus,
  quoteStatusId,
} from './quote.ts'
import {
  clientSetupNotification,
  quoteDecidedNotification,
  quoteHandlers,
  quoteRoutes,
  quoteSchedules,
  unbilledQuoteNotification,
} from './routes.server.ts'

const TERMS =
  '<p>We sell to businesses only, not to consumers. By accepting, you confirm that you act in the course of a business.</p><p>Prices are in the currency shown. Plans are paid in advance for each period and continue until cancelled, with 30 days’ notice before the end of a period. We may change the price of a plan with at least 30 days’ notice by e-mail; the new price applies from the first period that begins after the notice, and you may cancel before then. One-off charges are due on acceptance.</p>' +
  '<p>If a payment is late, we may add interest and a fixed sum under the Late Payment of Commercial Debts (Interest) Act 1998.</p>'

/** The provider's default quote settings, which can be changed. */
const quoteReference: ReferenceData = {
  name: 'quotes',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const [settled] = await c.find(quoteSettings, {})
    if (!settled)
      await c.withoutPermissionCheck('add the default quote settings').create(quoteSettings, { terms: TERMS })
  },
}

type Save = Context & BeforeSaveInput<typeof quote>

const createQuoteBehaviour = behaviour(quote, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.state !== 'draft') throw problem.conflict(sealedSentence(before))
    // Only revisions and copies have a number at this point. The action that created them has set everything except the
    // owner.
    const isDerived = !before && changes.number !== undefined
    if (before && 'ownedBy' in changes) await refuseTaking(c, before)
    const more: QuoteValues = {
      ...('ownedBy' in changes || !before ? await ownerOf(c, changes.ownedBy ?? '') : {}),
      ...pricedBy(c),
      ...(isDerived ? {} : await fromCustomer(c)),
      ...(before || isDerived ? {} : await startValuesOf(c)),
    }
    const whole: QuoteValues = { ...values, ...more }
    const currency = whole.currency ?? 'GBP'
    await assertAgreed(c, whole)
    const filled = isDerived ? {} : await completeLinesFromCatalogue(c, currency, before, changedLists(c, currency))
    const terms = typeof whole.coupon === 'number' ? await c.get(coupon, whole.coupon) : undefined
    if (terms && 'coupon' in changes && !isDerived) await assertUsable(c, terms, currency, whole.customer)
    const supplier = await loadSupplier(c, c)
    const given = mapQuoteLineLists((list) => filled[list] ?? values[list] ?? [])
    const isTaxed = supplier.vatNumber !== ''
    const lines = isTaxed ? given : mapQuoteLineLists((list) => given[list].map(withoutVat))
    const taxPercent = isTaxed ? (whole.taxPercent ?? 20) : 0
    const sums = toSavedQuoteTotals({ ...whole, currency, taxPercent }, lines, terms)
    const excess = isDerived || !allQuoteLines(lines).length ? [] : findExcessDiscount(whole, sums.totals)
    if (excess.length) throw problem.invalid(excess)
    return {
      ...more,
      ...(isTaxed ? filled : { ...lines, taxPercent }),
      ...sums,
      ...(whole.discountDuration === 'periods' ? {} : { discountPeriods: null }),
      // If the quote can't be totalled, no forecast is made, and the engine reports the reason.
      ...(sums.totals
        ? { nextInvoices: forecastInvoices(c, wholeRow({ ...whole, ...sums, currency, taxPercent }, lines)) }
        : {}),
      supplier,
    }
  },
  actions: quoteActionHandlers,
})

/** Returns the quote as it will be saved, including the fields that its invoices need. */
function wholeRow(values: QuoteValues, lines: QuoteLineLists<QuoteLineValues>): QuoteRow {
  const { billingCycleAnchor = null, prorate = true, taxPercent = 20 } = values
  const whole = mapQuoteLineLists((list) => lines[list].map((line) => ({ ...NO_LINE, ...line })))
  return { ...values, billingCycleAnchor, prorate, taxPercent, ...whole } as QuoteRow
}
const NO_LINE = {
  plan: null,
  sku: null,
  interval: null,
  intervalCount: null,
  ...UNSET_LINE_VAT,
  quantity: 1,
  discountable: true,
} as const

/**
 * Removes VAT from a line. Sellers that are not registered for VAT charge none, even if the catalogue states a rate.
 */
const withoutVat = (line: QuoteLineValues): QuoteLineValues => ({ ...line, taxPercent: 0, taxCode: 'outside' })

const sealedSentence = ({ reference, state }: QuoteRow) =>
  state === 'open'
    ? `${reference} has been sent and can no longer be changed. Make a new revision instead.`
    : `${reference} is ${state} and can no longer be changed. Copy it as a new quote instead.`

/** Returns the changed lists. A new currency also changes manually priced lines. */
const changedLists = ({ rows, values, before }: Save, currency: Currency) =>
  mapQuoteLineLists((list) =>
    rows.some(({ field }) => field === list) ||
    (list === 'additionalItems' && before !== undefined && before.currency !== currency)
      ? values[list]
      : undefined,
  )

/** Throws 422 if the customer can't receive a quote, a VAT rate can't be charged or a date is invalid. */
async function assertAgreed(c: Save, whole: QuoteValues): Promise<void> {
  const { changes, before } = c
  const wrong = [...findQuoteTermProblems(changes, c.now), ...findQuoteDiscountProblems(whole)]
  if (changes.customer !== undefined || changes.currency !== undefined || !before)
    wrong.push(...(await findBuyerProblems(c, whole)))
  const percent = changes.taxPercent
  const known =
    typeof percent === 'number' && percent !== before?.taxPercent ? await findChargeableVatPercents(c) : undefined
  if (typeof percent === 'number' && known && !known.has(percent))
    wrong.push(violation('taxPercent', unknownVatRateMessage(percent, known)))
  if (wrong.length) throw problem.invalid(wrong)
}

async function startValuesOf(c: Save): Promise<QuoteValues> {
  const { number } = await issueSequenceNumber(c, quoteNumberSequence)
  return c.changes.terms === undefined ? { number, terms: (await loadQuoteSettings(c)).terms } : { number }
}

/** Returns the quote's values from the customer, or from the lead that becomes a customer. */
async function fromCustomer(c: Save): Promise<QuoteValues> {
  const { before, changes } = c
  const found =
    typeof changes.customer === 'number'
      ? await c.get(customer, changes.customer)
      : !before && typeof changes.contact === 'number'
        ? await becomeCustomer(c, changes.contact)
        : undefined
  if (!found) return { contact: undefined }
  return {
    customer: found.id,
    contact: found.contact,
    company: changes.company || found.companyName || '',
    emailTo: changes.emailTo || found.email,
    ...(changes.currency ? {} : { currency: found.currency }),
  }
}

/** Makes the lead a customer. Errors in customer fields are reported at the quote's own fields. */
const becomeCustomer = (c: Save, lead: number) =>
  findOrCreateCustomerForLead(c, lead, c.changes.emailTo ?? '').catch((e: unknown) => {
    if (!(e instanceof Problem) || !e.violations) throw e
    throw problem.invalid(e.violations.map((v) => (v.propertyPath === 'email' ? { ...v, propertyPath: 'emailTo' } : v)))
  })

/** Fields on which a discount is measured, besides the lines. */
const PRICE_FIELDS = [
  'customer',
  'currency',
  'taxPercent',
  'coupon',
  'discountPercent',
  'discountAmount',
  'discountDuration',
  'discountPeriods',
  'billingCycleAnchor',
  'prorate',
] as const

/** Returns the people who priced a quote, with the actor if this save changes prices or discounts. */
function pricedBy({ actor, before, changes, rows, values }: Save): QuoteValues {
  if (before && !rows.length && !PRICE_FIELDS.some((name) => name in changes)) return {}
  return { pricedBy: [...new Set([...((before ?? values).pricedBy ?? []), authorOf(actor).username])] }
}

/**
 * Throws 403 if the actor gives a colleague's quote, and therefore its sale, to another owner. Sales managers and a
 * client's finance users may do so.
 */
async function refuseTaking(c: Context, { ownedBy }: QuoteRow): Promise<void> {
  if (!ownedBy || hasRole(c.actor, ROLES_NAMING_COLLEAGUES) || (await isSamePerson(c, [ownedBy]))) return
  throw problem.forbidden('This is a colleague’s quote. Ask its owner or a sales manager to change the owner.')
}

/**
 * Returns the quote's owner, given as a username or as the IRI of a user or member of staff. Defaults to the author.
 */
async function ownerOf(c: Context, given: string): Promise<QuoteValues> {
  const me = authorOf(c.actor).username
  if (!given || given.toLowerCase() === me.toLowerCase()) {
    // Only the provider's users have staff records. Users who invoice for their own company are not staff.
    const id = hasRole(c.actor, STAFF_ROLE) ? await ensureStaffRecordId(c) : undefined
    return { ownedBy: me, owner: id ?? null }
  }
  const found = await staffNamed(c, given)
  if (!found) throw problem.invalid([violation('ownedBy', `There is no member of staff called “${given}”`)])
  return { ownedBy: found.username, owner: found.id }
}

async function staffNamed(c: Context, given: string): Promise<RowOf<typeof staff> | undefined> {
  const byStaff = idFromIri(staff, given)
  const byUser = idFromIri(user, given)
  const id = parseId(byStaff ?? byUser)
  if (id !== undefined) return byStaff ? c.get(staff, id) : findAccountRecord(c, staffAccount, id)
  const name = (byStaff ?? byUser ?? given).toLowerCase()
  return (await c.find(staff, { tray: false })).find((s) => s.username.toLowerCase() === name)
}

async function assertUsable(
  c: Save,
  terms: RowOf<typeof coupon>,
  currency: Currency,
  customerId: number | undefined,
): Promise<void> {
  if (customerId === undefined) return
  const refused = await findCouponRedemptionRejectionReason(c, terms, {
    customer: customerId,
    quote: c.before?.id,
    currency,
  })
  if (refused) throw problem.invalid([violation('coupon', refused)])
}

/** A customer with an open quote can't be retired, and their currency can't be changed. */
const customerGuard = guard(customer, {
  retire: async (c, { id }) => {
    const [open] = await c.find(quote, { customer: id, status: quoteStatusId('open') })
    if (open) throw problem.conflict(`${open.reference} is still open for this customer. Cancel that quote first.`)
  },
  change: {
    currency: async (c, { id }) => {
      const [open] = await c.find(quote, { customer: id, status: quoteStatusId('open') })
      if (open)
        throw problem.conflict(
          `${open.reference} is open in ${open.currency} for this customer. Cancel that quote before you change the currency.`,
          'in_use',
        )
    },
  },
})

export const quotes = feature({
  pack: INVOICING_PACK,
  resources: [quote, quoteLine, quoteStatus, discountApproval],
  behaviours: [createQuoteBehaviour, discountApprovalBehaviour],
  guards: [customerGuard],
  routes: quoteRoutes,
  handlers: quoteHandlers,
  schedules: quoteSchedules,
  notifications: [
    quoteDecidedNotification,
    clientSetupNotification,
    unbilledQuoteNotification,
    ...discountNotifications,
  ],
  referenceData: [quoteReference],
  seeds: () => import('./demo.server.ts'),
})
