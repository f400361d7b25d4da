/**
 * VAT treatment; 0% can mean four of them. VAT Notice 700, sections 3 and 4; for reverse charge VAT Notice 735, and for
 * services from abroad VAT Notice 741A.
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

/** True if VAT is charged on a sale. Other codes charge none, whatever the percentage. */
export const isVatCharged = (code: TaxCode): boolean => code === 'standard' || code === 'reduced'

/** Returns the default tax code for a VAT percentage. */
export const defaultTaxCode = (percent: number): TaxCode =>
  percent === 0 ? 'zero' : percent < STANDARD_AT_LEAST ? 'reduced' : 'standard'

/** Minimum percentage of a standard rate: the lowest since 1979, and above any reduced rate. */
const STANDARD_AT_LEAST = 15

/** A VAT rate with its code and first day; without a day it has always applied. */
export interface DatedVatRate {
  readonly code: TaxCode
  readonly percent: number
  readonly from: string | null
  readonly retired: boolean
}

/** Returns the VAT rate at a tax point, `2026-02-28`: the latest that has begun; `undefined` if there is none. */
export const vatRateOn = <R extends DatedVatRate>(rates: readonly R[], code: TaxCode, day: string): R | undefined =>
  rates
    .filter((rate) => !rate.retired && rate.code === code && (rate.from ?? '') <= day)
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? 1 : -1))[0]
