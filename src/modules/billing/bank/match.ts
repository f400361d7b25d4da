import { type Currency, formatMoney } from '#kernel/money.ts'
import type { BankStatementLine } from './statement-lines.ts'

/** An invoice awaiting payment. */
export interface OpenInvoice {
  readonly id: number
  readonly number: string
  readonly customer: number
  readonly currency: Currency
  readonly amountDue: number
}

/** Open invoices by number, and by customer and amount due, each within a currency. */
export interface OpenInvoiceIndex {
  readonly byNumber: ReadonlyMap<string, readonly OpenInvoice[]>
  readonly byAmount: ReadonlyMap<string, readonly OpenInvoice[]>
}

/** Indexes the open invoices, because a statement may have thousands of lines. */
export const indexOpenInvoices = (open: readonly OpenInvoice[]): OpenInvoiceIndex => ({
  byNumber: Map.groupBy(open, ({ currency, number }) => `${currency} ${numberOf(number)}`),
  byAmount: Map.groupBy(open, ({ currency, customer, amountDue }) => `${currency} ${customer} ${amountDue}`),
})

/** A customer and the names under which they may pay. */
interface PayerNames {
  readonly id: number
  readonly names: readonly string[]
}

/** Probable match for a bank line. Only a `sure` match is proposed; for other lines, staff must choose. */
export interface BankMatch {
  readonly customer: number | null
  readonly invoice: number | null
  readonly sure: boolean
  readonly why: string
}

/** Matches the digits of an invoice number after a prefix: `INV-00012`, `inv 12`, `invoice no. 12`. */
const NUMBERS = /\binv(?:oice)?s?(?:\s*(?:no|number))?[\s.:#-]*(\d{1,9})/gi
const numberOf = (number: string) => Number(/(\d+)$/.exec(number)?.[1] ?? Number.NaN)

const LEGAL = /\b(limited|ltd|plc|llp|cic|co|company|uk|the|and)\b/g
/** Normalises a company name: drops legal forms and punctuation. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(LEGAL, ' ')
    .replace(/\s+/g, ' ')
    .trim()
/** Minimum length of a name for matching. Shorter names would match too many lines by chance. */
const SHORTEST = 4

/** Words of names as a tree. A node has the customers whose name ends there. */
interface NameNode {
  readonly ids: number[]
  readonly next: Map<string, NameNode>
}

/** Maximum number of customers named in one text that an invoice number can tell apart. */
const MAX_NAMED = 50

/** Customers by name. */
export class PayerIndex {
  private readonly root: NameNode = { ids: [], next: new Map() }

  add({ id, names }: PayerNames): void {
    for (const name of new Set(names.map(plainName))) {
      if (name.length < SHORTEST) continue
      let node = this.root
      for (const word of name.split(' ')) {
        const next = node.next.get(word) ?? { ids: [], next: new Map() }
        node.next.set(word, next)
        node = next
      }
      node.ids.push(id)
    }
  }

  /** Returns the IDs of the customers named in a text; several if their names are alike. */
  find(text: string): number[] {
    const words = plainName(text).split(' ')
    const found = new Set<number>()
    for (const first of words.keys()) {
      let node = this.root.next.get(words[first] ?? '')
      for (let n = first + 1; node; node = node.next.get(words[n++] ?? ''))
        for (const id of node.ids.slice(0, MAX_NAMED)) found.add(id)
    }
    return [...found].slice(0, MAX_NAMED)
  }
}

/** Values of a line from which its invoice is found. */
export interface MatchFacts {
  /** Customers named as the payer or, if the bank has no such column, in the reference. */
  readonly customers: readonly number[]
  /** Invoice numbers that the reference quotes. */
  readonly numbers: readonly number[]
}

export function findMatchFacts({ reference, payer }: BankStatementLine, payers: PayerIndex): MatchFacts {
  const asPayer = payers.find(payer)
  return {
    customers: asPayer.length ? asPayer : payers.find(`${payer} ${reference}`),
    numbers: [...new Set([...reference.matchAll(NUMBERS)].map(([, digits]) => Number(digits)))],
  }
}

const REFUND = /\b(refund(s|ed)?|reversal|reversed|chargeback)\b/i

const nothing = (why: string, customer: number | null = null): BankMatch => ({
  customer,
  invoice: null,
  sure: false,
  why,
})

/**
 * Finds the open invoice that a line pays, by invoice number or, if the named customer has only one open invoice for
 * this amount, by amount. A named payer outweighs an invoice number of another customer. If no invoice can be found,
 * returns the customer, if known.
 */
export function matchBankLine(
  line: BankStatementLine & { readonly currency: Currency },
  open: OpenInvoiceIndex,
  { customers, numbers }: MatchFacts,
): BankMatch {
  if (line.amount <= 0) return nothing('This money was paid out')
  const quoted = numbers.flatMap((number) => open.byNumber.get(`${line.currency} ${number}`) ?? [])
  const theirs = customers.length ? quoted.filter(({ customer }) => customers.includes(customer)) : quoted
  const match = theirs.length ? matchByNumber(line, theirs) : matchByName(line, open, customers)
  if (match.sure && REFUND.test(`${line.reference} ${line.payer}`))
    return { ...match, sure: false, why: 'The text mentions a refund or reversal. Check whether this is a payment' }
  const [other] = quoted
  if (theirs.length || !other) return match
  return {
    ...match,
    why: `The reference quotes ${other.number} of another customer, so the payer’s name was used. ${match.why}`,
  }
}

function matchByNumber(line: BankStatementLine, quoted: readonly OpenInvoice[]): BankMatch {
  const [one, ...others] = quoted
  if (!one) return nothing('')
  if (others.length) {
    const customers = new Set(quoted.map(({ customer }) => customer))
    const numbers = quoted.map(({ number }) => number).join(', ')
    return customers.size === 1
      ? nothing(`The reference quotes ${numbers}. Split the payment over these invoices`, one.customer)
      : nothing(`The reference quotes ${numbers}, which belong to different customers`)
  }
  const { id: invoice, customer, number, amountDue, currency } = one
  if (line.amount === amountDue) return { customer, invoice, sure: true, why: 'Invoice number and amount match' }
  const due = formatMoney(amountDue, currency)
  return line.amount < amountDue
    ? { customer, invoice, sure: true, why: `Invoice number matches, and the payment covers part of the ${due} due` }
    : {
        customer,
        invoice,
        sure: false,
        why: `The reference quotes ${number}, but the payment is more than the ${due} due`,
      }
}

function matchByName(
  line: BankStatementLine & { readonly currency: Currency },
  open: OpenInvoiceIndex,
  customers: readonly number[],
): BankMatch {
  const [customer] = customers
  if (customer === undefined) return nothing('')
  if (customers.length > 1) return nothing('Several customers have this name')
  const ofAmount = open.byAmount.get(`${line.currency} ${customer} ${line.amount}`) ?? []
  if (ofAmount.length > 1) return nothing('Several invoices of this customer match this amount', customer)
  const [fits] = ofAmount
  if (!fits) return nothing('Known customer, but none of their open invoices matches this amount', customer)
  return { customer, invoice: fits.id, sure: true, why: 'Customer and amount match' }
}
