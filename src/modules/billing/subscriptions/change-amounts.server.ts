import { hash } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { settleAll } from '#kernel/settle-all.ts'
import type { Context } from '#server/engine/types.ts'
import { creditNoteLine } from '../credits/credit-note.ts'
import {
  type CreditableLine,
  computeCreditByNet,
  computeInvoiceTotals,
  remainingCreditableAmounts,
} from '../invoices/amounts.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceDraftLine } from '../invoices/issue.server.ts'
import { completeInvoiceLines, type InvoiceLineRow, type InvoiceRow, loadSeller } from '../invoices/lines.server.ts'
import { pickLineVat } from '../lines/line-vat.ts'
import { loadPlansAndSkus, withReadCache } from '../lines/lines.server.ts'
import type { PlannedSubscriptionChange, SubscriptionChangeInput } from './periods.server.ts'
import { currentLondonIsoDate, type SubscriptionRow, toChargeTerms } from './periods.server.ts'
import { type SubscriptionChangeLine, subscriptionChange } from './subscription.ts'
import {
  type CostDifference,
  calculateCostDifferences,
  itemsOnDay,
  type PaidItems,
  replaceItemsFrom,
  shiftItems,
  toBillingPeriod,
  toRecurringItem,
} from './timeline.ts'

/** Credited part of an invoice line. */
interface Credit {
  readonly invoice: number
  readonly line: number
  readonly net: number
}

/** Amounts of a change, in pence: the amounts invoiced now and the amounts credited. */
export interface SubscriptionChangeAmounts {
  readonly lines: readonly SubscriptionChangeLine[]
  readonly drafted: readonly InvoiceDraftLine[]
  readonly credits: readonly Credit[]
  readonly net: number
  readonly tax: number
  /** Invoice total, credit total and amount due for the change; all include VAT. */
  readonly invoiced: number
  readonly credited: number
  readonly gross: number
  /** True if unused days were charged and are not credited. */
  readonly waives: boolean
  /** True if a change costs nothing because its days are paid for. */
  readonly isPaid?: boolean
  /** New value of `paidItems`; undefined if it is unchanged. */
  readonly paid?: PaidItems | null
}

const NOTHING: SubscriptionChangeAmounts = {
  lines: [],
  drafted: [],
  credits: [],
  net: 0,
  tax: 0,
  invoiced: 0,
  credited: 0,
  gross: 0,
  waives: false,
}

/** Returns the invoice line for a subscription item. The line's price is its total. */
const draftLine = ({ item, from, to, net, sentence }: CostDifference): InvoiceDraftLine => ({
  plan: item.plan,
  product: item.product,
  description: sentence,
  quantity: 1,
  unitAmount: net,
  ...pickLineVat(item),
  discountable: false,
  period: toBillingPeriod(from, to),
})

/** Calculates the amounts of a change. Throws 409 if an invoice to be credited is still a draft. */
export async function calculateSubscriptionChangeAmounts(
  c: Context,
  row: SubscriptionRow,
  planned: PlannedSubscriptionChange,
): Promise<SubscriptionChangeAmounts> {
  if (!planned.settles) return NOTHING
  const { terms, before, after, paid } = settling(row, planned)
  const plain = calculateCostDifferences(planned.charged, planned.after, terms)
  const beyond =
    paid && EDITS.has(planned.kind)
      ? calculateCostDifferences(replaceItemsFrom(planned.charged, planned.day, paid), planned.after, terms)
      : plain
  const isCharged = netOf(beyond) > 0
  const isPaid = beyond !== plain && netOf(plain) >= 0
  const until = terms.renewsOn
  if (!isCharged && (planned.keepsCredit || isPaid))
    return {
      ...NOTHING,
      waives: netOf(plain) < 0,
      isPaid: isPaid && netOf(plain) > 0,
      paid: { until, items: paid ?? before },
    }
  const differences = isCharged ? beyond : plain
  const more = differences.filter((one) => one.net > 0)
  const less = differences.filter((one) => one.net < 0)
  const [invoiced, credited] = await settleAll(
    invoicedFor(c, row, more),
    less.length ? creditedFor(c, row, less) : { credits: [], lines: [] },
  )
  const add = (lines: readonly SubscriptionChangeLine[], key: 'net' | 'tax') =>
    lines.reduce((all, one) => all + one[key], 0)
  const lines = [...invoiced.lines, ...credited.lines]
  const gross = (of: readonly SubscriptionChangeLine[]) => add(of, 'net') + add(of, 'tax')
  return {
    lines,
    drafted: invoiced.drafted,
    credits: credited.credits,
    net: add(lines, 'net'),
    tax: add(lines, 'tax'),
    invoiced: gross(invoiced.lines),
    credited: -gross(credited.lines),
    gross: gross(lines),
    waives: false,
    paid: paid && differences === plain ? { until, items: shiftItems(paid, { from: before, to: after }) } : null,
  }
}

const netOf = (differences: readonly CostDifference[]) => differences.reduce((sum, one) => sum + one.net, 0)

/** Changes for which items that are paid for but no longer in force also count. A pause credits only items in force. */
const EDITS: ReadonlySet<string> = new Set(['add', 'quantity', 'swap', 'remove'])

/** Returns the terms of a change, the items on its day before and after it, and the paid items if they differ. */
function settling(row: SubscriptionRow, { charged, after, day, set }: PlannedSubscriptionChange) {
  const { renewsOn } = { ...row, ...set }
  return {
    terms: { ...toChargeTerms({ ...row, ...set }), renewsOn },
    before: itemsOnDay(charged, day).map((item) => toRecurringItem(item)),
    after: itemsOnDay(after, day).map((item) => toRecurringItem(item)),
    paid: row.paidItems?.until === renewsOn ? row.paidItems.items : null,
  }
}

/**
 * Returns the invoice lines for the amounts charged and the matching lines of the change, with the VAT that the invoice
 * will have.
 */
async function invoicedFor(c: Context, row: SubscriptionRow, more: readonly CostDifference[]) {
  const drafted = more.map(draftLine)
  if (!drafted.length) return { drafted, lines: [] }
  // The catalogue is also loaded here, in the same round trip, because it is needed to complete the lines.
  const [{ vat }] = await settleAll(loadSeller(c, currentLondonIsoDate(c)), loadPlansAndSkus(withReadCache(c), drafted))
  const completed = await completeInvoiceLines(c, drafted, {
    vat,
    currency: row.currency,
    isHome: true,
    kept: true,
    before: [],
  })
  const { lines } = computeInvoiceTotals(
    { currency: row.currency },
    completed.map((line, n) => ({ quantity: 1, unitAmount: drafted[n]?.unitAmount ?? 0, ...pickLineVat(line) })),
  )
  return {
    drafted,
    lines: more.map(
      ({ sentence }, n): SubscriptionChangeLine => ({ sentence, net: lines[n]?.net ?? 0, tax: lines[n]?.tax ?? 0 }),
    ),
  }
}

interface Creditable extends CreditableLine {
  readonly of: InvoiceRow
  readonly line: InvoiceLineRow
  taken: number
}

/**
 * Returns the invoice lines to credit, starting with the latest invoice, and the matching lines of the change. Amounts
 * already credited are left out.
 */
async function creditedFor(c: Context, row: SubscriptionRow, less: readonly CostDifference[]) {
  const known = await creditable(c, row)
  const lines: SubscriptionChangeLine[] = []
  for (const one of less) {
    let left = -one.net
    let tax = 0
    for (const from of known.filter((k) => isOf(k.line, one))) {
      const net = Math.min(left, remainingCreditableAmounts(from).net - from.taken)
      if (net <= 0) continue
      tax += taxOf(from, from.taken + net) - taxOf(from, from.taken)
      from.taken += net
      left -= net
    }
    const already =
      left > 0 ? ` (${formatMoney(left, row.currency)} of this was not charged or has already been credited)` : ''
    lines.push({ sentence: `${one.sentence}${already}`, net: left + one.net, tax: -tax })
  }
  const credits = known.flatMap(({ of, line, taken }) =>
    taken > 0 ? [{ invoice: of.id, line: line.id, net: taken }] : [],
  )
  return { credits, lines }
}

const taxOf = (line: CreditableLine, net: number): number => (net === 0 ? 0 : computeCreditByNet(line, net).tax)

const isOf = (line: InvoiceLineRow, { item, from, to }: CostDifference): boolean =>
  line.plan === item.plan &&
  line.description.startsWith(item.description) &&
  line.from !== null &&
  line.to !== null &&
  line.from < to &&
  line.to >= from

async function creditable(c: Context, row: SubscriptionRow): Promise<Creditable[]> {
  const changes = await c.find(subscriptionChange, { subscription: row.id })
  const ids = [...new Set(changes.flatMap((one) => one.invoice ?? []))]
  const invoices = ids.length ? await c.find(invoice, { id: ids }) : []
  const current = invoices.filter(
    (one) => one.state !== 'void' && one.lines.some((l) => (l.to ?? '') >= row.currentFrom),
  )
  if (current.some((one) => one.state === 'draft'))
    throw problem.conflict(
      'An invoice for this period is still a draft. Issue that invoice before you credit any of it.',
      'wrong_state',
    )
  const lines = current.toReversed().flatMap((of) => of.lines.map((line) => ({ of, line })))
  const before = lines.length ? await c.find(creditNoteLine, { line: lines.map(({ line }) => line.id) }) : []
  return lines.map(({ of, line }) => ({
    of,
    line,
    quantity: line.quantity,
    net: line.net,
    tax: line.tax,
    taken: 0,
    credited: before
      .filter((one) => one.line === line.id)
      .map(({ quantity, net, tax }) => ({ quantity, net: net ?? 0, tax: tax ?? 0 })),
  }))
}

/** Returns the fingerprint of a preview, which covers the input, the subscription and every amount. */
export function computeSubscriptionChangeFingerprint(
  row: SubscriptionRow,
  asked: SubscriptionChangeInput,
  planned: PlannedSubscriptionChange,
  reckoned: SubscriptionChangeAmounts,
): string {
  const { way, item = null, plan = null, quantity = null, when, credit } = asked
  const { lines, invoiced, credited } = reckoned
  const { status, currentFrom, renewsOn, charged, cancelAtPeriodEnd, updatedAt } = row
  const as = [status, currentFrom, renewsOn, charged, cancelAtPeriodEnd, updatedAt, planned.before]
  const whole = [row.id, [way, item, plan, quantity, when, credit], planned.day, as, lines, invoiced, credited]
  return hash('sha256', JSON.stringify(whole), 'base64url')
}
