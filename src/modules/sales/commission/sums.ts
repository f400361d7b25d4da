/** Where commission is added up. */
export const SUMS = '/api/sales/commission'

export interface CommissionSums {
  readonly '@id': string
  /** The latest first. */
  readonly months: readonly {
    readonly '@id': string
    readonly id: number
    /** Its first day. */
    readonly month: string
    readonly state: 'open' | 'approved' | 'locked'
  }[]
  /** By month, seller (ids) and kind. */
  readonly sums: readonly {
    readonly month: number
    readonly seller: number
    readonly kind: string
    /** Is it the asker's own? */
    readonly mine: boolean
    /** Pence. */
    readonly amount: number
    readonly count: number
  }[]
}

type Sum = CommissionSums['sums'][number]

/** Pence that are still to be paid, that were paid, and that were clawed back of either; a locked month is paid. */
export function standing({ months, sums }: CommissionSums, of: (sum: Sum) => boolean) {
  const paid = new Set(months.flatMap((m) => (m.state === 'locked' ? [m.id] : [])))
  const add = (which: (sum: Sum) => boolean) => sums.filter((s) => of(s) && which(s)).reduce((n, s) => n + s.amount, 0)
  return {
    pending: add((s) => !paid.has(s.month)),
    paid: add((s) => paid.has(s.month)),
    clawedBack: -add((s) => s.kind === 'clawback'),
  }
}
