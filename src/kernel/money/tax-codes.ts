/**
 * VAT treatments, of which four can have a rate of 0%: zero, exempt, outside and reverse. Sources: VAT Notice 700,
 * sections 3 and 4; VAT Notice 735 for the reverse charge; VAT Notice 741A for services from abroad.
 */
export const TAX_CODES = ['standard', 'reduced', 'zero', 'exempt', 'outside', 'reverse'] as const
export type TaxCode = (typeof TAX_CODES)[number]

const LABELS: Readonly<Record<TaxCode, string>> = {
  standard: 'Standard rate',
  reduced: 'Reduced rate',
  zero: 'Zero rate',
  exempt: 'Exempt',
  outside: 'Outside the scope of VAT',
  reverse: 'Reverse charge',
}

export const TAX_CODE_OPTIONS = TAX_CODES.map((value) => ({ value, label: LABELS[value] }))

/** Rates at which a customer can account for the VAT of a reverse charge. */
export const REVERSE_CHARGE_OPTIONS = [
  { value: 'standard', label: 'Standard rate' },
  { value: 'reduced', label: 'Reduced rate' },
] as const

/** True if VAT is charged on a sale with this code. No VAT is charged with other codes, whatever the percentage. */
export const isVatCharged = (code: TaxCode): boolean => code === 'standard' || code === 'reduced'

/**
 * Returns the default tax code for a VAT percentage: `zero` for 0%, `reduced` below `STANDARD_AT_LEAST`, otherwise
 * `standard`.
 */
export const defaultTaxCode = (percent: number): TaxCode =>
  percent === 0 ? 'zero' : percent < STANDARD_AT_LEAST ? 'reduced' : 'standard'

/**
 * Minimum percentage for a standard rate. It is the lowest standard rate since 1979, and is higher than any reduced
 * rate.
 */
const STANDARD_AT_LEAST = 15

/** A VAT rate with its code and its first day. If it has no first day, it has always applied. */
export interface DatedVatRate {
  readonly code: TaxCode
  readonly percent: number
  readonly from: string | null
  readonly retired: boolean
}

/**
 * Returns the VAT rate at a tax point such as `2026-02-28`: the latest rate that has started; `undefined` if there is
 * none.
 */
export const findVatRateOn = <R extends DatedVatRate>(rates: readonly R[], code: TaxCode, day: string): R | undefined =>
  rates
    .filter((rate) => !rate.retired && rate.code === code && (rate.from ?? '') <= day)
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? 1 : -1))[0]
