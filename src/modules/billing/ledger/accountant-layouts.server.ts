import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { Currency } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import type { Buyer } from '../invoices/paper.ts'
import {
  LEDGER_ACCOUNTS,
  LEDGER_TRANSACTION_KINDS,
  type LedgerAccountName,
  type LedgerTransactionKind,
} from './ledger.ts'
import { formatPoundsForCsv } from './reports.server.ts'

const money = formatPoundsForCsv
const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
const accountOf = (name: LedgerAccountName) => LEDGER_ACCOUNTS.find((a) => a.value === name) ?? LEDGER_ACCOUNTS[0]
const nominalOf = (name: LedgerAccountName): string => accountOf(name).nominal

interface PostedEntry {
  readonly account: LedgerAccountName
  readonly amount: number
  readonly code: TaxCode | null
  readonly percent: number | null
}

interface DocumentLine {
  readonly description: string
  readonly quantity: number | null
  readonly net: number
  readonly tax: number
  readonly code: TaxCode | null
  readonly percent: number | null
}

interface PostedDocument {
  readonly number: string
  readonly dueOn: string | null
  readonly poNumber: string
  readonly exchangeRate: number | null
  readonly sterlingTax: number | null
  readonly buyer: Buyer
  readonly lines: readonly DocumentLine[]
}

/** A transaction with its entries, and with its invoice or credit note, if it has one. */
export interface PostedTransaction {
  readonly id: number
  readonly kind: LedgerTransactionKind
  readonly day: string
  readonly description: string
  readonly customer: number | null
  readonly company: string
  readonly entries: readonly PostedEntry[]
  readonly document: PostedDocument | null
}

const inAccounts =
  (...accounts: readonly LedgerAccountName[]) =>
  (e: PostedEntry) =>
    accounts.includes(e.account)
const isMoney = inAccounts('bank', 'clearing')
const isDebt = inAccounts('receivable')

/** A document for the sales file: an increase in what a customer owes or, with negative amounts, a decrease. */
interface SalesDocument {
  readonly of: PostedTransaction
  readonly number: string
  readonly dueOn: string
  readonly lines: readonly (DocumentLine & { readonly nominal: string })[]
}

const SUFFIXES: Partial<Record<LedgerTransactionKind, string>> = {
  badDebt: 'BAD-DEBT',
  adjustment: 'ADJUSTMENT',
  opening: 'OPENING',
}

/**
 * Returns a transaction's document. All changes in what customers owe, except payments, go into the sales file, because
 * Xero accepts trade debtors only in invoices. Sales are stated in full; the journal defers them.
 */
function toSalesDocument(of: PostedTransaction): SalesDocument | undefined {
  if (!of.entries.some(isDebt) || of.entries.some(isMoney)) return undefined
  const { document, kind, day } = of
  const sign = kind === 'invoice' ? 1 : -1
  const inLines = inAccounts('receivable', ...(document ? (['sales', 'deferred', 'vat'] as const) : []))
  const others = of.entries.filter((e) => !inLines(e))
  return {
    of,
    number: document
      ? `${document.number}${kind === 'void' ? '-VOID' : ''}`
      : `${SUFFIXES[kind] ?? kind.toUpperCase()}-${of.id}`,
    dueOn: kind === 'invoice' && document?.dueOn && document.dueOn > day ? document.dueOn : day,
    lines: [
      ...(document?.lines ?? []).map((line) => ({
        ...line,
        nominal: nominalOf('sales'),
        net: sign * line.net,
        tax: sign * line.tax,
      })),
      ...others.map((e) => ({
        description: of.description,
        quantity: null,
        net: -e.amount,
        tax: 0,
        code: null,
        percent: null,
        nominal: nominalOf(e.account),
      })),
    ],
  }
}

/** Returns the entries for the journal: none for payments, and only the deferral for sales. */
function toJournalEntries(of: PostedTransaction): { readonly account: LedgerAccountName; readonly amount: number }[] {
  if (of.entries.some(isMoney)) return []
  const isSale = of.entries.some(isDebt)
  const entries = isSale ? of.entries.filter(inAccounts('deferred')) : of.entries
  const byAccount = Map.groupBy(entries, (e) => e.account)
  const totals = [...byAccount].map(([account, same]) => ({ account, amount: sum(same.map((e) => e.amount)) }))
  const deferred = sum(totals.map((e) => e.amount))
  return [...(isSale ? [{ account: 'sales' as const, amount: -deferred }] : []), ...totals].filter(
    (e) => e.amount !== 0,
  )
}

export type Program = 'xero' | 'sage'

/** Name of Xero’s VAT rate and Sage 50's tax code, by our tax code and percentage. */
const VAT_CODES: Readonly<Record<string, Readonly<Record<Program, string>>>> = {
  'standard 20': { xero: '20% (VAT on Income)', sage: 'T1' },
  'reduced 5': { xero: '5% (VAT on Income)', sage: 'T5' },
  'zero 0': { xero: 'Zero Rated Income', sage: 'T0' },
  'exempt 0': { xero: 'Exempt Income', sage: 'T2' },
  'outside 0': { xero: 'No VAT', sage: 'T9' },
  'reverse 0': { xero: 'Domestic Reverse Charge @ 20% (VAT on Income)', sage: 'T21' },
  'reverse 20': { xero: 'Domestic Reverse Charge @ 20% (VAT on Income)', sage: 'T21' },
  'reverse 5': { xero: 'Domestic Reverse Charge @ 5% (VAT on Income)', sage: 'T26' },
}
const NO_VAT = { xero: 'No VAT', sage: 'T9' } as const

const vatCodeOf = (program: Program, { code, percent }: DocumentLine): string =>
  code === null ? NO_VAT[program] : (VAT_CODES[`${code} ${percent ?? 0}`]?.[program] ?? '')

const MAX_DOCUMENTS_NAMED = 20

/** Returns the documents with a VAT rate that the program has no standard code for. */
function withUnknownRates(program: Program, documents: readonly SalesDocument[]): string[] {
  const all = documents.flatMap(({ number, lines }) => {
    const line = lines.find((l) => vatCodeOf(program, l) === '')
    return line ? [`${number} (${line.percent}%)`] : []
  })
  const named = all.slice(0, MAX_DOCUMENTS_NAMED)
  return all.length > named.length ? [...named, `${all.length - named.length} more`] : named
}

/** Rows that belong in the same file, such as the lines of one invoice. */
type RowGroup = readonly (readonly string[])[]

export interface ExportFile {
  readonly head: readonly string[]
  readonly groups: readonly RowGroup[]
  /** Limit of the importing program for one file. */
  readonly limit?: { readonly count: number; readonly of: 'groups' | 'rows'; readonly name: string }
}

const TRACKING = 'TrackingName1,TrackingOption1,TrackingName2,TrackingOption2'.split(',')
const NO_TRACKING = TRACKING.map(() => '')

const XERO_SALES_HEAD =
  '*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,Total,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,TaxAmount'

/** Xero’s template for sales invoices; negative documents become credit notes. */
const xeroSales = (documents: readonly SalesDocument[], currency: Currency): ExportFile => ({
  head: [...XERO_SALES_HEAD.split(','), ...TRACKING, 'Currency', 'BrandingTheme'],
  limit: { count: 500, of: 'groups', name: 'invoices' },
  groups: documents.map(({ of, number, dueOn, lines }) => {
    const { document } = of
    const [one = '', two = '', three = '', ...rest] = document?.buyer.address ?? []
    const sterling =
      document?.sterlingTax != null && currency !== 'GBP' ? `VAT in sterling ${money(document.sterlingTax)}` : ''
    const total = sum(lines.map((l) => l.net + l.tax))
    return lines.map((line) => [
      document?.buyer.name || of.company,
      document?.buyer.email ?? '',
      one,
      two,
      three,
      rest.join(', '),
      ...NO_TRACKING,
      number,
      [document?.poNumber, sterling].filter(Boolean).join(', '),
      formatIsoDateAsUk(of.day),
      formatIsoDateAsUk(dueOn),
      money(total),
      '',
      `${line.quantity !== null && line.quantity !== 1 ? `${line.quantity} × ` : ''}${line.description || number}`,
      '1.00',
      money(line.net),
      '',
      line.nominal,
      vatCodeOf('xero', line),
      money(line.tax),
      ...NO_TRACKING,
      currency,
      '',
    ])
  }),
})

const SAGE_HEAD =
  'Type,Account Reference,Nominal A/C Ref,Department Code,Date,Reference,Details,Net Amount,Tax Code,Tax Amount,Exchange Rate'.split(
    ',',
  )
const [MAX_SAGE_REFERENCE, MAX_SAGE_DETAILS] = [30, 60]

interface SageRow {
  readonly type: string
  readonly account?: string
  readonly nominal: string
  readonly of: PostedTransaction
  readonly reference: string
  readonly details: string
  readonly net: number
  readonly code?: string
  readonly tax?: number
  readonly rate?: number | null
}

/** Sage 50’s template for audit trail transactions. Amounts have no sign; the type states the direction. */
const sageRow = (r: SageRow): readonly string[] => [
  r.type,
  r.account ?? '',
  r.nominal,
  '0',
  formatIsoDateAsUk(r.of.day),
  r.reference.slice(0, MAX_SAGE_REFERENCE),
  r.details.slice(0, MAX_SAGE_DETAILS),
  money(Math.abs(r.net)),
  r.code ?? NO_VAT.sage,
  money(Math.abs(r.tax ?? 0)),
  r.rate === undefined ? '1' : String(r.rate ?? ''),
]

const sageCustomer = (of: PostedTransaction): string => `C${of.customer ?? ''}`

const sageSales = (documents: readonly SalesDocument[], currency: Currency): ExportFile => ({
  head: SAGE_HEAD,
  groups: documents.map(({ of, number, lines }) =>
    lines
      .filter((line) => line.net !== 0 || line.tax !== 0)
      .map((line) =>
        sageRow({
          type: (line.net || line.tax) > 0 ? 'SI' : 'SC',
          account: sageCustomer(of),
          nominal: line.nominal,
          of,
          reference: number,
          details: line.description,
          net: line.net,
          code: vatCodeOf('sage', line),
          tax: line.tax,
          ...(currency === 'GBP' ? {} : { rate: of.document?.exchangeRate ?? null }),
        }),
      ),
  ),
})

const xeroJournal = (posted: readonly PostedTransaction[]): ExportFile => ({
  head: [...'*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount'.split(','), ...TRACKING],
  limit: { count: 300, of: 'rows', name: 'lines' },
  groups: posted.map((of) =>
    toJournalEntries(of).map(({ account, amount }) => [
      `${of.id} ${of.description}`,
      formatIsoDateAsUk(of.day),
      of.company || of.description,
      nominalOf(account),
      NO_VAT.xero,
      money(amount),
      ...NO_TRACKING,
    ]),
  ),
})

const sageJournal = (posted: readonly PostedTransaction[]): ExportFile => ({
  head: SAGE_HEAD,
  groups: posted.map((of) =>
    toJournalEntries(of).map(({ account, amount }) =>
      sageRow({
        type: amount > 0 ? 'JD' : 'JC',
        nominal: nominalOf(account),
        of,
        reference: String(of.id),
        details: of.description,
        net: amount,
      }),
    ),
  ),
})

/** All entries in one currency, for programs without a layout of their own. */
const allEntries = (posted: readonly PostedTransaction[], currency: Currency): ExportFile => ({
  head: 'Date,Transaction,Type,Details,Customer,Nominal code,Account,Debit,Credit,Currency,VAT,VAT %'.split(','),
  groups: posted.map((of) =>
    of.entries.map((e) => [
      formatIsoDateAsUk(of.day),
      String(of.id),
      LEDGER_TRANSACTION_KINDS.find((k) => k.value === of.kind)?.label ?? of.kind,
      of.description,
      of.company,
      nominalOf(e.account),
      accountOf(e.account).label,
      e.amount > 0 ? money(e.amount) : '',
      e.amount < 0 ? money(-e.amount) : '',
      currency,
      e.code ?? '',
      e.percent === null ? '' : String(e.percent),
    ]),
  ),
})

/** Xero’s template for the statement of one bank account. */
const xeroStatement = (posted: readonly PostedTransaction[], account: LedgerAccountName): ExportFile => ({
  head: '*Date,*Amount,Payee,Description,Reference,Cheque Number'.split(','),
  limit: { count: 1000, of: 'rows', name: 'lines' },
  groups: posted.map((of) => {
    const amount = sum(of.entries.filter(inAccounts(account)).map((e) => e.amount))
    return amount === 0
      ? []
      : [[formatIsoDateAsUk(of.day), money(amount), of.company, of.description, String(of.id), '']]
  }),
})

/** Receipts on account and refunds of customers, bank payments and receipts, and transfers between bank accounts. */
const sagePayments = (posted: readonly PostedTransaction[]): ExportFile => ({
  head: SAGE_HEAD,
  groups: posted.map((of) => {
    const moneyEntries = of.entries.filter(isMoney)
    const [first] = moneyEntries
    if (!first) return []
    const common = { of, reference: String(of.id), details: of.description }
    const bank = nominalOf(first.account)
    if (moneyEntries.length > 1)
      return of.entries.map(({ account, amount }) =>
        sageRow({ ...common, type: amount > 0 ? 'JD' : 'JC', nominal: nominalOf(account), net: amount }),
      )
    return of.entries
      .filter((e) => !isMoney(e))
      .map((e) =>
        sageRow(
          isDebt(e)
            ? { ...common, type: e.amount < 0 ? 'SA' : 'SP', account: sageCustomer(of), nominal: bank, net: e.amount }
            : {
                ...common,
                type: e.amount < 0 ? 'BR' : 'BP',
                account: bank,
                nominal: nominalOf(e.account),
                net: e.amount,
              },
        ),
      )
  }),
})

export type FileKind = 'sales' | 'journal' | 'payments' | 'statement-bank' | 'statement-clearing' | 'entries'

/** A file, or the reason why the program cannot import this period. */
type FileOrReason = ExportFile | { readonly reason: string }

const PROGRAM_NAMES: Readonly<Record<Program, string>> = { xero: 'Xero', sage: 'Sage' }

function sales(program: Program, posted: readonly PostedTransaction[], currency: Currency): FileOrReason {
  const documents = posted.flatMap((of) => toSalesDocument(of) ?? [])
  const wrong = withUnknownRates(program, documents)
  const name = PROGRAM_NAMES[program]
  if (wrong.length)
    return {
      reason: `${name} has no standard code for the VAT rates of ${wrong.join(', ')}. Enter these in ${name} manually, and export the days before and after them.`,
    }
  return program === 'xero' ? xeroSales(documents, currency) : sageSales(documents, currency)
}

/** Builds one file of a period. All of the period's postings are in exactly one file of each program. */
export function buildAccountantFile(
  kind: FileKind,
  program: Program,
  posted: readonly PostedTransaction[],
  currency: Currency,
): FileOrReason {
  if (kind === 'entries') return allEntries(posted, currency)
  if (kind === 'sales') return sales(program, posted, currency)
  if (kind === 'statement-bank') return xeroStatement(posted, 'bank')
  if (kind === 'statement-clearing') return xeroStatement(posted, 'clearing')
  const isPayments = kind === 'payments'
  const journal = program === 'xero' ? xeroJournal : sageJournal
  const file = (isPayments ? sagePayments : journal)(posted)
  if (currency === 'GBP' || file.groups.every((rows) => rows.length === 0)) return file
  return {
    reason: `${PROGRAM_NAMES[program]} imports ${isPayments ? 'payments' : 'journals'} in sterling only. Use the list of all entries in ${currency}.`,
  }
}
