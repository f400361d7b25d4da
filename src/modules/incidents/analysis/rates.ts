/** Hours worked and people employed in a month, as entered. Null: not entered. */
export interface WorkforceValues {
  readonly month: string
  readonly hours: number | null
  readonly headcount: number | null
}

/** Employees and hours to which the rates refer, as HSE does in its statistics. */
const RATE_EMPLOYEES = 100_000
const RATE_HOURS = 1_000_000

/** Sum of hours and average number of people of some months; null if a month lacks the value. */
export interface Workforce {
  readonly hours: number | null
  readonly headcount: number | null
  /** Months without the value. */
  readonly missingHours: readonly string[]
  readonly missingHeadcount: readonly string[]
}

export function summariseWorkforce(months: readonly string[], entered: readonly WorkforceValues[]): Workforce {
  const byMonth = new Map(entered.map((one) => [one.month, one]))
  const missing = (name: 'hours' | 'headcount') =>
    months.filter((month) => (byMonth.get(month)?.[name] ?? null) === null)
  const sum = (name: 'hours' | 'headcount') => months.reduce((n, month) => n + (byMonth.get(month)?.[name] ?? 0), 0)
  const [missingHours, missingHeadcount] = [missing('hours'), missing('headcount')]
  return {
    hours: months.length && !missingHours.length ? sum('hours') : null,
    headcount: months.length && !missingHeadcount.length ? sum('headcount') / months.length : null,
    missingHours,
    missingHeadcount,
  }
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** Returns a rate per number of employees or hours; null if that number is unknown or 0. */
const rateOf = (incidents: number, of: number | null, per: number): number | null =>
  of ? round((incidents * per) / of, 2) : null

/** Incidents for each 100,000 employees. The period is not projected to a year. */
export const calculateRatePerEmployees = (
  incidents: number,
  { headcount }: Pick<Workforce, 'headcount'>,
): number | null => rateOf(incidents, headcount, RATE_EMPLOYEES)

/** Incidents for each 1,000,000 hours worked. */
export const calculateRatePerHours = (incidents: number, { hours }: Pick<Workforce, 'hours'>): number | null =>
  rateOf(incidents, hours, RATE_HOURS)

/** Near misses for each accident; null without an accident. */
export const nearMissRatio = (nearMisses: number, accidents: number): number | null =>
  accidents ? round(nearMisses / accidents, 2) : null
