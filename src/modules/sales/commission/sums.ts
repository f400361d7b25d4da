export const COMMISSION_TOTALS_URL = '/api/sales/commission'

export interface CommissionTotals {
  readonly '@id': string
  /** Months, latest first. */
  readonly months: readonly {
    readonly '@id': string
    readonly id: number
    /** First day of the month. */
    readonly month: string
    readonly state: 'open' | 'approved' | 'locked'
  }[]
  /** Totals by month ID, seller ID and kind. */
  readonly sums: readonly {
    readonly month: number
    readonly seller: number
    readonly kind: string
    /** True if the total is the signed-in user's own commission. */
    readonly mine: boolean
    /** Amount in pence. */
    readonly amount: number
    readonly count: number
  }[]
}

type Sum = CommissionTotals['sums'][number]

/** Sums the commission due, paid (in locked months) and clawed back, in pence. */
export function calculateCommissionBalance({ months, sums }: CommissionTotals, of: (sum: Sum) => boolean) {
  const paid = new Set(months.flatMap((m) => (m.state === 'locked' ? [m.id] : [])))
  const add = (which: (sum: Sum) => boolean) => sums.filter((s) => of(s) && which(s)).reduce((n, s) => n + s.amount, 0)
  return {
    pending: add((s) => !paid.has(s.month)),
    paid: add((s) => paid.has(s.month)),
    clawedBack: -add((s) => s.kind === 'clawback'),
  }
}
