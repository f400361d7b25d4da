import { choice, date, decimal, flag, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { resource } from '#kernel/resource.ts'
import { catalogueOptions } from '../rights.ts'

/** A VAT rate and the date it applies from. */
export const taxRate = resource({
  ...catalogueOptions,
  type: 'TaxRate',
  path: 'tax_rates',
  table: 'tax_rate',
  title: 'name',
  order: ['-percent'],
  fields: {
    name: text({ required: 'Please give this rate a name', filter: 'partial', order: true }),
    code: choice(TAX_CODE_OPTIONS, { default: 'standard', filter: true, label: 'Type of VAT' }),
    percent: decimal({ required: true, min: 0, max: 100, filter: true, order: true }),
    from: date({ column: 'from_date', filter: true, order: true }),
    retired: flag({ filter: true }),
  },
})
