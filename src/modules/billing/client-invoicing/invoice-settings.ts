import { choice, flag, instant, integer, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { resource } from '#kernel/resource.ts'
import { INVOICING_PACK, PRICING_ROLES, SELLING_ROLES } from '../rights.ts'

/**
 * Longest payment terms, in days, without an agreement (Late Payment of Commercial Debts (Interest) Act 1998, section
 * 4).
 */
export const MAX_PAYMENT_DAYS = 60

const PREFIX = { regex: /^[A-Za-z0-9/-]{0,10}$/, message: 'Enter up to ten letters, digits, slashes and hyphens' }

/**
 * A client's invoice settings: issuer, numbering and bank details. Each client has one record. The address and VAT
 * number come from the company record.
 */
export const invoiceSettings = resource({
  type: 'InvoiceSettings',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'invoice_settings',
  table: 'invoice_settings',
  tenant: 'own',
  fields: {
    legalName: text({
      default: '',
      max: 200,
      label: 'Legal name on documents',
      help: 'Enter a legal name only if it differs from the company’s name.',
    }),
    prefix: text({ default: 'INV-', pattern: PREFIX, label: 'Invoice number prefix' }),
    firstNumber: integer({
      required: true,
      default: 1,
      min: 1,
      max: 100_000_000,
      label: 'First invoice number',
      help: 'Lets you continue the numbering from another system. The number can’t be changed once an invoice has been issued.',
    }),
    creditPrefix: text({ default: 'CN-', pattern: PREFIX, label: 'Credit note number prefix' }),
    paymentDays: integer({
      required: true,
      default: 14,
      min: 0,
      max: 365,
      label: 'Payment terms (days)',
      help: 'Default for new customers.',
    }),
    taxCode: choice(TAX_CODE_OPTIONS, {
      default: 'standard',
      label: 'Default VAT',
      help: 'Used for lines without their own rate. Without a VAT number, no VAT is charged.',
    }),
    basicTaxPoint: flag({
      label: 'The date of supply is always the tax point',
      help: 'Choose this only if you have told HMRC that you don’t use the 14-day rule (VAT Act 1994, section 6(5)). Otherwise, an invoice within 14 days of the supply has its own date as the tax point.',
    }),
    accountName: text({ default: '', max: 100, label: 'Account name' }),
    bankName: text({ default: '', max: 100, label: 'Bank' }),
    sortCode: text({
      default: '',
      pattern: { regex: /^(\d{2}[- ]?\d{2}[- ]?\d{2})?$/, message: 'A sort code has six digits' },
      label: 'Sort code',
    }),
    accountNumber: text({
      default: '',
      pattern: { regex: /^(\d{6,10})?$/, message: 'An account number has six to ten digits' },
      label: 'Account number',
    }),
    iban: text({
      default: '',
      pattern: {
        regex: /^([A-Za-z]{2}\d{2}[A-Za-z0-9 ]{8,36})?$/,
        message: 'An IBAN begins with a country code and two digits',
      },
      label: 'IBAN',
    }),
    bic: text({
      default: '',
      pattern: { regex: /^([A-Za-z0-9]{8}([A-Za-z0-9]{3})?)?$/, message: 'A BIC has eight or eleven characters' },
      label: 'BIC',
    }),
    priceNoticeDays: integer({
      required: true,
      default: 30,
      min: 0,
      max: 365,
      label: 'Notice of a new price (days)',
      help: 'A new price of a plan applies to a subscription from the first period after this notice. Your terms must allow it.',
    }),
    stockRefused: flag({
      label: 'Don’t invoice more than is in stock',
      help: 'If this setting is off, you get a warning and stock can go below zero.',
    }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES, create: PRICING_ROLES, update: PRICING_ROLES },
})
