import { choice, date, instant, integer, link, longText, text, typedJson } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'

export const VAT_BOXES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export type VatBox = (typeof VAT_BOXES)[number]

/** Titles of the boxes, as on HMRC’s form (VAT Notice 700/12, section 3). */
export const VAT_BOX_TITLES: Readonly<Record<VatBox, string>> = {
  1: 'VAT due on sales and other outputs',
  2: 'VAT due on acquisitions from EU member states in Northern Ireland',
  3: 'Total VAT due (boxes 1 and 2)',
  4: 'VAT reclaimed on purchases and other inputs',
  5: 'Net VAT to pay or reclaim (difference of boxes 3 and 4)',
  6: 'Total value of sales, excl. VAT',
  7: 'Total value of purchases, excl. VAT',
  8: 'Value of goods supplied to EU member states from Northern Ireland, excl. VAT',
  9: 'Value of acquisitions from EU member states in Northern Ireland, excl. VAT',
}

/** Pence by box. Boxes 6 to 9 are whole pounds, with the pence dropped. */
export type VatFigures = Readonly<Record<VatBox, number>>

const PENNIES_PER_POUND = 100

/** Calculates the figures of a return from the sums of its rows, in pence. */
export function computeVatFigures(sums: Partial<Record<VatBox, number>>): VatFigures {
  const of = (box: VatBox) => sums[box] ?? 0
  const pounds = (box: VatBox) => Math.trunc(of(box) / PENNIES_PER_POUND) * PENNIES_PER_POUND || 0
  const due = of(1) + of(2)
  return {
    1: of(1),
    2: of(2),
    3: due,
    4: of(4),
    5: Math.abs(due - of(4)),
    6: pounds(6),
    7: pounds(7),
    8: pounds(8),
    9: pounds(9),
  }
}

/** A return as HMRC’s VAT (MTD) API 1.0 receives it: pounds, and whole pounds in the last four figures. */
export interface HmrcReturn {
  readonly periodKey: string
  readonly vatDueSales: number
  readonly vatDueAcquisitions: number
  readonly totalVatDue: number
  readonly vatReclaimedCurrPeriod: number
  /** Never negative. The two figures before it show whether VAT is due or reclaimed. */
  readonly netVatDue: number
  readonly totalValueSalesExVAT: number
  readonly totalValuePurchasesExVAT: number
  readonly totalValueGoodsSuppliedExVAT: number
  readonly totalAcquisitionsExVAT: number
  readonly finalised: true
}

/** HMRC’s receipt. `paymentIndicator`: `DD` for payment by direct debit, `BANK` for a repayment to the bank account. */
export interface HmrcReceipt {
  readonly processingDate: string
  readonly formBundleNumber: string
  readonly paymentIndicator: string
  readonly chargeRefNumber: string
}

/** One row of a box: a document, a payment, an adjustment or an amount entered by hand, in pence sterling. */
export interface VatRow {
  readonly day: string
  readonly description: string
  readonly company: string
  readonly invoice: number | null
  readonly amount: number
}

/** A bad debt whose VAT can be claimed, in pence sterling. `reason` says why it can't be claimed yet. */
export interface VatBadDebtCandidate {
  readonly invoice: number
  readonly number: string
  readonly company: string
  readonly dueOn: string
  readonly amount: number
  readonly reason: string
}

/** Response of `GET vat_returns/{id}/figures`. */
export interface VatReturnFigures {
  readonly boxes: readonly { readonly box: VatBox; readonly title: string; readonly amount: number }[]
  readonly warnings: readonly string[]
  readonly badDebts: readonly VatBadDebtCandidate[]
}

const MAX_AMOUNT_PENCE = 100_000_000_000
const typed = { default: 0, min: -MAX_AMOUNT_PENCE, max: MAX_AMOUNT_PENCE, pence: true } as const

/** A VAT return. A draft's figures follow the documents; a filed return never changes. */
export const vatReturn = resource({
  type: 'VatReturn',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'vat_returns',
  table: 'vat_return',
  tenant: 'own',
  order: ['-from'],
  state: 'state',
  fields: {
    from: date({
      required: 'Please choose the first day',
      column: 'first_day',
      filter: true,
      order: true,
      label: 'First day',
    }),
    to: date({
      required: 'Please choose the last day',
      column: 'last_day',
      filter: true,
      order: true,
      label: 'Last day',
    }),
    scheme: choice(
      [
        { value: 'invoice', label: 'By invoice date' },
        { value: 'cash', label: 'Cash accounting: by payments received' },
      ],
      { default: 'invoice', label: 'VAT scheme' },
    ),
    state: choice(
      [
        { value: 'draft', label: 'Draft' },
        { value: 'sending', label: 'Sent, not confirmed' },
        { value: 'filed', label: 'Filed' },
      ],
      { readonly: true, notNull: true, default: 'draft', filter: true, count: true, label: 'Status' },
    ),
    acquisitionVat: integer({ ...typed, label: 'Box 2: VAT on acquisitions' }),
    purchaseVat: integer({ ...typed, label: 'Box 4: VAT on purchases' }),
    purchases: integer({ ...typed, label: 'Box 7: purchases, excl. VAT' }),
    dispatches: integer({ ...typed, label: 'Box 8: goods supplied to the EU' }),
    acquisitions: integer({ ...typed, label: 'Box 9: acquisitions, excl. VAT' }),
    notes: longText({ default: '', max: 5000 }),
    /** Pence by box, as filed. */
    figures: typedJson<VatFigures>()({ readonly: true }),
    filedOn: date({ readonly: true, label: 'Filed on' }),
    filedBy: text({ readonly: true, notNull: true, default: '', person: true, label: 'Recorded by' }),
    filedAt: instant({ readonly: true, label: 'Recorded' }),
    periodKey: text({ readonly: true, notNull: true, default: '', label: 'HMRC’s period key' }),
    /** The return as it was last sent to HMRC. */
    submission: typedJson<HmrcReturn>()({ readonly: true, omitFromLists: true }),
    submissionMessage: text({
      readonly: true,
      notNull: true,
      default: '',
      omitFromLists: true,
      label: 'HMRC’s answer',
    }),
    /** Null if the return was filed by hand, or if HMRC confirmed it without a receipt. */
    receipt: typedJson<HmrcReceipt>()({ readonly: true, omitFromLists: true }),
    submittedAt: instant({ readonly: true, label: 'Sent to HMRC' }),
    submittedBy: text({ readonly: true, notNull: true, default: '', person: true, label: 'Sent by' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: {
    read: FINANCE_ROLES,
    create: FINANCE_ROLES,
    update: FINANCE_ROLES,
    delete: FINANCE_ROLES,
  },
  actions: {
    file: {
      path: 'file',
      title: 'Record the return as filed, close its period and freeze its figures',
      allow: FINANCE_ROLES,
      from: ['draft', 'sending'],
      input: {
        filedOn: date({ required: 'Please enter the date of filing with HMRC', label: 'Filed on' }),
        /** Box 5 as the user saw it, in pence. */
        netVatDue: integer({ required: 'Please state box 5', pence: true, label: 'Box 5' }),
      },
    },
  },
})

const part = {
  service: 'financial',
  pack: INVOICING_PACK,
  tenant: 'own',
  order: ['id'],
  allow: {
    read: FINANCE_ROLES,
    create: FINANCE_ROLES,
    delete: FINANCE_ROLES,
  },
} as const
const ofReturn = link((): Resource => vatReturn, {
  required: true,
  column: 'return_id',
  filter: true,
  label: 'VAT return',
})
const created = {
  author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Created by' }),
  createdAt: instant({ readonly: true, notNull: true }),
}

/** A correction of a box, with its reason (VAT Notice 700/45, method 1). */
export const vatAdjustment = resource({
  ...part,
  type: 'VatAdjustment',
  path: 'vat_adjustments',
  table: 'vat_adjustment',
  title: 'reason',
  fields: {
    vatReturn: ofReturn,
    box: integer({ required: 'Please enter the box', min: 1, max: 9, filter: true }),
    amount: integer({
      min: -MAX_AMOUNT_PENCE,
      max: MAX_AMOUNT_PENCE,
      pence: true,
      required: 'Please enter the amount',
      label: 'Amount, negative to deduct',
    }),
    reason: text({ required: 'Please enter a reason', max: 500 }),
    ...created,
  },
})

/** VAT on a bad debt, claimed in a return (VAT Notice 700/18). */
export const vatBadDebt = resource({
  ...part,
  type: 'VatBadDebt',
  path: 'vat_bad_debts',
  table: 'vat_bad_debt',
  fields: {
    vatReturn: ofReturn,
    invoice: link(() => invoice, { required: 'Please choose the invoice', filter: true, embed: ['number', 'company'] }),
    /** Claimed VAT in pence sterling. */
    amount: integer({ readonly: true, notNull: true, pence: true }),
    /** Amount unpaid at the end of the period, in pence of the invoice’s currency. */
    outstanding: integer({ readonly: true, notNull: true }),
    ...created,
  },
})

const stored = { readonly: true, notNull: true } as const
const readOnly = {
  service: 'financial',
  pack: INVOICING_PACK,
  tenant: 'own',
  order: ['id'],
  appendOnly: true,
  allow: { read: FINANCE_ROLES },
} as const

/** A row of a filed return, as it was when filed. */
export const vatReturnRow = resource({
  ...readOnly,
  type: 'VatReturnRow',
  path: 'vat_return_rows',
  table: 'vat_return_row',
  title: 'description',
  fields: {
    vatReturn: link(() => vatReturn, { ...stored, column: 'return_id', filter: true }),
    box: integer({ ...stored, filter: true }),
    day: date(stored),
    description: text(stored),
    company: text({ ...stored, default: '' }),
    invoice: link(() => invoice, { readonly: true, filter: true, embed: ['number'] }),
    amount: integer({ ...stored, pence: true }),
  },
})

/** Money received or, if negative, returned for an invoice on a day. Written by a trigger when the invoice changes. */
export const invoiceSettlement = resource({
  ...readOnly,
  type: 'InvoiceSettlement',
  path: 'invoice_settlements',
  table: 'invoice_settlement',
  fields: {
    invoice: link(() => invoice, { ...stored, filter: true, embed: ['number'] }),
    day: date({ ...stored, filter: true }),
    amount: integer({ ...stored, pence: true }),
  },
})
