import { choice, date, decimal, instant, integer, link, text } from '#kernel/fields.ts'
import { nextInstalment } from '#kernel/money/prorate.ts'
import { type Currency, penceToNumber } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import data from '../../../../db/reference/base-rates.json' with { type: 'json' }
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/** Percentage points above the Bank of England's base rate (SI 2002/1675, article 4). */
export const POINTS_ABOVE_BASE_RATE = 8

export interface BaseRate {
  /** 30 June or 31 December: the rate in force on this day applies to debts that become overdue in the next half-year. */
  readonly day: string
  readonly percent: number
}

/** Base rates that the portal knows. Finance staff add later ones. */
export const KNOWN_BASE_RATES: readonly BaseRate[] = data.rates

/**
 * A base rate added by finance staff, for a day that the portal does not know yet. Append-only: interest depends on it.
 */
export const baseRate = resource({
  type: 'BaseRate',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'base_rates',
  table: 'base_rate',
  tenant: 'own',
  order: ['-day'],
  appendOnly: true,
  fields: {
    day: date({ required: 'Please choose 30 June or 31 December', filter: true, order: true, label: 'In force on' }),
    percent: decimal({ required: true, min: 0, max: 50, label: 'Bank of England base rate (%)' }),
    source: text({ required: 'Please enter where you found the rate', max: 255, label: 'Source' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Added by' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: SELLING_ROLES, create: FINANCE_ROLES },
})

const CLAIM_STATES = [
  { value: 'waived', label: 'Waived' },
  { value: 'added', label: 'Added' },
] as const

const pence = { readonly: true, notNull: true, pence: true } as const

/** Late payment interest and fixed sum of an overdue invoice, added to the customer's account or waived. */
export const lateClaim = resource({
  type: 'LatePaymentClaim',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'late_payment_claims',
  table: 'late_payment_claim',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    invoice: link(() => invoice, { readonly: true, notNull: true, filter: true, embed: ['number'] }),
    /** Debit note with the amounts; null if they were waived. */
    document: link(() => invoice, { readonly: true, filter: true, embed: ['number', 'state'] }),
    state: choice(CLAIM_STATES, { readonly: true, notNull: true, filter: true }),
    from: date({ readonly: true, notNull: true, column: 'first_day', label: 'From' }),
    to: date({ readonly: true, notNull: true, column: 'last_day', label: 'To' }),
    percent: decimal({ readonly: true, notNull: true, label: 'Interest rate (%)' }),
    interest: integer({ ...pence, label: 'Interest' }),
    fixedSum: integer({ ...pence, label: 'Fixed sum' }),
    reason: text({ readonly: true, notNull: true, default: '', max: 500 }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Decided by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: SELLING_ROLES },
})

/** Change in a debt on a day, in pence; negative if the debt decreases. */
export interface DebtMovement {
  readonly day: string
  readonly amount: number
}

interface LateDebt {
  readonly dueOn: string
  readonly currency: Currency
  /** Changes in the debt; the first one is the issue of the invoice. */
  readonly movements: readonly DebtMovement[]
}

/** Interest and fixed sum of a late debt up to a day. Amounts are in pence. */
export interface LateInterest {
  readonly from: string
  readonly to: string
  /** 30 June or 31 December before the half-year in which the debt became overdue. */
  readonly rateDay: string
  /** Null if the base rate of that day is unknown; the interest is then unknown too. */
  readonly percent: number | null
  readonly interest: number | null
  readonly fixedSum: number
  /** Interest for one more day at the present debt. */
  readonly perDay: number | null
}

const plusDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

/** Returns the day whose base rate applies to a debt that becomes overdue on the day after `dueOn`. */
export function referenceRateDay(dueOn: string): string {
  const { year, month } = Temporal.PlainDate.from(dueOn).add({ days: 1 })
  return month > 6 ? `${year}-06-30` : `${year - 1}-12-31`
}

/** A percentage with up to four decimal places, as a whole number of ten-thousandths. */
const SCALE = 10_000n
const DAYS_PER_YEAR = 365n

/** Fixed sums by the size of the debt, in pence (1998 Act, section 5A). */
const FIXED_SUMS = [
  { below: 100_000, sum: 4_000 },
  { below: 1_000_000, sum: 7_000 },
  { below: Number.POSITIVE_INFINITY, sum: 10_000 },
] as const

/**
 * Calculates statutory interest (Late Payment of Commercial Debts (Interest) Act 1998): simple daily interest, at one
 * rate for the whole period, on the gross debt at the start of each day, from the day after the due date up to and
 * including `to`. The fixed sum, in sterling only, depends on the debt when it became overdue.
 */
export function computeLateInterest(debt: LateDebt, rates: readonly BaseRate[], to: string): LateInterest {
  const from = plusDays(debt.dueOn, 1)
  const rateDay = referenceRateDay(debt.dueOn)
  const base = rates.find(({ day }) => day === rateDay)?.percent ?? null
  const percent = base === null ? null : Number((base + POINTS_ABOVE_BASE_RATE).toFixed(4))
  const owedAt = (day: string) =>
    Math.max(
      0,
      debt.movements.reduce((sum, one) => (one.day < day ? sum + one.amount : sum), 0),
    )
  const first = owedAt(from)
  const late = to >= from && first > 0
  const fixedSum = late && debt.currency === 'GBP' ? (FIXED_SUMS.find(({ below }) => first < below)?.sum ?? 0) : 0
  // The debt changes only on the day after a movement, so each interval is multiplied by its days.
  const turns = [from, ...debt.movements.map(({ day }) => plusDays(day, 1))].filter((day) => day >= from && day <= to)
  const starts = [...new Set(turns)].toSorted()
  const penceDays = starts.reduce((sum, day, n) => {
    const end = starts[n + 1] ?? plusDays(to, 1)
    const { days } = Temporal.PlainDate.from(day).until(end, { largestUnit: 'days' })
    return sum + BigInt(owedAt(day)) * BigInt(days)
  }, 0n)
  const at = (pence: bigint) =>
    percent === null
      ? null
      : penceToNumber(
          nextInstalment(pence, BigInt(Math.round(percent * Number(SCALE))), SCALE * 100n * DAYS_PER_YEAR, 0n),
        )
  return { from, to, rateDay, percent, interest: at(penceDays), fixedSum, perDay: at(BigInt(owedAt(plusDays(to, 1)))) }
}

export interface EarlierClaim {
  readonly interest: number
  readonly fixedSum: number
}

/**
 * Returns the part that has been neither added nor waived yet. Interest is the total to date minus the earlier parts,
 * so that all parts add up to the total, to the penny.
 */
export function remainingLateInterest(all: LateInterest, earlier: readonly EarlierClaim[]): LateInterest {
  const done = (key: keyof EarlierClaim) => earlier.reduce((sum, one) => sum + one[key], 0)
  return {
    ...all,
    interest: all.interest === null ? null : Math.max(0, all.interest - done('interest')),
    fixedSum: Math.max(0, all.fixedSum - done('fixedSum')),
  }
}

/** Response of `GET invoices/{id}/late_interest`. */
export interface LateInterestAnswer extends LateInterest {
  readonly '@id': string
  readonly '@type': 'LateInterest'
  /** Reason why nothing can be added; null if something can. */
  readonly barred: string | null
  readonly claims: readonly {
    readonly id: number
    readonly state: 'added' | 'waived'
    readonly document: { readonly id: number; readonly number: string } | null
    readonly from: string
    readonly to: string
    readonly interest: number
    readonly fixedSum: number
    readonly reason: string
    readonly author: string
  }[]
}
