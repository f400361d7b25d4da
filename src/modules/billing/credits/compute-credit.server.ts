import { problem, type Violation, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import {
  type CreditAmounts,
  type CreditableLine,
  type CreditNoteTotals,
  computeCreditByNet,
  computeCreditByQuantity,
  computeRemainingCredit,
  computeReverseCharge,
  remainingCreditableAmounts,
  remainingCreditableQuantity,
} from '../invoices/amounts.ts'
import type { InvoiceLineRow, InvoiceRow } from '../invoices/lines.server.ts'
import { lineVatKey, pickLineVat, toTaxTotalRate } from '../lines/line-vat.ts'
import { type creditNote, creditNoteLine } from './credit-note.ts'

type NoteLine = Partial<RowOf<typeof creditNoteLine>>

/** An invoice line and its earlier credits. */
interface Known extends CreditableLine {
  readonly line: InvoiceLineRow
}

export interface CreditToIssue {
  readonly lines: readonly NoteLine[]
  readonly to: RowOf<typeof creditNote>['to']
}

/**
 * Returns the lines and sums of a credit note for a locked invoice. `refunded`: pence that its refund returns.
 * `decided`: pence in the customer's favour that count towards the limit, without the refund. Throws 409 or 422 for a
 * credit that isn't possible.
 */
export async function computeCredit(c: Context, of: InvoiceRow, credit: CreditToIssue) {
  const { supplier, buyer } = of
  if (of.state === 'draft' || of.state === 'void' || !supplier || !buyer)
    throw problem.conflict(
      of.state === 'draft'
        ? 'This invoice is a draft. Edit it instead of crediting it.'
        : `${of.number} is void, so there is nothing to credit.`,
      'wrong_state',
    )
  const known = await knownLines(c, of)
  const { lines, wrong } = creditedLines(credit.lines, known)
  if (wrong.length) throw problem.invalid(wrong)
  const add = (key: 'net' | 'tax') => lines.reduce((all, l) => all + (l[key] ?? 0), 0)
  const sums: CreditNoteTotals = {
    currency: of.currency,
    net: add('net'),
    tax: add('tax'),
    gross: add('net') + add('tax'),
    taxByRate: taxByRate(lines),
    ...computeReverseCharge(lines.map((line) => ({ ...line, net: line.net ?? null }))),
  }
  const left = of.total - of.amountCredited
  if (sums.gross <= 0) throw problem.conflict(`${of.number} has already been credited in full.`, 'wrong_state')
  if (sums.gross > left)
    throw problem.invalid([
      violation('lines', `At most ${formatMoney(left, of.currency)} of ${of.number} can still be credited, incl. VAT`),
    ])
  const refunded = credit.to === 'refund' ? overOf(of, sums.gross) : 0
  if (credit.to === 'refund' && refunded === 0)
    throw problem.invalid([
      violation('to', `This credit only reduces the amount due on ${of.number}, so there is nothing to refund`),
    ])
  return {
    lines,
    sums,
    supplier,
    buyer,
    refunded,
    decided: sums.gross - refunded - computeNeverOwedPart(of, sums.gross),
  }
}

/**
 * Returns the part of a credit that had been written off. That part was no longer owed, so the credit reduces bad debt.
 */
export const computeNeverOwedPart = (of: InvoiceRow, gross: number) => Math.min(of.amountWrittenOff, gross)

/** Returns the part of a credit that exceeds the amount due. The customer has already paid this part. */
const overOf = (of: InvoiceRow, gross: number) =>
  Math.max(0, Math.min(of.amountPaid, gross - of.amountDue - of.amountWrittenOff))

async function knownLines(c: Context, of: InvoiceRow): Promise<Map<number, Known>> {
  const before = await c.find(creditNoteLine, { line: of.lines.map((l) => l.id) })
  return new Map(
    of.lines.map((line) => {
      const credited = before
        .filter((one) => one.line === line.id)
        .map(({ quantity, net, tax }) => ({ quantity, net: net ?? 0, tax: tax ?? 0 }))
      return [line.id, { line, quantity: line.quantity, net: line.net, tax: line.tax, credited }]
    }),
  )
}

/**
 * Returns the lines to credit with their amounts in pence, and any violations. Credits the requested lines or, by
 * default, the entire remainder of the invoice.
 */
function creditedLines(
  given: readonly NoteLine[],
  known: ReadonlyMap<number, Known>,
): { lines: NoteLine[]; wrong: Violation[] } {
  if (!given.length)
    return {
      wrong: [],
      lines: [...known.values()].flatMap((of) => {
        const all = computeRemainingCredit(of)
        return all.net === 0 && all.tax === 0 ? [] : [lineOf(of, all)]
      }),
    }
  const wrong: Violation[] = []
  const seen = new Set<number>()
  const lines = given.flatMap((asked, i) => {
    const of = known.get(asked.line ?? 0)
    const refuse = (field: string, why: string) => {
      wrong.push(violation(`lines[${i}].${field}`, why))
      return []
    }
    if (!of) return refuse('line', 'Please choose a line from this invoice')
    if (seen.has(of.line.id)) return refuse('line', 'Each line can be credited only once')
    seen.add(of.line.id)
    const amounts = amountsOf(of, asked)
    return typeof amounts === 'string' ? refuse(asked.net == null ? 'quantity' : 'net', amounts) : [lineOf(of, amounts)]
  })
  return { lines, wrong }
}

/** Returns the amounts to credit on a line, or the reason why the line can't be credited. */
function amountsOf(of: Known, { quantity, net }: NoteLine): CreditAmounts | string {
  const left = remainingCreditableAmounts(of)
  if (quantity == null && net == null)
    return left.net === 0 && left.tax === 0 ? 'This line has already been credited in full' : computeRemainingCredit(of)
  if (of.net <= 0) return 'A negative line can only be credited with the whole invoice'
  if (quantity != null && net != null) return 'Enter a quantity or an amount, not both'
  if (quantity != null && quantity > remainingCreditableQuantity(of))
    return `The quantity that can still be credited on this line is ${remainingCreditableQuantity(of)}`
  const amounts = quantity != null ? computeCreditByQuantity(of, quantity) : computeCreditByNet(of, net ?? 0)
  if (amounts.net <= 0) return 'Please enter an amount greater than 0'
  if (amounts.net > left.net)
    return `At most ${formatMoney(left.net, of.line.currency ?? 'GBP')} of this line can still be credited, excl. VAT`
  return amounts
}

const lineOf = ({ line }: Known, amounts: CreditAmounts): NoteLine => ({
  line: line.id,
  description: line.description,
  ...pickLineVat(line),
  reversePercent: line.reversePercent,
  product: line.product,
  ...amounts,
})

function taxByRate(lines: readonly NoteLine[]): CreditNoteTotals['taxByRate'] {
  const alike = Map.groupBy(lines, lineVatKey)
  return [...alike.values()]
    .map((same) => ({
      ...toTaxTotalRate(same[0] ?? {}),
      net: same.reduce((all, l) => all + (l.net ?? 0), 0),
      tax: same.reduce((all, l) => all + (l.tax ?? 0), 0),
    }))
    .toSorted((a, b) => b.percent - a.percent)
}
