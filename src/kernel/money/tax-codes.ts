/**
 * Why VAT is charged at its rate, or is not: nought per cent is four things. VAT Notice 700, sections 3 and 4; reverse charge: VAT Notice
 * 735, and for services from abroad VAT Notice 741A.
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

/** Does it put VAT on a sale? The others come to nothing, whatever percentage stands beside them. */
export const isCharged = (code: TaxCode): boolean => code === 'standard' || code === 'reduced'

/** What a percentage most likely is, of a line that says nothing else. */
export const codeOfPercent = (percent: number): TaxCode =>
  percent === 0 ? 'zero' : percent < STANDARD_AT_LEAST ? 'reduced' : 'standard'

/** The lowest standard rate there has been since 1979, and more than any reduced one. */
const STANDARD_AT_LEAST = 15

/** A rate of VAT as it is kept: what it is, and the day it holds from; none is ever. */
export interface DatedRate {
  readonly code: TaxCode
  readonly percent: number
  readonly from: string | null
  readonly retired: boolean
}

/** The rate that holds at a tax point, `2026-02-28`: the newest that has begun. `undefined` where there was none. */
export const rateAt = <R extends DatedRate>(rates: readonly R[], code: TaxCode, day: string): R | undefined =>
  rates
    .filter((rate) => !rate.retired && rate.code === code && (rate.from ?? '') <= day)
    .toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? 1 : -1))[0]
