import {
  buildCreditNoteDocument,
  buildInvoiceDocument,
  type PrintableCreditNote,
  type PrintableInvoice,
} from '#modules/billing/invoices/paper.ts'
import { financialDocumentPdfJob } from '#modules/billing/print/financial-document.server.ts'
import { buildCustomerStatementDocument } from '#modules/billing/statements/statement.ts'
import { renderPdf } from '#server/pdf/render.ts'

const supplier = {
  name: 'Brightside Safety Ltd',
  address: '14 Wharf Street, Leeds, LS1 1AA',
  companyNumber: '01234567',
  vatNumber: 'GB 123 4567 82',
  telephone: '01632 960960',
  email: 'hello@brightside.example',
}
const buyer = {
  name: 'Café Zürich – Ελλάς GmbH',
  contactName: 'Ann Carter',
  address: ['1 Mill Lane', 'Leeds', 'LS1 1AA'],
  vatNumber: 'DE136695976',
  email: 'ann@acme.example',
}
const line = {
  quantity: 1,
  unitAmount: 10_000,
  amount: 10_000,
  taxCode: 'standard',
  taxPercent: 20,
  discount: 0,
  net: 10_000,
} as const

/** An invoice with each kind of VAT, discounts of a line and of the whole, service dates and a foreign currency. */
export const sampleInvoice: PrintableInvoice = {
  number: 'INV-00042',
  state: 'open',
  date: '2026-02-28',
  taxPoint: '2026-02-14',
  dueOn: '2026-03-14',
  periodFrom: '2026-02-01',
  periodTo: '2026-02-28',
  currency: 'EUR',
  exchangeRate: 1.1624,
  sterlingTax: 1549,
  supplier,
  buyer,
  poNumber: 'PO-77',
  percentOff: 10,
  discountName: 'Welcome',
  notes: 'Thank you for your order.',
  reason: '',
  lines: [
    { ...line, description: 'Safety pack', from: '2026-02-01', to: '2026-02-28', discount: 1000, net: 9000 },
    {
      ...line,
      description: 'A booklet',
      unitAmount: 12_500,
      discountPercent: 20,
      taxCode: 'zero',
      taxPercent: 0,
      from: null,
      to: null,
    },
    { ...line, description: 'Training', taxCode: 'exempt', taxPercent: 0, from: null, to: null },
    {
      ...line,
      description: 'Laying bricks',
      taxCode: 'reverse',
      taxPercent: 0,
      reversePercent: 20,
      from: null,
      to: null,
    },
  ],
  subtotal: 40_000,
  discount: 1000,
  net: 39_000,
  tax: 1800,
  total: 40_800,
  totals: {
    taxByRate: [
      { code: 'standard', percent: 20, net: 9000, tax: 1800 },
      { code: 'zero', percent: 0, net: 10_000, tax: 0 },
      { code: 'exempt', percent: 0, net: 10_000, tax: 0 },
      { code: 'reverse', percent: 0, net: 10_000, tax: 0 },
    ],
    reverseCharge: [{ percent: 20, net: 10_000, tax: 2000 }],
  },
}

const credit: PrintableCreditNote = {
  ...sampleInvoice,
  number: 'CN-00007',
  invoice: { number: sampleInvoice.number, date: sampleInvoice.date },
  reason: 'The booklet never came.',
  lines: [{ ...line, description: 'A booklet', tax: 0, taxCode: 'zero', taxPercent: 0 }],
  net: 10_000,
  total: 10_000,
  totals: { taxByRate: [{ code: 'zero', percent: 0, net: 10_000, tax: 0 }] },
}

export const renderInvoicePdf = (): Promise<Buffer> =>
  renderPdf(financialDocumentPdfJob(buildInvoiceDocument(sampleInvoice)))
export const renderLongInvoicePdf = (): Promise<Buffer> =>
  renderPdf(
    financialDocumentPdfJob(
      buildInvoiceDocument({ ...sampleInvoice, lines: Array.from({ length: 60 }, () => sampleInvoice.lines).flat() }),
    ),
  )
export const renderProFormaPdf = (): Promise<Buffer> =>
  renderPdf(
    financialDocumentPdfJob(
      buildInvoiceDocument({ ...sampleInvoice, number: '', state: 'draft', date: null, lines: [] }),
    ),
  )
export const renderCreditNotePdf = (): Promise<Buffer> =>
  renderPdf(financialDocumentPdfJob(buildCreditNoteDocument(credit)))
export const renderStatementPdf = (): Promise<Buffer> =>
  renderPdf(
    financialDocumentPdfJob(
      buildCustomerStatementDocument({
        currency: 'GBP',
        currencies: ['GBP'],
        from: '2026-01-01',
        to: '2026-02-28',
        opening: 5000,
        lines: [{ day: '2026-02-01', description: 'Invoice INV-00041', amount: 1200, balance: 6200 }],
        closing: 6200,
        overdue: 5000,
        supplier,
        buyer,
      }),
    ),
  )
