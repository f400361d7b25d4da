// A second calculation of a customer's account, written from the rules in `docs/guide/how-money-moves.md` and
// `src/modules/billing/README.md`. It shares no code with the portal, and calculates with exact fractions.

/** An exact fraction; `bottom` is positive. */
interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}
const DECIMALS = 10_000n
const fraction = (value: number): Fraction => ({ top: BigInt(Math.round(value * Number(DECIMALS))), bottom: DECIMALS })
const times = (...all: readonly Fraction[]): Fraction =>
  all.reduce((a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom }))
const over = (a: Fraction, b: Fraction): Fraction =>
  b.top < 0n
    ? { top: -a.top * b.bottom, bottom: -a.bottom * b.top }
    : { top: a.top * b.bottom, bottom: a.bottom * b.top }
/** Rounds to whole pence, half a penny away from zero. */
const round = ({ top, bottom }: Fraction): number => {
  const size = (2n * (top < 0n ? -top : top) + bottom) / (2n * bottom)
  return Number(top < 0n ? -size : size) || 0
}
/** Returns `part ÷ whole` of some pence, rounded once. */
export const share = (pence: number, part: number, whole: number): number =>
  round(over(times(fraction(pence), fraction(part)), fraction(whole)))

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)

/** VAT rates since 4 January 2011 (VAT Act 1994, sections 2 and 29A). */
const PERCENT = { standard: 20, reduced: 5, zero: 0, exempt: 0, outside: 0, reverse: 0 } as const
export type Code = keyof typeof PERCENT

/** A period; it includes both days. */
export interface Days {
  readonly from: string
  readonly to: string
}
const daysIn = ({ from, to }: Days): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days + 1

export interface LineInput {
  readonly quantity: number
  /** Pence, with up to four decimal places. */
  readonly unitAmount: number
  /** Discount on this line, as a percentage. */
  readonly discountPercent?: number
  readonly taxCode: Code
  readonly discountable?: boolean
  readonly days?: Days
}
export type Discount = { readonly percentOff: number } | { readonly amountOff: number }

export interface Line extends LineInput {
  readonly amount: number
  readonly discount: number
  readonly net: number
  readonly tax: number
}

/** Allocates pence by weight: shares are rounded down, and odd pence go to the largest remainders. */
function spread(pence: number, lines: readonly LineInput[], weights: readonly number[]): number[] {
  const whole = sum(weights, (one) => one)
  if (!whole) return weights.map(() => 0)
  const exact = weights.map((one) => BigInt(pence) * BigInt(one))
  const shares = exact.map((one) => Number(one / BigInt(whole)))
  const rest = exact.map((one) => Number(one % BigInt(whole)))
  const ranked = weights
    .map((_, n) => n)
    .sort(
      (a, b) =>
        (rest[b] as number) - (rest[a] as number) ||
        (weights[b] as number) - (weights[a] as number) ||
        PERCENT[(lines[b] as LineInput).taxCode] - PERCENT[(lines[a] as LineInput).taxCode] ||
        a - b,
    )
  for (const n of ranked.slice(0, pence - sum(shares, (one) => one))) shares[n] = (shares[n] as number) + 1
  return shares
}

type Priced = Pick<LineInput, 'quantity' | 'unitAmount' | 'discountPercent'>
/** Returns the exact price of a line after its own discount. */
const priceOf = ({ quantity, unitAmount, discountPercent = 0 }: Priced): Fraction =>
  times(fraction(quantity), fraction(unitAmount), over(fraction(100 - discountPercent), fraction(100)))

/** Prices lines: each is rounded after its own discount, a discount is rounded once and taken off, and VAT is rounded line by line. */
export function priceLines(lines: readonly LineInput[], discount?: Discount): Line[] {
  const amounts = lines.map((one) => round(priceOf(one)))
  const bases = amounts.map((one, n) => (lines[n]?.discountable !== false && one > 0 ? one : 0))
  const [base, all] = [sum(bases, (one) => one), sum(amounts, (one) => one)]
  const wanted = !discount
    ? 0
    : 'percentOff' in discount
      ? round(times(fraction(base), over(fraction(discount.percentOff), fraction(100))))
      : discount.amountOff
  const off = spread(Math.max(0, Math.min(wanted, base, all)), lines, bases)
  return lines.map((one, n) => {
    const net = (amounts[n] as number) - (off[n] as number)
    const tax = round(times(fraction(net), over(fraction(PERCENT[one.taxCode]), fraction(100))))
    return { ...one, amount: amounts[n] as number, discount: off[n] as number, net, tax }
  })
}

export interface NoteLine {
  /** Position of the line on its invoice. */
  readonly line: number
  readonly quantity?: number
  readonly net: number
  readonly tax: number
}
export interface Note {
  readonly iri: string
  readonly day: string
  readonly lines: readonly NoteLine[]
  readonly net: number
  readonly tax: number
}
export interface Invoice {
  readonly iri: string
  readonly id: number
  readonly day: string
  readonly taxPoint: string
  readonly lines: readonly Line[]
  readonly net: number
  readonly tax: number
  readonly total: number
  readonly notes: Note[]
  /** Changes of `paid` by day, for cash accounting. */
  readonly settlements: { readonly day: string; readonly amount: number }[]
  paid: number
  writtenOff: number
  voidedOn: string | null
}
export interface Charge {
  readonly iri: string
  readonly invoice: Invoice | null
  readonly amount: number
  readonly day: string
  readonly account: 'bank' | 'clearing'
  settled: number
  refunded: number
  state: 'succeeded' | 'disputed' | 'reversed'
}

export const creditedOn = (of: Invoice): number => sum(of.notes, (one) => one.net + one.tax)
export const dueOn = (of: Invoice): number =>
  of.voidedOn ? 0 : Math.max(0, of.total - of.paid - creditedOn(of) - of.writtenOff)
export const stateOf = (of: Invoice): string =>
  of.voidedOn ? 'void' : dueOn(of) ? 'open' : of.writtenOff ? 'uncollectible' : 'paid'
const creditsOf = (of: Invoice, line: number): NoteLine[] =>
  of.notes.flatMap((note) => note.lines.filter((one) => one.line === line))
export const netLeft = (of: Invoice, line: number): number =>
  (of.lines[line] as Line).net - sum(creditsOf(of, line), (one) => one.net)
export const quantityLeft = (of: Invoice, line: number): number =>
  (of.lines[line] as Line).quantity - sum(creditsOf(of, line), (one) => one.quantity ?? 0)

/** Calculates the credit of a line by quantity, by net amount or, given neither, of the whole remainder. */
export function creditLine(of: Invoice, line: number, by: { quantity?: number; net?: number }): NoteLine {
  const whole = of.lines[line] as Line
  const before = creditsOf(of, line)
  const [net, tax] = [sum(before, (one) => one.net), sum(before, (one) => one.tax)]
  if (by.quantity !== undefined) {
    // The share of all units credited so far, less their earlier credits.
    const counted = before.filter((one) => one.quantity !== undefined)
    const units = sum(counted, (one) => one.quantity ?? 0) + by.quantity
    const more = share(whole.net, units, whole.quantity) - sum(counted, (one) => one.net)
    return { ...creditLine(of, line, { net: more }), quantity: by.quantity }
  }
  const more = by.net ?? whole.net - net
  // The VAT on all credits so far, less the VAT on the earlier ones.
  return { line, net: more, tax: (whole.net ? share(whole.tax, net + more, whole.net) : whole.tax) - tax }
}

/** A customer's account as expected: documents, money and postings. */
export class Account {
  readonly invoices: Invoice[] = []
  readonly charges: Charge[] = []
  private readonly entries = new Map<string, number>()

  private readonly rate: number | undefined

  /** `rate`: currency units per pound, if the customer is not invoiced in sterling. */
  constructor(rate?: number) {
    this.rate = rate
  }

  private post(entries: Readonly<Record<string, number>>): void {
    for (const [account, pence] of Object.entries(entries))
      this.entries.set(account, (this.entries.get(account) ?? 0) + pence)
  }

  get balance(): number {
    return this.entries.get('receivable') ?? 0
  }

  /** The customer's money that has not paid an invoice. */
  get credit(): number {
    return sum(this.invoices, (one) => (stateOf(one) === 'open' ? dueOn(one) : 0)) - this.balance
  }

  private settle(of: Invoice, amount: number, day: string): void {
    of.paid += amount
    if (amount) of.settlements.push({ day, amount })
  }

  issue(document: { iri: string; id: number; day: string; taxPoint: string }, lines: readonly Line[]): Invoice {
    const [net, tax] = [sum(lines, (one) => one.net), sum(lines, (one) => one.tax)]
    const credit = this.credit
    const made = { ...document, lines, net, tax, total: net + tax, notes: [], settlements: [] }
    const invoice: Invoice = { ...made, paid: 0, writtenOff: 0, voidedOn: null }
    this.invoices.push(invoice)
    this.post({ receivable: net + tax })
    this.settle(invoice, Math.max(0, Math.min(credit, net + tax)), document.day)
    return invoice
  }

  useCredit(of: Invoice, day: string): void {
    this.settle(of, Math.min(this.credit, dueOn(of)), day)
  }

  /** Records money received. Any excess over its invoice becomes credit. */
  receive(iri: string, amount: number, of: Invoice | null, day: string, account: Charge['account']): Charge {
    const settled = of && stateOf(of) === 'open' ? Math.min(amount, dueOn(of)) : 0
    this.post({ [account]: amount, receivable: -amount })
    if (of) this.settle(of, settled, day)
    const made: Charge = { iri, invoice: of, amount, day, account, settled, refunded: 0, state: 'succeeded' }
    this.charges.push(made)
    return made
  }

  fee(pence: number): void {
    this.post({ fees: pence, clearing: -pence })
  }

  /** Refunds charges, first from money that has paid no invoice, and never more credit than there is. */
  private giveBack(all: readonly (readonly [Charge, number])[], day: string, today: string): void {
    for (const [charge, amount] of all) {
      const free = charge.amount - charge.refunded - charge.settled
      const part = Math.min(charge.settled, Math.max(0, amount - free))
      this.post({ [charge.account]: -amount, receivable: amount })
      if (charge.invoice) this.settle(charge.invoice, -part, day)
      charge.settled -= part
    }
    for (const one of this.invoices.toSorted((a, b) => b.id - a.id)) {
      if (this.credit >= 0) return
      const fromCredit = one.paid - sum(this.charges, (charge) => (charge.invoice === one ? charge.settled : 0))
      // The overpayment after credit notes and write-offs belongs to the customer's credit.
      const beyond = Math.max(0, one.paid + creditedOn(one) + one.writtenOff - one.total)
      if (fromCredit > beyond) this.settle(one, -Math.min(fromCredit, beyond - this.credit), today)
    }
  }

  refund(charge: Charge, amount: number, day: string): void {
    this.giveBack([[charge, amount]], day, day)
    charge.refunded += amount
  }

  /** Claims a Direct Debit back. The part already refunded is not returned again. */
  claim(charge: Charge, day: string): number {
    const left = charge.amount - charge.refunded
    this.giveBack([[charge, left]], day, day)
    charge.state = 'disputed'
    return left
  }

  /** Undoes payments that were recorded in error, each on its own day. */
  reverse(all: readonly Charge[], today: string): void {
    const day = all[0]?.day ?? today
    this.giveBack(
      all.map((one) => [one, one.amount]),
      day,
      today,
    )
    for (const one of all) one.state = 'reversed'
  }

  /** Credits lines of an invoice. Returns the amount of them that the customer has paid. */
  creditNote(iri: string, of: Invoice, lines: readonly NoteLine[], day: string, toRefund: boolean): number {
    const [net, tax] = [sum(lines, (one) => one.net), sum(lines, (one) => one.tax)]
    const neverOwed = Math.min(of.writtenOff, net + tax)
    const paid = Math.max(0, net + tax - dueOn(of) - neverOwed)
    of.notes.push({ iri, day, lines, net, tax })
    of.writtenOff -= neverOwed
    this.post({ receivable: neverOwed - net - tax, badDebt: -neverOwed })
    if (toRefund) {
      let left = paid
      for (const one of this.charges.toReversed()) {
        if (one.invoice !== of || one.state !== 'succeeded') continue
        const amount = Math.min(left, one.settled, one.amount - one.refunded)
        if (amount) this.refund(one, amount, day)
        left -= amount
      }
    }
    return paid
  }

  void(of: Invoice, day: string): void {
    of.voidedOn = day
    this.post({ receivable: -of.total })
  }

  writeOff(of: Invoice): void {
    const due = dueOn(of)
    of.writtenOff += due
    this.post({ badDebt: due, receivable: -due })
  }

  reopen(of: Invoice): void {
    this.post({ badDebt: -of.writtenOff, receivable: of.writtenOff })
    of.writtenOff = 0
  }

  /** Changes the balance by hand. */
  adjust(change: number, account: 'adjustment' | 'bank'): void {
    this.post({ receivable: change, [account]: -change })
  }

  /** Returns the balance of each account at the end of a day, without zero balances. */
  balances(day: string): Record<string, number> {
    const all = new Map(this.entries)
    const add = (account: string, pence: number) => all.set(account, (all.get(account) ?? 0) + pence)
    for (const one of this.invoices) {
      if (one.voidedOn) continue
      add('vat', sum(one.notes, (note) => note.tax) - one.tax)
      const deferred = this.deferredOn(one, day)
      add('deferred', -deferred)
      add('sales', deferred - sum([...one.lines.keys()], (n) => netLeft(one, n)))
    }
    return Object.fromEntries([...all].filter(([, pence]) => pence !== 0).sort())
  }

  /** Returns an invoice's income that is not earned by the end of a day. */
  deferredOn(of: Invoice, day: string): number {
    const left = (line: Line, n: number) =>
      line.days && !of.voidedOn ? netLeft(of, n) - earnedBy(netLeft(of, n), line.days, day) : 0
    return sum([...of.lines.entries()], ([n, line]) => left(line, n))
  }

  private sterling(pence: number): number {
    return this.rate === undefined ? pence : round(over(fraction(pence), fraction(this.rate)))
  }

  /** Returns the VAT and the net value of an invoice and its credits in a period (boxes 1 and 6), in pence sterling. */
  vatReturn(of: Invoice, { from, to }: Days, scheme: 'invoice' | 'cash'): [vat: number, net: number] {
    const isIn = (day: string | null) => day !== null && from <= day && day <= to
    const netOf = (lines: readonly { net: number }[], codes: readonly Code[], codeOf: (n: number) => Code) =>
      sum(
        lines.map((one, n) => (codes.includes(codeOf(n)) ? one.net : 0)),
        (pence) => pence,
      )
    const codeAt = (n: number) => (of.lines[n] as Line).taxCode
    const ofInvoice = (codes: readonly Code[]) => netOf(of.lines, codes, codeAt)
    const ofNote = (note: Note, codes: readonly Code[]) =>
      netOf(note.lines, codes, (n) => codeAt((note.lines[n] as NoteLine).line))
    const charged: readonly Code[] = ['standard', 'reduced', 'zero', 'exempt']
    const byDate: readonly Code[] = scheme === 'invoice' ? [...charged, 'reverse'] : ['reverse']
    const at = (day: string | null, vat: number, net: number): [number, number] =>
      isIn(day) ? [scheme === 'invoice' ? this.sterling(vat) : 0, this.sterling(net)] : [0, 0]
    const rows: [number, number][] = [
      at(of.taxPoint, of.tax, ofInvoice(byDate)),
      at(of.voidedOn, -of.tax, -ofInvoice(byDate)),
      ...of.notes.map((note) => at(note.day, -note.tax, -ofNote(note, byDate))),
    ]
    if (scheme === 'cash') {
      const paidPart = (day: string): [number, number] => {
        const notes = of.notes.filter((note) => note.day <= day)
        const total = of.total - sum(notes, (note) => note.net + note.tax)
        const paid = Math.min(
          total,
          sum(of.settlements, (one) => (one.day <= day ? one.amount : 0)),
        )
        if (total <= 0) return [0, 0]
        const vat = this.sterling(of.tax) - sum(notes, (note) => this.sterling(note.tax))
        const net = this.sterling(ofInvoice(charged) - sum(notes, (note) => ofNote(note, charged)))
        return [share(vat, paid, total), share(net, paid, total)]
      }
      const [now, then] = [paidPart(to), paidPart(Temporal.PlainDate.from(from).subtract({ days: 1 }).toString())]
      rows.push([now[0] - then[0], now[1] - then[1]])
    }
    return [sum(rows, ([vat]) => vat), sum(rows, ([, net]) => net)]
  }

  /** Returns the VAT on a bad debt in pence sterling: the unpaid share of the VAT, after credits. */
  relief(of: Invoice): number {
    const vat = this.sterling(of.tax) - sum(of.notes, (note) => this.sterling(note.tax))
    const total = of.total - creditedOn(of)
    return share(vat, total - of.paid, total)
  }
}

/** Each day of a service earns an equal share. */
function earnedBy(net: number, days: Days, day: string): number {
  if (day < days.from) return 0
  return day >= days.to ? net : share(net, daysIn({ from: days.from, to: day }), daysIn(days))
}

/** Returns the charge for part of a plan's period, by days, rounded once. */
export const prorate = (line: Priced, part: Days, period: Days): number =>
  round(times(priceOf(line), over(fraction(daysIn(part)), fraction(daysIn(period)))))
