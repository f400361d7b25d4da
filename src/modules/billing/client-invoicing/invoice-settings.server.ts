import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Sequence } from '#kernel/sequence.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Reader } from '#server/engine/types.ts'
import { taxRate } from '../catalogue/tax-rate.ts'
import { UK_RATES } from '../catalogue/uk-rates.ts'
import { BOOKS } from '../rights.ts'
import { invoiceSettings } from './invoice-settings.ts'

export type InvoiceRules = Omit<RowOf<typeof invoiceSettings>, 'id' | 'clientId' | 'updatedAt'>

/** As a new record has it: who has settled nothing invoices by this. */
const USUAL: InvoiceRules = {
  legalName: '',
  prefix: 'INV-',
  firstNumber: 1,
  creditPrefix: 'CN-',
  paymentDays: 14,
  taxCode: 'standard',
  accountName: '',
  bankName: '',
  sortCode: '',
  accountNumber: '',
  iban: '',
  bic: '',
  stockRefused: false,
}

/** How this client invoices. */
export async function invoiceRules(c: Pick<Reader, 'find'>): Promise<InvoiceRules> {
  const [row] = await c.find(invoiceSettings, {})
  return row ?? USUAL
}

/** The series as this client calls it, from where its own begins. */
export const seriesOf = (series: Sequence, prefix: string, first = 1): Sequence => ({ ...series, prefix, first })

const invoiceSettingsBehaviour = behaviour(invoiceSettings, {
  beforeSave: ({ values }) => {
    if (values.prefix === values.creditPrefix)
      throw problem.invalid([
        violation('creditPrefix', 'Credit notes are told from invoices by what stands before their numbers'),
      ])
    return undefined
  },
  afterSave: async (c) => {
    // Whoever begins to invoice has the rates of VAT, to give them to what they sell.
    if (c.before || (await c.exists(taxRate, {}))) return
    for (const rate of UK_RATES)
      await c.withoutPermissionCheck('books begin with the rates of VAT').create(taxRate, rate)
  },
})

export const clientInvoicing = feature({
  pack: BOOKS,
  resources: [invoiceSettings],
  behaviours: [invoiceSettingsBehaviour],
})
