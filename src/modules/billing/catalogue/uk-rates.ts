import type { TaxCode } from '#kernel/money/tax-codes.ts'

export const UK_VAT_RATES = [
  { name: 'Standard rate', code: 'standard', percent: 20, from: '2011-01-04' },
  { name: 'Reduced rate', code: 'reduced', percent: 5, from: '1997-09-01' },
  { name: 'Zero rate', code: 'zero', percent: 0, from: '1973-04-01' },
  { name: 'Exempt', code: 'exempt', percent: 0, from: '1973-04-01' },
  { name: 'Outside the scope of VAT', code: 'outside', percent: 0, from: '1973-04-01' },
  { name: 'Reverse charge', code: 'reverse', percent: 0, from: '1973-04-01' },
] as const satisfies readonly { name: string; code: TaxCode; percent: number; from: string }[]
