import type { Currency } from '#kernel/money.ts'

export const DEBTORS_URL = '/api/financial/ledger/debtors'

/** Age bands in days overdue. Credit that exceeds a customer's debts is listed separately. */
export const DEBT_AGE_BANDS = [
  { value: 'current', label: 'Not yet due', to: 0 },
  { value: '1-30', label: '1–30 days', to: 30 },
  { value: '31-60', label: '31–60 days', to: 60 },
  { value: '61-90', label: '61–90 days', to: 90 },
  { value: 'over90', label: 'Over 90 days', to: Number.POSITIVE_INFINITY },
  { value: 'credit', label: 'In credit', to: Number.NaN },
] as const
export type DebtAgeBand = (typeof DEBT_AGE_BANDS)[number]['value']

/** Part of a customer's balance, for one invoice or recorded without an invoice. In pence; negative if in credit. */
export interface ReceivableItem {
  readonly customer: number
  readonly currency: Currency
  /** Invoice ID; null if the amount was recorded without an invoice. */
  readonly invoice: number | null
  readonly dueOn: string
  readonly amount: number
}

export type AgedReceivable<O extends ReceivableItem = ReceivableItem> = O & {
  readonly days: number
  readonly age: DebtAgeBand
}

const daysPast = (dueOn: string, day: string) =>
  Temporal.PlainDate.from(dueOn).until(Temporal.PlainDate.from(day), { largestUnit: 'days' }).days

const ageOf = (days: number): DebtAgeBand => DEBT_AGE_BANDS.find(({ to }) => days <= to)?.value ?? 'over90'

/**
 * Returns the age of each customer debt at the end of a day. Credit is set against the oldest debts first; the total
 * per customer and currency does not change.
 */
export function ageDebts<O extends ReceivableItem>(owed: readonly O[], day: string): AgedReceivable<O>[] {
  return [...Map.groupBy(owed, ({ customer, currency }) => `${customer} ${currency}`).values()].flatMap((of) => {
    const sorted = of.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn) || (a.invoice ?? 0) - (b.invoice ?? 0))
    let credit = sorted.reduce((sum, { amount }) => sum + Math.min(amount, 0), 0)
    const left = sorted.flatMap((one): AgedReceivable<O>[] => {
      if (one.amount <= 0) return []
      const paid = Math.min(one.amount, -credit)
      credit += paid
      const days = daysPast(one.dueOn, day)
      return paid === one.amount ? [] : [{ ...one, amount: one.amount - paid, days, age: ageOf(days) }]
    })
    const last = sorted.findLast(({ amount }) => amount < 0)
    return credit < 0 && last ? [...left, { ...last, invoice: null, amount: credit, days: 0, age: 'credit' }] : left
  })
}

export type DebtAgeTotals = Readonly<Record<DebtAgeBand, number>>

/** Sums debts by age band, in pence. */
export function sumDebtsByAge(debts: readonly AgedReceivable[]): DebtAgeTotals {
  const sums: Record<DebtAgeBand, number> = { current: 0, '1-30': 0, '31-60': 0, '61-90': 0, over90: 0, credit: 0 }
  for (const { age, amount } of debts) sums[age] += amount
  return sums
}

export interface AgedDebtor {
  readonly customer: number
  readonly company: string
  readonly currency: Currency
  readonly ages: DebtAgeTotals
  readonly total: number
}

export interface AgedDebtorsResponse {
  readonly day: string
  readonly rows: readonly AgedDebtor[]
  readonly sums: readonly { readonly currency: Currency; readonly ages: DebtAgeTotals; readonly total: number }[]
}

/** A debt that makes up part of a total, with the company's name and the invoice number. */
export interface AgedDebt extends AgedReceivable {
  readonly company: string
  /** Invoice number; empty if there is no invoice. */
  readonly number: string
}
