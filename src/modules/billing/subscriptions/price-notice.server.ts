import { problem } from '#kernel/errors.ts'
import { integer } from '#kernel/fields.ts'
import { findBillingPeriodNumber, nthBillingPeriod } from '#kernel/money/periods.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { composeEmail, defineEmail, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { isEmail } from '#kernel/validate.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { Route } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { plan } from '../catalogue/plan.ts'
import { loadInvoiceSettings } from '../client-invoicing/invoice-settings.server.ts'
import { customer } from '../customers/customer.ts'
import { composeSellerEmail, SAMPLE_INVOICE } from '../invoices/emails.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import { customerMailSender, loadSupplier } from '../print/financial-document.server.ts'
import type { Supplier } from '../print/quote-document.ts'
import { PRICING_ROLES } from '../rights.ts'
import {
  currentLondonIsoDate,
  type SubscriptionItemRow,
  type SubscriptionRow,
  toBillingCycle,
} from './periods.server.ts'
import { priceNotice, subscription, subscriptionItem } from './subscription.ts'

export type PriceNoticeRow = RowOf<typeof priceNotice>
type PlanRow = RowOf<typeof plan>

interface PriceNoticeFacts {
  readonly plan: string
  readonly currency: Currency
  readonly formerAmount: number
  readonly amount: number
  /** Percentage that the item's own discount takes off both prices; null if it has none. */
  readonly discountPercent: number | null
  readonly every: string
  /** First day with the new price. */
  readonly from: string
  readonly contactName: string
  readonly supplier: Supplier | null
  readonly provider: string
}

const dayBefore = (iso: string) => Temporal.PlainDate.from(iso).subtract({ days: 1 }).toString()

/** Returns a unit price after the item's discount, in pence with fractions. */
const afterDiscount = (price: number, { discountPercent }: PriceNoticeFacts) =>
  (price * (1_000_000 - Math.round((discountPercent ?? 0) * 10_000))) / 1_000_000

/** Notice of a new price to a customer with a subscription. */
export const priceNoticeEmail = defineEmail<PriceNoticeFacts>({
  name: 'price-notice',
  title: 'Notice of a plan’s new price',
  subject: (f) => `${f.plan}: new price from ${formatIsoDateAsUk(f.from)}`,
  paragraphs: (f) =>
    composeSellerEmail(
      {
        buyer: { name: '', contactName: f.contactName, address: [], vatNumber: '', email: '' },
        supplier: f.supplier,
        provider: f.provider,
      },
      `The price of ${f.plan} changes on ${formatIsoDateAsUk(f.from)}. Prices are for each unit, excluding VAT${f.discountPercent ? `, after your discount of ${f.discountPercent}%` : ''}.`,
      [
        `Until ${formatIsoDateAsUk(dayBefore(f.from))}: ${formatMoney(afterDiscount(f.formerAmount, f), f.currency)} ${f.every}`,
        `From ${formatIsoDateAsUk(f.from)}: ${formatMoney(afterDiscount(f.amount, f), f.currency)} ${f.every}`,
      ].join('\n'),
      'You don’t need to do anything if you wish to continue. If you don’t agree with the new price, you can cancel before that day: reply to this e-mail or call us.',
    ),
  sample: {
    plan: 'Health & Safety, monthly',
    currency: 'GBP',
    formerAmount: 1000,
    amount: 1200,
    discountPercent: null,
    every: 'every month',
    from: '2026-04-01',
    contactName: 'Ann Carter',
    supplier: SAMPLE_INVOICE.supplier,
    provider: PORTAL_NAME_PLACEHOLDER,
  },
})

/** Returns the first day of the first period that begins on or after the day and has not been charged yet. */
function firstPeriodFrom(row: SubscriptionRow, day: string): string {
  if (row.renewsOn >= day) return row.renewsOn
  const cycle = toBillingCycle(row)
  const { from, to } = nthBillingPeriod(cycle, findBillingPeriodNumber(cycle, Temporal.PlainDate.from(day)))
  return from.toString() === day ? day : to.toString()
}

interface PriceChange {
  readonly row: SubscriptionRow
  readonly item: SubscriptionItemRow
  readonly to: RowOf<typeof customer>
  readonly email: string
  readonly from: string
}

interface PriceChanges {
  readonly days: number
  readonly changes: readonly PriceChange[]
  /** Numbers of subscriptions that keep their price: by agreement, or because there is no e-mail address. */
  readonly exempt: number
  readonly withoutEmail: number
  /** Number of subscriptions that already have a notice of the same prices in force. */
  readonly notified: number
}

/** Finds the subscriptions whose price of a plan differs from the amount, with the first day of a new price. */
async function findPriceChanges(
  c: RecordReader & Pick<Context, 'now'>,
  of: PlanRow,
  amount: number,
): Promise<PriceChanges> {
  const { priceNoticeDays: days } = await loadInvoiceSettings(c)
  const items = (await c.find(subscriptionItem, { plan: of.id, until: null })).filter(
    (item) => item.amount !== amount && item.discountPercent !== 100,
  )
  const rows = items.length
    ? await c.find(subscription, {
        id: items.map((item) => item.subscription),
        status: ['trialing', 'active', 'past_due'],
        cancelAtPeriodEnd: false,
        currency: of.currency,
        interval: of.interval,
        intervalCount: of.intervalCount,
      })
    : []
  const known = new Map(rows.map((row) => [row.id, row]))
  const buyers = rows.length ? await c.find(customer, { id: [...new Set(rows.map((row) => row.customer))] }) : []
  const people = new Map(buyers.map((one) => [one.id, one]))
  const open = rows.length
    ? await c.find(priceNotice, { plan: of.id, subscription: [...known.keys()], state: 'open' })
    : []
  const isNotified = ({ subscription: id, amount: former }: (typeof items)[number]) =>
    open.some((one) => one.subscription === id && one.formerAmount === former && one.amount === amount)
  const day = Temporal.PlainDate.from(currentLondonIsoDate(c)).add({ days }).toString()
  const all = items.flatMap((item) => {
    const row = known.get(item.subscription)
    const to = row && people.get(row.customer)
    if (!row || !to) return []
    const email = [to.invoiceEmail, to.email].find((address) => isEmail(address)) ?? ''
    return [{ row, item, to, email, from: firstPeriodFrom(row, day) }]
  })
  const changes = all.filter(({ item, email }) => !item.keepsPrice && email)
  return {
    days,
    changes: changes.filter(({ item }) => !isNotified(item)),
    notified: changes.filter(({ item }) => isNotified(item)).length,
    exempt: all.filter(({ item }) => item.keepsPrice).length,
    withoutEmail: all.filter(({ item, email }) => !item.keepsPrice && !email).length,
  }
}

const factsOf = (
  of: PlanRow,
  amount: number,
  { row, item, to, from }: PriceChange,
  supplier: Supplier,
): PriceNoticeFacts => ({
  plan: item.description,
  currency: row.currency,
  formerAmount: item.amount,
  amount,
  discountPercent: item.discountPercent,
  every: describeBillingInterval(of.interval, of.intervalCount),
  from,
  contactName: to.contactName && to.contactName !== to.companyName ? to.contactName : '',
  supplier,
  provider: PORTAL_NAME_PLACEHOLDER,
})

const summaryOf = (of: PlanRow, amount: number, { days, changes, exempt, withoutEmail, notified }: PriceChanges) => ({
  '@id': `${iriOf(plan, of.id)}/price-notice`,
  '@type': 'PriceNoticePreview',
  amount,
  days,
  subscriptions: changes.length,
  customers: new Set(changes.map(({ to }) => to.id)).size,
  exempt,
  withoutEmail,
  notified,
  from: changes.map(({ from }) => from).toSorted()[0] ?? null,
})

const REASON = 'notify customers of a plan’s new price'

/**
 * E-mails the notices of a plan's current price. An earlier notice of another price is replaced. Throws 409 if all
 * notices of the price have been created already.
 */
async function sendPriceNotices(c: Context, of: PlanRow): Promise<PriceChanges> {
  const found = await findPriceChanges(c, of, of.amount)
  if (found.notified && !found.changes.length)
    throw problem.conflict(
      'Every customer already has a notice of this price. Withdraw a notice before you send it again.',
      'already_there',
    )
  const right = c.withoutPermissionCheck(REASON)
  const supplier = await loadSupplier(c, c)
  if (c.clientId !== PROVIDER_CLIENT_ID && found.changes.length)
    await consumeRecipientAllowance(c, found.changes.length)
  const former = await c.lockAll(priceNotice, {
    plan: of.id,
    subscription: found.changes.map(({ row }) => row.id),
    state: 'open',
  })
  await right.setAll(
    priceNotice,
    former.map((row) => ({ row, values: { state: 'replaced' as const } })),
    'replace',
  )
  for (const one of found.changes) {
    const made = await right.create(priceNotice, {
      plan: of.id,
      subscription: one.row.id,
      customer: one.to.id,
      description: one.item.description,
      formerAmount: one.item.amount,
      amount: of.amount,
      currency: one.row.currency,
      from: one.from,
      days: found.days,
      email: one.email,
    })
    const { id } = await made.saved()
    await c.emit(emailRequested, {
      to: one.email,
      ...composeEmail(priceNoticeEmail, factsOf(of, of.amount, one, supplier)),
      ...customerMailSender(c.clientId, supplier),
      about: iriOf(priceNotice, id),
    })
  }
  return found
}

const PATH = `${plan.url}/{id}/price-notice`

export const priceNoticeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    title: 'Preview the notice of a plan’s new price, with the number of subscriptions affected',
    allow: PRICING_ROLES,
    query: { amount: integer({ min: 0, help: 'New price in pence; defaults to the current price.' }) },
    handle: async ({ engine, actor, me, params, query, now }) => {
      const id = await engine.idOf(plan, actor, params.id)
      await engine.one(plan, actor, id)
      const asked = firstQueryValue(query.amount)
      if (asked && !/^\d{1,10}$/.test(asked)) throw problem.badRequest('"amount" must be whole pence.')
      return engine.readIn(me.clientId, 'preview the notice of a new price', async (c) => {
        const row = (await c.get(plan, id)) as PlanRow
        const amount = asked ? Number(asked) : row.amount
        const found = await findPriceChanges({ ...c, now }, row, amount)
        const [first] = found.changes
        const supplier = await loadSupplier(c, { engine, clientId: me.clientId })
        const { subject, body } = first
          ? composeEmail(priceNoticeEmail, factsOf(row, amount, first, supplier))
          : { subject: '', body: '' }
        return { ...summaryOf(row, amount, found), subject, body }
      })
    },
  },
  routeWithInput(
    {},
    {
      method: 'POST',
      path: PATH,
      title: 'E-mail the notice of a plan’s current price to customers with another price',
      allow: PRICING_ROLES,
      of: plan,
      handle: async (c) => {
        const id = await c.engine.idOf(plan, c.actor, c.params.id)
        return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const row = await unit.withoutPermissionCheck(REASON).lock(plan, id)
          const found = await sendPriceNotices(unit, row)
          return () => summaryOf(row, row.amount, found)
        })
      },
    },
  ),
]

/** Returns the notices that apply to the next period of some subscriptions: due, and e-mailed in time. */
export async function findDuePriceNotices(c: Context, rows: readonly SubscriptionRow[]): Promise<PriceNoticeRow[]> {
  const starts = new Map(rows.map((row) => [row.id, row.renewsOn]))
  const open = await c.find(priceNotice, { subscription: [...starts.keys()], state: 'open' })
  const due = open.filter(({ subscription: of, from }) => from <= (starts.get(of) ?? ''))
  if (!due.length) return []
  const sent = await c.work.tx.rows<{ about: string; day: string }>(
    `SELECT about, min((sent_at AT TIME ZONE 'Europe/London')::date)::text AS day FROM message
     WHERE client_id = $1 AND about = ANY($2) AND state = 'sent' AND sent_at IS NOT NULL GROUP BY about`,
    [c.clientId, due.map(({ id }) => iriOf(priceNotice, id))],
  )
  const days = new Map(sent.map(({ about, day }) => [about, day]))
  return due.filter(({ id, days: notice, subscription: of }) => {
    const day = days.get(iriOf(priceNotice, id))
    return day !== undefined && Temporal.PlainDate.from(day).add({ days: notice }).toString() <= (starts.get(of) ?? '')
  })
}
