import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { NumberSequence } from '#kernel/sequence.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { UK_VAT_RATES } from '../catalogue/catalogue.server.ts'
import { taxRate } from '../catalogue/plan.ts'
import { INVOICING_PACK } from '../rights.ts'
import { invoiceSettings, MAX_PAYMENT_DAYS } from './invoice-settings.ts'

export type InvoiceSettingsValues = Omit<RowOf<typeof invoiceSettings>, 'id' | 'clientId' | 'updatedAt'>

/** Defaults for clients without saved settings. */
const USUAL: InvoiceSettingsValues = {
  legalName: '',
  prefix: 'INV-',
  firstNumber: 1,
  creditPrefix: 'CN-',
  paymentDays: 14,
  taxCode: 'standard',
  basicTaxPoint: false,
  accountName: '',
  bankName: '',
  sortCode: '',
  accountNumber: '',
  iban: '',
  bic: '',
  priceNoticeDays: 30,
  stockRefused: false,
}

/** Returns this client's invoice settings, or the defaults if none are saved. */
export async function loadInvoiceSettings(c: Pick<RecordReader, 'find'>): Promise<InvoiceSettingsValues> {
  const [row] = await c.find(invoiceSettings, {})
  return row ?? USUAL
}

/** Returns the number sequence with a client's own prefix and first number. */
export const applyClientNumbering = (series: NumberSequence, prefix: string, first = 1): NumberSequence => ({
  ...series,
  prefix,
  first,
})

const invoiceSettingsBehaviour = behaviour(invoiceSettings, {
  beforeSave: ({ values, changes }) => {
    if (values.prefix === values.creditPrefix)
      throw problem.invalid([violation('creditPrefix', 'Credit notes need a different prefix from invoices')])
    if ((changes.paymentDays ?? 0) > MAX_PAYMENT_DAYS)
      throw problem.invalid([
        violation(
          'paymentDays',
          `Terms of more than ${MAX_PAYMENT_DAYS} days must be agreed with each customer. Enter them on the customer’s page`,
        ),
      ])
    return undefined
  },
  afterSave: async (c) => {
    // The catalogue of a client that starts invoicing gets the UK VAT rates.
    if (c.before || (await c.exists(taxRate, {}))) return
    for (const rate of UK_VAT_RATES)
      await c.withoutPermissionCheck('add the VAT rates for new invoice settings').create(taxRate, rate)
  },
})

export const clientInvoicing = feature({
  pack: INVOICING_PACK,
  resources: [invoiceSettings],
  behaviours: [invoiceSettingsBehaviour],
})
