import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import type { TestApi } from '#test/support/portal.ts'
import { Random } from '#test/support/random.ts'
import {
  Account,
  type Charge,
  type Code,
  creditedOn,
  creditLine,
  type Days,
  type Discount,
  dueOn,
  type Invoice,
  type Line,
  type LineInput,
  type NoteLine,
  netLeft,
  priceLines,
  prorate,
  quantityLeft,
  share,
  stateOf,
} from './billing-model.ts'

/** A seller's tenant with a customer for each history. */
export interface Books extends InvoiceWorld {
  /** API of a user with all financial permissions; replaced as the clock moves, because sessions end. */
  money: TestApi
  /** IDs of customers who pay by Direct Debit. */
  readonly debtors: Set<number>
}

export async function openBooks(): Promise<Books> {
  const w = await makeInvoiceWorld()
  const books: Books = { ...w, money: w.finance, debtors: new Set() }
  await signInAgain(books)
  await w.sql("UPDATE payment_settings SET refund_limit = 1000000000, debit_name = 'SELLER LTD' WHERE client_id = $1", [
    w.sellers.id,
  ])
  // Retired clients, such as those of earlier histories, cause no work on the days that follow.
  await w.sql('UPDATE client SET retired = true WHERE id NOT IN (0, $1)', [w.sellers.id])
  return books
}

export async function signInAgain(w: Books): Promise<void> {
  const roles = ['ROLE_STAFF', 'ROLE_FINANCE', 'ROLE_BILLING_ADMIN']
  w.money = w.sellers.as(await w.sellers.user({ roles }))
}

/** Difference between the portal and the model. */
export class Difference extends Error {}

interface Subscription {
  readonly iri: string
  readonly plan: { readonly iri: string; readonly pence: number }
  readonly lineDiscount: { readonly discountPercent?: number }
  readonly period: Days
  /** Quantities with their first days, in order. */
  segments: { readonly quantity: number; readonly days: Days }[]
  /** Lines that charged the subscription, oldest first. */
  readonly lines: { readonly invoice: Invoice; readonly line: number }[]
  ended: boolean
}

interface BankLine {
  readonly iri: string
  readonly amount: number
  charges: Charge[]
}

/** A collection by Direct Debit: the state last seen, and its payment in the model. */
interface Debit {
  readonly state: string
  readonly invoice: Invoice
  charge?: Charge
}

const EURO_RATE = 1.1624
const PAGE = 'itemsPerPage=100&order[id]=asc'

/** A body that a test reads. */
// biome-ignore lint/suspicious/noExplicitAny: bodies have every shape
type Body = any

/** A random history of one customer, carried out in the portal and in the model. */
export class History {
  readonly seed: number
  readonly customer: string
  readonly isEuro: boolean
  readonly told: string[] = []
  private readonly w: Books
  failed = false
  readonly account: Account
  private readonly random: Random
  private readonly bankLines: BankLine[] = []
  private readonly subscriptions: Subscription[] = []
  /** Direct Debits by IRI: the state last seen, and the payment in the model. */
  private readonly debits = new Map<string, Debit>()
  private hasMandate = false
  readonly isDebit: boolean
  private readonly debitAccount: string
  private readonly operations: number
  private done = 0

  private constructor(w: Books, seed: number, customer: string, isEuro: boolean) {
    this.w = w
    this.seed = seed
    this.customer = customer
    this.isEuro = isEuro
    this.random = new Random(seed)
    this.account = new Account(isEuro ? EURO_RATE : undefined)
    this.isDebit = !isEuro && this.random.chance(0.35)
    this.debitAccount = this.random.pick(['00012345', '22222227', '55555559', '55555559'])
    this.operations = 5 + this.random.below(11)
  }

  static async begin(w: Books, seed: number): Promise<History> {
    const isEuro = new Random(seed + 1).chance(0.15)
    const more = isEuro ? { currency: 'EUR' } : { vatNumber: 'GB 434 0314 94' }
    const customer = await w.newCustomer(more)
    await w.sql("UPDATE customer SET email = 'no' WHERE client_id = $1 AND id = $2", [w.sellers.id, idOf(customer)])
    return new History(w, seed, customer, isEuro)
  }

  get today(): string {
    return this.w.portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().toString()
  }

  private daysOn(days: number): string {
    return Temporal.PlainDate.from(this.today).add({ days }).toString()
  }

  private tell(text: string): void {
    this.told.push(`${this.today} ${text}`)
  }

  private async call(method: 'get' | 'post', path: string, body: Record<string, unknown> = {}): Promise<Body> {
    const { money } = this.w
    const answer = method === 'get' ? await money.get(path) : await money.post(path, body)
    if (answer.status >= 300)
      throw new Difference(`refused with ${answer.status}: ${path} ${answer.text.slice(0, 400)}`)
    return answer.body
  }

  /** Takes one day's steps: the average number that remains for each of the days left. */
  async live(daysLeft: number): Promise<void> {
    const left = this.operations - this.done
    const now = daysLeft <= 1 ? left : Math.min(left, this.random.below(Math.ceil((2 * left) / daysLeft) + 1))
    for (let n = 0; n < now; n++) {
      this.done++
      await this.step()
      await this.compareAmounts()
    }
    if (daysLeft <= 1) for (const one of this.subscriptions) if (!one.ended) await this.endSubscription(one)
  }

  private async step(): Promise<void> {
    const { account, random } = this
    const issued = account.invoices.filter((one) => !one.voidedOn)
    const open = issued.filter((one) => stateOf(one) === 'open')
    const free = open.filter((one) => !this.isPending(one))
    const untouched = free.filter((one) => !one.paid && !creditedOn(one) && !this.isSubscribed(one))
    const creditable = issued.filter((one) => creditedOn(one) < one.total)
    const refundable = account.charges.filter((one) => one.state === 'succeeded' && one.refunded < one.amount)
    const byHand = account.charges.filter(
      (one) =>
        one.account === 'bank' &&
        one.state === 'succeeded' &&
        !one.refunded &&
        !this.bankLines.some((line) => line.charges.includes(one)),
    )
    const booked = this.bankLines.filter(
      (line) => line.charges.length && line.charges.every((one) => one.state === 'succeeded' && !one.refunded),
    )
    const writtenOff = issued.filter((one) => stateOf(one) === 'uncollectible')
    const live = this.subscriptions.filter((one) => !one.ended && one.period.to > this.daysOn(1))
    const canSell = !this.isEuro && this.subscriptions.length < 2
    const ways: (() => Promise<void>)[] = [
      () => this.issue(),
      () => this.issue(),
      ...(canSell ? [() => this.sell()] : []),
      ...(this.isDebit && !this.hasMandate && open.length ? Array(4).fill(() => this.sign(random.pick(open))) : []),
      ...(open.length ? [() => this.pay(random.pick(open)), () => this.pay(random.pick(open))] : []),
      ...(open.length ? [() => this.bookLine(random.pick(open)), () => this.bookLine(random.pick(open))] : []),
      ...(open.length > 1 ? [() => this.split(open), () => this.split(open)] : []),
      () => this.bookLine(null),
      ...(booked.length ? [() => this.unmatch(random.pick(booked)), () => this.unmatch(random.pick(booked))] : []),
      ...(byHand.length ? [() => this.reverse(random.pick(byHand))] : []),
      ...(creditable.length ? Array(3).fill(() => this.credit(random.pick(creditable))) : []),
      ...(refundable.length ? Array(2).fill(() => this.refund(random.pick(refundable))) : []),
      ...(open.length && account.credit > 0 ? [() => this.useCredit(random.pick(open))] : []),
      ...(free.length ? [() => this.writeOff(random.pick(free))] : []),
      ...(writtenOff.length ? [() => this.reopen(random.pick(writtenOff))] : []),
      ...(untouched.length ? [() => this.void(random.pick(untouched))] : []),
      () => this.adjust(),
      ...(live.length ? Array(3).fill(() => this.changeQuantity(random.pick(live))) : []),
      ...(live.length ? [() => this.endSubscription(random.pick(live))] : []),
    ]
    await (issued.length ? random.pick(ways) : () => this.issue())()
  }

  private readonly isSubscribed = (of: Invoice) =>
    this.subscriptions.some((one) => one.lines.some(({ invoice }) => invoice === of))
  private readonly isPending = (of: Invoice) =>
    [...this.debits.values()].some(({ state, invoice }) => state === 'pending' && invoice === of)

  private pick(most: number): number {
    return 1 + this.random.below(most)
  }

  private lines(): LineInput[] {
    const { random } = this
    const codes: Code[] = [
      'standard',
      'standard',
      'reduced',
      'zero',
      'exempt',
      'outside',
      this.isEuro ? 'zero' : 'reverse',
    ]
    const one = (): LineInput => ({
      quantity: random.pick([1, 1, 2, 3, 7, 0.5, 1.25, 12.3333]),
      unitAmount: random.pick([
        () => this.pick(30_000),
        () => this.pick(99_999_999) / 10_000,
        () => this.pick(999) / 10,
      ])(),
      ...this.lineDiscount([5, 12.5, 33.3333, 100]),
      taxCode: random.pick(codes),
      ...(random.chance(0.2) ? { discountable: false } : {}),
      ...(random.chance(0.2)
        ? { days: { from: this.daysOn(-random.below(5)), to: this.daysOn(random.below(90)) } }
        : {}),
    })
    return [
      { quantity: 1, unitAmount: 1000 + random.below(9000), taxCode: 'standard' },
      ...Array.from({ length: random.below(4) }, one),
    ]
  }

  private lineDiscount(percents: readonly number[]): { discountPercent?: number } {
    return this.random.chance(0.3) ? { discountPercent: this.random.pick(percents) } : {}
  }

  private discount(): Discount | undefined {
    if (!this.random.chance(0.4)) return undefined
    return this.random.chance(0.5)
      ? { percentOff: this.random.pick([5, 10, 12.5, 33.3333, 50]) }
      : { amountOff: this.pick(5000) }
  }

  private async issue(): Promise<void> {
    const given = this.lines()
    const discount = this.discount()
    const supplied = this.daysOn(-this.random.pick([0, 0, 3, 14, 15, 20]))
    const lines = given.map(({ days, ...one }, n) => ({ description: `Line ${n + 1}`, ...one, ...days }))
    this.tell(`invoice, supplied ${supplied}, ${JSON.stringify(discount ?? {})}: ${given.map(describeLine).join('; ')}`)
    const currency = this.isEuro ? { currency: 'EUR', exchangeRate: EURO_RATE } : {}
    const draft = await this.call('post', '/api/financial/invoices', {
      customer: this.customer,
      lines,
      ...discount,
      ...currency,
    })
    const body = await this.call('post', `${draft['@id']}/issue`, { taxPoint: supplied })
    // The invoice's day is the tax point within 14 days of the supply (VAT Act 1994, section 6(5)).
    const taxPoint = supplied < this.daysOn(-14) ? supplied : this.today
    this.add(body, priceLines(given, discount), taxPoint)
  }

  /** Adds an issued invoice to the model and compares its lines. */
  private add(body: Body, lines: readonly Line[], taxPoint = this.today): Invoice {
    const made = this.account.issue({ iri: body['@id'], id: body.id, day: this.today, taxPoint }, lines)
    const picked = body.lines.map((one: Line) => [one.amount, one.discount, one.net, one.tax])
    same(
      `lines of ${body.number}`,
      picked,
      lines.map((one) => [one.amount, one.discount, one.net, one.tax]),
    )
    same(`tax point of ${body.number}`, body.taxPoint, taxPoint)
    return made
  }

  /** Makes a sale with a signed quote: a monthly plan, other items and perhaps a coupon. */
  private async sell(): Promise<void> {
    const { random, w } = this
    const discount = this.discount()
    const quantity = this.pick(4)
    const pence = this.pick(9999)
    const items = Array.from({ length: random.below(3) }, () => ({
      quantity: this.pick(3),
      unitAmount: this.pick(20_000),
      ...this.lineDiscount([10, 33.3333, 100]),
    }))
    const lineDiscount = this.lineDiscount([12.5, 33.3333, 50])
    this.tell(
      `quote: ${[{ quantity, unitAmount: pence, ...lineDiscount }, ...items].map(describePrice).join(', ')} ${JSON.stringify(discount ?? {})}`,
    )
    const product = (await w.api.get(w.plan)).body.product['@id']
    const plan = await this.made('/api/financial/plans', {
      name: `Plan ${this.seed}.${this.done}`,
      product,
      amount: pence,
      interval: 'month',
    })
    const period = {
      from: this.today,
      to: Temporal.PlainDate.from(this.today).add({ months: 1 }).subtract({ days: 1 }).toString(),
    }
    const given: LineInput[] = [
      { quantity, unitAmount: pence, ...lineDiscount, taxCode: 'standard', days: period },
      ...items.map((one) => ({ ...one, taxCode: 'standard' as const })),
    ]
    // A quote's own discount is refused above the price of the lines; a coupon is worth at most that price.
    const price = priceLines(given).reduce((all, { amount }) => all + amount, 0)
    const isOwn = discount && random.chance(0.5) && !('amountOff' in discount && discount.amountOff > price)
    const own = !isOwn
      ? {}
      : 'percentOff' in discount
        ? { discountPercent: discount.percentOff }
        : { discountAmount: discount.amountOff }
    if (isOwn) this.tell(`the quote's discount is its own: ${JSON.stringify(own)}`)
    const coupon =
      discount && !isOwn
        ? await this.made('/api/financial/coupons', { name: `Coupon ${this.seed}.${this.done}`, ...discount })
        : undefined
    const { quote, token } = await this.sent({
      customer: this.customer,
      taxPercent: 20,
      plans: [{ plan, quantity, ...lineDiscount }],
      additionalItems: items.map((one, n) => ({ description: `Item ${n + 1}`, ...one })),
      ...(coupon ? { coupon } : own),
    })
    const signature = { name: 'Ann Carter', method: 'typed' }
    const accepted = await w.portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })
    if (accepted.status !== 200) throw new Difference(`acceptance refused: ${accepted.text}`)
    const [invoice] = (await this.call('get', `/api/financial/invoices?quote=${quote.id}`))['hydra:member']
    const [subscription] = (await this.call('get', `/api/financial/subscriptions?quote=${quote.id}`))['hydra:member']
    const made = this.add(await this.call('get', invoice['@id']), priceLines(given, discount))
    // Discounted subscriptions are never changed, because the model does not share their discount again.
    if (!discount)
      this.subscriptions.push({
        iri: subscription['@id'],
        plan: { iri: plan, pence },
        lineDiscount,
        period,
        segments: [{ quantity, days: period }],
        lines: [{ invoice: made, line: 0 }],
        ended: false,
      })
  }

  private async made(path: string, body: Record<string, unknown>): Promise<string> {
    return (await this.call('post', path, body))['@id']
  }

  private async sent(values: Record<string, unknown>): Promise<{ quote: Body; token: string }> {
    const draft = await this.call('post', '/api/financial/quotes', { sendEmail: false, ...values })
    const quote = await this.call('post', `${draft['@id']}/send`)
    const { link } = await this.call('post', `${draft['@id']}/link`)
    return { quote, token: String(link).split('/').at(-1) as string }
  }

  /** Charges of the subscription's segments, by the first day and quantity. */
  private costs(one: Subscription, segments: Subscription['segments']): Map<string, { pence: number; days: Days }> {
    return new Map(
      segments.map(({ quantity, days }) => [
        `${quantity} from ${days.from}`,
        { pence: prorate({ quantity, unitAmount: one.plan.pence, ...one.lineDiscount }, days, one.period), days },
      ]),
    )
  }

  private async change(
    one: Subscription,
    body: Record<string, unknown>,
    segments: Subscription['segments'],
  ): Promise<void> {
    const [before, after] = [this.costs(one, one.segments), this.costs(one, segments)]
    let down = 0
    for (const [key, { pence }] of before) down += Math.max(0, pence - (after.get(key)?.pence ?? 0))
    const up = [...after].flatMap(([key, { pence, days }]) => {
      const more = pence - (before.get(key)?.pence ?? 0)
      return more > 0 ? [{ pence: more, days: { from: this.today, to: days.to } }] : []
    })
    const known = new Set(this.account.invoices.map(({ iri }) => iri))
    const { token } = await this.call('post', `${one.iri}/preview`, body)
    await this.call('post', `${one.iri}/change`, {
      ...body,
      token,
      reason: body.way === 'cancelNow' ? 'notUsed' : null,
    })
    one.segments = segments
    const { account } = this
    const notes: Body[] = (
      await this.call('get', `/api/financial/credit_notes?customer=${idOf(this.customer)}&${PAGE}`)
    )['hydra:member']
    const seen = new Set(account.invoices.flatMap((of) => of.notes.map((note) => note.iri)))
    const fresh = notes.filter((note) => !seen.has(note['@id']))
    for (const { invoice, line } of one.lines.toReversed()) {
      const net = Math.min(down, netLeft(invoice, line))
      if (net <= 0) continue
      down -= net
      const credit = creditLine(invoice, line, { net })
      const note = fresh.find((of) => of.invoice['@id'] === invoice.iri)
      if (!note) throw new Difference(`no credit note for ${net} on ${invoice.iri}`)
      account.creditNote(note['@id'], invoice, [credit], this.today, false)
      same(`credit note ${note.number}`, [note.net, note.tax], [credit.net, credit.tax])
    }
    if (!up.length) return
    const invoices: Body[] = (
      await this.call('get', `/api/financial/invoices?customer=${idOf(this.customer)}&${PAGE}`)
    )['hydra:member']
    const made = invoices.filter((of) => !known.has(of['@id']))
    if (made.length !== 1) throw new Difference(`${made.length} invoices for a change, instead of 1`)
    const lines = up.map(
      ({ pence, days }): LineInput => ({ quantity: 1, unitAmount: pence, taxCode: 'standard', days }),
    )
    const invoice = this.add(await this.call('get', made[0]['@id']), priceLines(lines))
    one.lines.push({ invoice, line: 0 })
  }

  private async changeQuantity(one: Subscription): Promise<void> {
    const last = one.segments.at(-1) as Subscription['segments'][number]
    const quantity = last.quantity + this.pick(3) * (last.quantity > 3 && this.random.chance(0.5) ? -1 : 1)
    this.tell(`subscription ${idOf(one.iri)}: ${last.quantity} × ${one.plan.pence} becomes ${quantity}`)
    const { items } = await this.call('get', one.iri)
    const item = items.find((of: { until: string | null }) => of.until === null)['@id']
    const before = this.cut(one)
    // A change that is undone on its day leaves no trace.
    const undone = before.at(-1)?.quantity === quantity ? before.pop() : undefined
    const days = { from: undone?.days.from ?? this.today, to: one.period.to }
    await this.change(one, { way: 'quantity', item, quantity, credit: true }, [...before, { quantity, days }])
  }

  private async endSubscription(one: Subscription): Promise<void> {
    one.ended = true
    if (one.period.to < this.today) {
      this.tell(`subscription ${idOf(one.iri)} is cancelled`)
      await this.w.money.delete(one.iri)
      return
    }
    this.tell(`subscription ${idOf(one.iri)} is cancelled with a credit`)
    await this.change(one, { way: 'cancelNow', credit: true }, this.cut(one))
  }

  /** Segments up to yesterday. */
  private cut(one: Subscription): Subscription['segments'] {
    const yesterday = this.daysOn(-1)
    return one.segments
      .filter(({ days }) => days.from < this.today)
      .map(({ quantity, days }) => ({
        quantity,
        days: { from: days.from, to: [days.to, yesterday].toSorted()[0] ?? yesterday },
      }))
  }

  private async sign(of: Invoice): Promise<void> {
    this.hasMandate = true
    this.w.debtors.add(idOf(this.customer))
    this.tell(`Direct Debit of account ${this.debitAccount}`)
    const { url } = await this.call('post', `${of.iri}/pay-link`)
    const page = `/api/financial/payments/${String(url).split('/').at(-1)}`
    const form = { holder: 'Payer Ltd', sortCode: '10-88-00', accountNumber: this.debitAccount, authorised: true }
    const signed = await this.w.portal.anonymous.post(`${page}/mandate`, form)
    if (signed.status !== 200) throw new Difference(`mandate refused: ${signed.text}`)
  }

  /** Adds the payment service's latest reports to the model: payments, failures and indemnity claims. */
  async observeDebits(): Promise<void> {
    if (!this.hasMandate) return
    const path = `/api/financial/charges?customer=${idOf(this.customer)}&method=debit&${PAGE}`
    for (const is of (await this.call('get', path))['hydra:member'] as Body[]) {
      const invoice = this.invoiceOf(is.invoice['@id'])
      const seen: Debit = this.debits.get(is['@id']) ?? { state: '', invoice }
      if (seen.state === is.state) continue
      this.tell(`Direct Debit of ${is.amount} for ${invoice.id}: ${is.state}`)
      if (!seen.state) same('collected amount', is.amount, dueOn(invoice))
      if ((seen.state === '' || seen.state === 'pending') && (is.state === 'succeeded' || is.state === 'disputed')) {
        seen.charge = this.account.receive(is['@id'], is.amount, invoice, this.today, 'clearing')
        this.account.fee(is.fee)
      }
      if (is.state === 'disputed' && seen.charge) {
        const back = this.account.claim(seen.charge, this.today)
        this.account.fee(is.disputeFee)
        same('claimed amount', [is.amountDisputed, is.dispute], [back, 'lost'])
      }
      this.debits.set(is['@id'], { ...seen, state: is.state })
      const outcomes = { '00012345': ['succeeded'], 22222227: ['failed'], 55555559: ['succeeded', 'disputed'] }
      const possible = outcomes[this.debitAccount as keyof typeof outcomes]
      if (is.state !== 'pending' && !possible.includes(is.state))
        throw new Difference(`Direct Debit ${is['@id']} is ${is.state}`)
    }
  }

  private invoiceOf(iri: string): Invoice {
    const found = this.account.invoices.find((one) => one.iri === iri)
    if (!found) throw new Difference(`unexpected invoice ${iri}`)
    return found
  }

  private amountFor(due: number): number {
    const { random } = this
    return random.pick([() => due, () => due, () => this.pick(due), () => due + this.pick(9999)])()
  }

  private async pay(of: Invoice, on = this.daysOn(-this.random.below(4))): Promise<void> {
    const amount = this.amountFor(dueOn(of))
    const day = [of.day, on].toSorted()[1] ?? on
    this.tell(`payment of ${amount} for ${of.id} on ${day}`)
    const body = await this.call('post', '/api/financial/charges', {
      customer: this.customer,
      invoice: of.iri,
      method: 'bank',
      amount,
      receivedAt: day === this.today ? this.w.portal.engine.clock.now().toString() : `${day}T12:00:00Z`,
      keepBoth: true,
    })
    const made = this.account.receive(body['@id'], amount, of, day, 'bank')
    same('settled amount', body.amountSettled, made.settled)
  }

  /** Imports a bank statement with a line of this amount. */
  private async bankLine(amount: number): Promise<BankLine> {
    const pounds = (amount / 100).toFixed(2)
    const text = `Date,Name,Reference,Amount\n${this.today},,history ${this.seed} step ${this.done},${pounds}`
    const name = `${this.seed}-${this.done}.csv`
    const currency = this.isEuro ? { currency: 'EUR' } : {}
    const statement = await this.call('post', '/api/financial/bank_statements', { name, text, ...currency })
    const [line] = (await this.call('get', `/api/financial/bank_lines?statement=${statement.id}`))['hydra:member']
    const made: BankLine = { iri: line['@id'], amount, charges: [] }
    this.bankLines.push(made)
    return made
  }

  private async bookLine(of: Invoice | null): Promise<void> {
    const again = this.bankLines.filter((line) => !line.charges.length)
    const line = again.length && this.random.chance(0.5) ? this.random.pick(again) : undefined
    const amount = line?.amount ?? (of ? this.amountFor(dueOn(of)) : this.pick(20_000))
    this.tell(`bank line of ${amount} matched with ${of ? of.id : 'the customer'}${line ? ' after its undoing' : ''}`)
    const booked = line ?? (await this.bankLine(amount))
    const body = await this.call('post', `${booked.iri}/book`, of ? { invoice: of.iri } : { customer: this.customer })
    booked.charges = [this.account.receive(body.charge, amount, of, this.dayOf(booked), 'bank')]
  }

  private readonly bankDays = new Map<string, string>()
  private dayOf(line: BankLine): string {
    const day = this.bankDays.get(line.iri) ?? this.today
    this.bankDays.set(line.iri, day)
    return day
  }

  private async split(open: readonly Invoice[]): Promise<void> {
    const parts = open
      .slice(0, 3)
      .map((of) => ({ of, amount: this.random.chance(0.6) ? dueOn(of) : this.pick(dueOn(of)) }))
    const more = this.random.chance(0.5) ? this.pick(5000) : 0
    const total = parts.reduce((all, { amount }) => all + amount, 0) + more
    this.tell(`bank line of ${total} split: ${parts.map(({ of, amount }) => `${amount} for ${of.id}`).join(', ')}`)
    const line = await this.bankLine(total)
    await this.call('post', `${line.iri}/split`, {
      parts: parts.map(({ of, amount }) => ({ invoice: of.iri, amount })),
      ...(more ? { credit: true } : {}),
    })
    const charges = (await this.call('get', `${line.iri}/charges?${PAGE}`))['hydra:member'] as Body[]
    const wanted = [...parts, ...(more ? [{ of: null, amount: more }] : [])]
    same(
      'parts of the line',
      charges.map(({ amount }) => amount),
      wanted.map(({ amount }) => amount),
    )
    line.charges = wanted.map(({ of, amount }, n) =>
      this.account.receive(charges[n]['@id'], amount, of, this.dayOf(line), 'bank'),
    )
  }

  private async unmatch(line: BankLine): Promise<void> {
    this.tell(`bank line of ${line.amount} unmatched`)
    await this.call('post', `${line.iri}/unmatch`, { reason: 'Wrong customer' })
    this.account.reverse(line.charges, this.today)
    line.charges = []
  }

  private async reverse(charge: Charge): Promise<void> {
    this.tell(`payment of ${charge.amount} reversed`)
    await this.call('post', `${charge.iri}/reverse`, { reason: 'Recorded in error' })
    this.account.reverse([charge], this.today)
  }

  private async credit(of: Invoice): Promise<void> {
    const { random } = this
    const whole = random.chance(0.15)
    const lines: NoteLine[] = []
    for (const n of of.lines.keys()) {
      const [net, units] = [netLeft(of, n), quantityLeft(of, n)]
      if (whole) lines.push(creditLine(of, n, {}))
      else if (net > 0 && (random.chance(0.5) || (!lines.length && n === of.lines.length - 1))) {
        const quantity = units > 0 ? Math.min(units, random.pick([units, 1, 0.5])) : 0
        const byUnits =
          quantity > 0 && random.chance(0.5)
            ? creditLine(of, n, { quantity: Math.round(quantity * 10_000) / 10_000 })
            : null
        const fits = byUnits && byUnits.net > 0 && byUnits.net <= net
        lines.push(fits ? byUnits : creditLine(of, n, { net: this.pick(net) }))
      }
    }
    const kept = whole ? lines.filter(({ net, tax }) => net || tax) : lines
    if (!kept.length) return
    const total = kept.reduce((all, { net, tax }) => all + net + tax, 0)
    const paid = Math.max(0, total - dueOn(of) - Math.min(of.writtenOff, total))
    const cover = this.account.charges.reduce(
      (all, one) =>
        all + (one.invoice === of && one.state === 'succeeded' ? Math.min(one.settled, one.amount - one.refunded) : 0),
      0,
    )
    const toRefund = paid > 0 && cover >= paid && random.chance(0.4)
    const described = kept
      .map(({ line, quantity, net }) => `line ${line + 1} ${quantity ? `× ${quantity}` : net}`)
      .join(', ')
    this.tell(`credit note for ${of.id}: ${whole ? 'the rest' : described}${toRefund ? ', refunded' : ''}`)
    const saved = await this.call('get', of.iri)
    const body = await this.call('post', '/api/financial/credit_notes', {
      invoice: of.iri,
      reason: 'Not delivered',
      ...(toRefund ? { to: 'refund' } : {}),
      ...(whole
        ? {}
        : {
            lines: kept.map((one) => ({
              line: saved.lines[one.line]['@id'],
              ...(one.quantity ? { quantity: one.quantity } : { net: one.net }),
            })),
          }),
    })
    this.account.creditNote(body['@id'], of, kept, this.today, toRefund)
    same(
      'lines of the credit note',
      body.lines.map((one: Body) => [one.net, one.tax]),
      kept.map(({ net, tax }) => [net, tax]),
    )
    if (toRefund) await this.w.portal.drain()
  }

  private async refund(charge: Charge): Promise<void> {
    const left = charge.amount - charge.refunded
    const amount = this.random.chance(0.4) ? left : this.pick(left)
    this.tell(`refund of ${amount} of the payment of ${charge.amount}`)
    await this.call('post', `${charge.iri}/refund`, { amount, reason: 'Goodwill' })
    this.account.refund(charge, amount, this.today)
  }

  private async useCredit(of: Invoice): Promise<void> {
    this.tell(`credit used for ${of.id}`)
    await this.call('post', `${of.iri}/use-credit`)
    this.account.useCredit(of, this.today)
  }

  private async writeOff(of: Invoice): Promise<void> {
    this.tell(`${of.id} written off`)
    await this.call('post', `${of.iri}/write-off`, { reason: 'Insolvent' })
    this.account.writeOff(of)
  }

  private async reopen(of: Invoice): Promise<void> {
    this.tell(`${of.id} reopened`)
    await this.call('post', `${of.iri}/reopen`)
    this.account.reopen(of)
  }

  private async void(of: Invoice): Promise<void> {
    this.tell(`${of.id} voided`)
    await this.call('post', `${of.iri}/void`, { reason: 'Wrong' })
    this.account.void(of, this.today)
  }

  private async adjust(): Promise<void> {
    const isPayment = this.random.chance(0.5)
    const change = -this.pick(5000)
    this.tell(`balance changed by ${change}${isPayment ? ', received today' : ''}`)
    const why = isPayment
      ? { paymentReceivedDate: this.w.portal.engine.clock.now().toString() }
      : { reason: 'Goodwill' }
    await this.call('post', `${this.customer}/balance`, { change, keepBoth: true, ...why })
    this.account.adjust(change, isPayment ? 'bank' : 'adjustment')
  }

  /** Compares the amounts of every invoice, and the customer's balance. */
  async compareAmounts(): Promise<void> {
    const found = (await this.call('get', `/api/financial/invoices?customer=${idOf(this.customer)}&${PAGE}`))[
      'hydra:member'
    ] as Body[]
    same(
      'invoices (state, net, VAT, total, paid, credited, written off, due)',
      found.map((one) => [
        one.id,
        one.state,
        one.net,
        one.tax,
        one.total,
        one.amountPaid,
        one.amountCredited,
        one.amountWrittenOff,
        one.amountDue,
      ]),
      this.account.invoices.map((one) => [
        one.id,
        stateOf(one),
        one.net,
        one.tax,
        one.total,
        one.paid,
        creditedOn(one),
        one.writtenOff,
        dueOn(one),
      ]),
    )
    same('balance of the customer', (await this.call('get', this.customer)).accountBalance, this.account.balance)
  }

  /** Compares the ledger's account balances, and the state of each payment. */
  async compareBooks(): Promise<void> {
    await this.compareAmounts()
    // Income earned later is posted for all customers together, so sales and deferred income count as one here.
    const rows = await this.w.sql<{ account: string; pence: string }>(
      `SELECT CASE account WHEN 'deferred' THEN 'sales' ELSE account END AS account, sum(amount) AS pence FROM ledger_entry
       WHERE client_id = $1 AND customer_id = $2 GROUP BY 1 HAVING sum(amount) <> 0 ORDER BY 1`,
      [this.w.sellers.id, idOf(this.customer)],
    )
    const { deferred = 0, sales = 0, ...others } = this.account.balances(this.today)
    const income = sales + deferred
    const wanted = { ...others, ...(income ? { sales: income } : {}) }
    same(
      'ledger',
      rows.map(({ account, pence }) => [account, Number(pence)]),
      Object.entries(wanted).toSorted(([x], [y]) => (x < y ? -1 : 1)),
    )
    for (const one of this.account.invoices) {
      if (!one.lines.some(({ days }) => days)) continue
      const held = (await this.call('get', `/api/financial/deferred_incomes?invoice=${one.id}`))[
        'hydra:member'
      ] as Body[]
      const pence = held.reduce((all, { net, earned }) => all + net - earned, 0)
      same(`deferred income of ${one.id}`, pence, this.account.deferredOn(one, this.today))
    }
    for (const one of this.account.charges) {
      const is = await this.call('get', one.iri)
      same(
        `payment ${one.iri}`,
        [is.state, is.amountRefunded, is.amountSettled],
        [one.state, one.refunded, one.settled],
      )
    }
  }

  /** Compares boxes 1 and 6 of a return, invoice by invoice. */
  compareVat(period: Days, scheme: 'invoice' | 'cash', found: Readonly<Record<1 | 6, Map<number, number>>>): void {
    for (const one of this.account.invoices)
      same(
        `boxes 1 and 6 of ${one.id}, by ${scheme}, ${period.from}`,
        [found[1].get(one.id) ?? 0, found[6].get(one.id) ?? 0],
        this.account.vatReturn(one, period, scheme),
      )
  }

  private readonly claims = new Map<Invoice, { readonly relief: number; readonly unpaid: number; since: number }>()

  /** Claims the VAT of invoices that were written off. */
  async claimBadDebts(vatReturn: string, listed: readonly { invoice: number; amount: number }[]): Promise<void> {
    const { account } = this
    for (const one of account.invoices) {
      const relief = one.voidedOn || !(dueOn(one) || one.writtenOff) ? 0 : account.relief(one)
      same(`relief listed for ${one.id}`, listed.find(({ invoice }) => invoice === one.id)?.amount ?? 0, relief)
      if (stateOf(one) !== 'uncollectible' || relief <= 0) continue
      this.tell(`VAT of ${relief} claimed for ${one.id}`)
      await this.call('post', '/api/financial/vat_bad_debts', { vatReturn, invoice: one.iri })
      this.claims.set(one, { relief, unpaid: one.writtenOff, since: 0 })
    }
  }

  /** Pays or credits the claimed debts of some customers. */
  async payBadDebts(): Promise<void> {
    for (const [one, claim] of this.claims) {
      const fate = this.random.below(3)
      if (fate === 0) continue
      const left = () => one.total - creditedOn(one) - one.paid
      if (fate === 1) {
        await this.reopen(one)
        await this.pay(one, this.today)
      } else await this.credit(one)
      claim.since = Math.min(claim.unpaid, claim.unpaid - left())
      await this.compareAmounts()
    }
  }

  compareClaims(found: Map<number, number>): void {
    for (const one of this.account.invoices)
      same(`box 4 of ${one.id}`, found.get(one.id) ?? 0, this.claims.get(one)?.relief ?? 0)
  }

  compareRepaid(period: Days, found: Map<number, number>): void {
    for (const [one, { relief, unpaid, since }] of this.claims) {
      const [vat] = this.account.vatReturn(one, period, 'invoice')
      same(`box 1 of ${one.id} after its claim`, found.get(one.id) ?? 0, vat + share(relief, since, unpaid))
    }
  }
}

const idOf = (iri: string): number => Number(iri.split('/').at(-1))
const describePrice = (one: Pick<LineInput, 'quantity' | 'unitAmount' | 'discountPercent'>): string =>
  `${one.quantity} × ${one.unitAmount}${one.discountPercent ? ` less ${one.discountPercent}%` : ''}`
const describeLine = (one: LineInput): string =>
  `${describePrice(one)} ${one.taxCode}${one.discountable === false ? ' without discount' : ''}${one.days ? ` ${one.days.from} to ${one.days.to}` : ''}`

/** Throws a difference unless both values have the same JSON. The first value is the portal's. */
export function same(what: string, portal: unknown, model: unknown): void {
  const [a, b] = [JSON.stringify(portal), JSON.stringify(model)]
  if (a !== b) throw new Difference(`${what}: portal ${a}, model ${b}`)
}
