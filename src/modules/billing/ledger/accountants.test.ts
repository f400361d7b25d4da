import { beforeAll, describe, expect, test } from 'vitest'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'

// Reads the exported files by the importers' published rules, independently of the code that writes them.

let w: InvoiceWorld
const today = Temporal.Now.plainDateISO('Europe/London').toString()
const PERIOD = `from=${today}&to=${today}`

/** Parses CSV (RFC 4180) into records by heading. */
function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  const [head = [], ...records] = rows.filter((row) => row.length > 1)
  return records.map((row) => {
    if (row.length !== head.length) throw new Error(`A row has ${row.length} cells, not ${head.length}: ${row.join()}`)
    return Object.fromEntries(head.map((name, n) => [name, row[n] ?? '']))
  })
}

const pence = (amount: string | undefined): number => {
  if (!/^-?\d+[.]\d\d$/.test(amount ?? '')) throw new Error(`Not an amount: ${amount}`)
  return Math.round(Number(amount) * 100)
}
const cell = (row: Record<string, string>, name: string): string => {
  if (row[name] === undefined) throw new Error(`No column ${name}`)
  return row[name]
}

async function read(path: string): Promise<Record<string, string>[]> {
  const answer = await w.finance.get(`/api/financial/ledger/${path}`)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
  return parseCsv(answer.text)
}

type Totals = Record<string, number>
const add = (to: Totals, account: string, amount: number) => {
  to[account] = (to[account] ?? 0) + amount
}
const withoutZeros = (of: Totals) => Object.fromEntries(Object.entries(of).filter(([, amount]) => amount !== 0))

/** Returns the movements on each nominal account in the ledger. */
async function ledgerTotals(currency: string): Promise<Totals> {
  const rows = await read(`journal.csv?layout=entries&currency=${currency}&${PERIOD}`)
  const totals: Totals = {}
  for (const row of rows) {
    expect(cell(row, 'Currency')).toBe(currency)
    const [debit, credit] = [cell(row, 'Debit'), cell(row, 'Credit')]
    add(totals, cell(row, 'Nominal code'), (debit ? pence(debit) : 0) - (credit ? pence(credit) : 0))
  }
  return withoutZeros(totals)
}

const XERO_RATES: Readonly<Record<string, number>> = {
  '20% (VAT on Income)': 20,
  '5% (VAT on Income)': 5,
  'Zero Rated Income': 0,
  'Exempt Income': 0,
  'No VAT': 0,
  'Domestic Reverse Charge @ 20% (VAT on Income)': 0,
}
const SAGE_CODES: Readonly<Record<string, number>> = { T0: 0, T1: 20, T2: 0, T5: 5, T9: 0, T21: 0 }
const UK_DATE = /^\d\d\/\d\d\/\d{4}$/

/** Imports sales as Xero does: tax exclusive, with VAT calculated by line. */
function importXeroSales(rows: Record<string, string>[], currency: string, totals: Totals): Map<string, number> {
  const documents = new Map<string, number>()
  const stated = new Map<string, number>()
  for (const row of rows) {
    const number = cell(row, '*InvoiceNumber')
    for (const mandatory of ['*ContactName', '*Description', '*AccountCode', '*TaxType'])
      expect(cell(row, mandatory), `${mandatory} of ${number}`).not.toBe('')
    for (const day of ['*InvoiceDate', '*DueDate']) expect(cell(row, day)).toMatch(UK_DATE)
    expect(cell(row, 'Currency')).toBe(currency)
    const rate = XERO_RATES[cell(row, '*TaxType')]
    if (rate === undefined) throw new Error(`Xero has no rate “${row['*TaxType']}”`)
    const net = pence(row['*UnitAmount']) * Number(row['*Quantity'])
    const tax = pence(row.TaxAmount)
    expect(Math.abs(tax - (net * rate) / 100), `VAT of ${number}`).toBeLessThanOrEqual(1)
    add(totals, cell(row, '*AccountCode'), -net)
    add(totals, '2200', -tax)
    add(totals, '1100', net + tax)
    documents.set(number, (documents.get(number) ?? 0) + net + tax)
    stated.set(number, pence(row.Total))
  }
  expect(stated).toEqual(documents)
  expect(documents.size).toBeLessThanOrEqual(500)
  return documents
}

/**
 * Imports journals as Xero does: rows with the same narration and date form one journal, which must balance and contain
 * neither debtors nor banks.
 */
function importXeroJournal(rows: Record<string, string>[], totals: Totals): void {
  const journals: Totals = {}
  expect(rows.length).toBeLessThanOrEqual(300)
  for (const row of rows) {
    expect(cell(row, '*Date')).toMatch(UK_DATE)
    expect(cell(row, '*TaxRate')).toBe('No VAT')
    expect(['1100', '1200', '1250', '2200']).not.toContain(row['*AccountCode'])
    add(journals, `${row['*Narration']} ${row['*Date']}`, pence(row['*Amount']))
    add(totals, cell(row, '*AccountCode'), pence(row['*Amount']))
  }
  expect(withoutZeros(journals)).toEqual({})
}

/** Imports a statement as Xero does. The other side of a line is the user's choice, here trade debtors or fees. */
function importXeroStatement(rows: Record<string, string>[], bank: string, totals: Totals): void {
  expect(rows.length).toBeLessThanOrEqual(1000)
  for (const row of rows) {
    expect(cell(row, '*Date')).toMatch(UK_DATE)
    add(totals, bank, pence(row['*Amount']))
    add(totals, cell(row, 'Description').startsWith('Fee') ? '7901' : '1100', -pence(row['*Amount']))
  }
}

/** Imports audit trail transactions as Sage 50 does: unsigned amounts, and VAT as stated with its code. */
function importSage(rows: Record<string, string>[], totals: Totals): void {
  let journals = 0
  for (const row of rows) {
    const [type, nominal, account] = [cell(row, 'Type'), cell(row, 'Nominal A/C Ref'), cell(row, 'Account Reference')]
    const [net, tax] = [pence(row['Net Amount']), pence(row['Tax Amount'])]
    const rate = SAGE_CODES[cell(row, 'Tax Code')]
    if (rate === undefined) throw new Error(`Sage has no code “${row['Tax Code']}”`)
    expect(cell(row, 'Date')).toMatch(UK_DATE)
    expect(cell(row, 'Reference').length).toBeLessThanOrEqual(30)
    expect(cell(row, 'Details').length).toBeLessThanOrEqual(60)
    expect([net >= 0, tax >= 0, account.length <= 8]).toEqual([true, true, true])
    expect(Math.abs(tax - (net * rate) / 100)).toBeLessThanOrEqual(1)
    const sign = ['SI', 'SP', 'JC', 'BR'].includes(type) ? -1 : 1
    if (type === 'SI' || type === 'SC') {
      expect(account).toMatch(/^C\d+$/)
      add(totals, nominal, sign * net)
      add(totals, '2200', sign * tax)
      add(totals, '1100', -sign * (net + tax))
      continue
    }
    expect([row['Tax Code'], tax]).toEqual(['T9', 0])
    if (type === 'JD' || type === 'JC') {
      expect(['1100', '2200']).not.toContain(nominal)
      journals += sign * net
      add(totals, nominal, sign * net)
    } else if (type === 'SA' || type === 'SP') {
      add(totals, nominal, sign * net)
      add(totals, '1100', -sign * net)
    } else if (type === 'BP' || type === 'BR') {
      add(totals, nominal, sign * net)
      add(totals, account, -sign * net)
    } else throw new Error(`Sage has no type ${type}`)
  }
  expect(journals).toBe(0)
}

const line = (description: string, unitAmount: number, more: object = {}) => ({
  description,
  quantity: 1,
  unitAmount,
  ...more,
})

async function post(path: string, body: Record<string, unknown> = {}) {
  const answer = await w.finance.post(path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}

beforeAll(async () => {
  w = await makeInvoiceWorld()
  const soon = Temporal.PlainDate.from(today).add({ days: 29 }).toString()
  const buyer = await w.newCustomer({ vatNumber: 'GB 434 0314 94' })
  const euroBuyer = await w.newCustomer({ currency: 'EUR' })
  const mixed = [
    line('Site visit, "two hours"', 10_005),
    line('Fuel', 3333, { taxCode: 'reduced' }),
    line('Booklet', 777, { taxCode: 'zero' }),
    line('Training', 5000, { taxCode: 'exempt' }),
    line('Deposit', 1000, { taxCode: 'outside' }),
    line('=HYPERLINK("x")', 12_000, { quantity: 3.5, from: today, to: soon }),
  ]
  const paid = await w.issued({ customer: buyer, lines: mixed, percentOff: 7.5 })
  await post('/api/financial/credit_notes', {
    invoice: paid['@id'],
    reason: 'Part not delivered',
    lines: paid.lines.slice(0, 2).map((l: { '@id': string }) => ({ line: l['@id'], net: 1001 })),
  })
  const voided = await w.issued({ customer: buyer, lines: mixed })
  await post(`${voided['@id']}/void`, { reason: 'Wrong customer' })
  const lost = await w.issued({ customer: buyer, lines: [line('Report', 9999)] })
  await post(`${lost['@id']}/write-off`, { reason: 'Insolvent' })
  await post('/api/financial/credit_notes', {
    invoice: lost['@id'],
    reason: 'Agreed',
    lines: [{ line: lost.lines[0]['@id'], net: 1000 }],
  })
  const reopened = await w.issued({ customer: buyer, lines: [line('Report', 5000)] })
  await post(`${reopened['@id']}/write-off`, { reason: 'Insolvent' })
  await post(`${reopened['@id']}/reopen`)
  await w.issued({ customer: buyer, lines: [line('Scaffolding', 40_000, { taxCode: 'reverse' })] })
  await w.issued({
    customer: euroBuyer,
    currency: 'EUR',
    exchangeRate: 1.16,
    lines: [line('Visit to Cork', 10_000, { from: today, to: soon }), line('Report', 2500)],
  })
  await post(`${buyer}/balance`, { change: 1500, reason: 'Goodwill', keepBoth: true })
  await post(`${buyer}/balance`, { change: -6000, paymentReceivedDate: new Date().toISOString(), keepBoth: true })
  await post(`${euroBuyer}/balance`, { change: -7000, paymentReceivedDate: new Date().toISOString(), keepBoth: true })
})

describe('files for the accountant', () => {
  test('Xero’s files contain every posting once: VAT and debtors in sales, bank accounts in statements, and the rest in journals', async () => {
    const totals: Totals = {}
    const documents = importXeroSales(await read(`sales.csv?layout=xero&${PERIOD}`), 'GBP', totals)
    importXeroJournal(await read(`journal.csv?layout=xero&${PERIOD}`), totals)
    importXeroStatement(await read(`payments.csv?layout=xero&account=bank&${PERIOD}`), '1200', totals)
    importXeroStatement(await read(`payments.csv?layout=xero&account=clearing&${PERIOD}`), '1250', totals)
    expect(withoutZeros(totals)).toEqual(await ledgerTotals('GBP'))
    expect([...documents.keys()].filter((n) => /VOID|BAD-DEBT|ADJUSTMENT/.test(n))).toHaveLength(5)
    expect([...documents].find(([n]) => n.startsWith('CN-'))?.[1]).toBeLessThan(0)
  })

  test('Sage’s files contain every posting once, with VAT by tax code in sales invoices and credits only', async () => {
    const totals: Totals = {}
    for (const file of ['sales', 'journal', 'payments'])
      importSage(await read(`${file}.csv?layout=sage&${PERIOD}`), totals)
    expect(withoutZeros(totals)).toEqual(await ledgerTotals('GBP'))
    const sales = await read(`sales.csv?layout=sage&${PERIOD}`)
    expect(sales.find((row) => row.Details === 'Scaffolding')?.['Tax Code']).toBe('T21')
  })

  test('amounts in another currency are never exported as pounds: sales state the currency, and journals are refused', async () => {
    const totals: Totals = {}
    const rows = await read(`sales.csv?currency=EUR&${PERIOD}`)
    importXeroSales(rows, 'EUR', totals)
    expect(rows[0]?.Reference).toBe('VAT in sterling 21.55')
    importXeroStatement(await read(`payments.csv?currency=EUR&${PERIOD}`), '1200', totals)
    const sage = await read(`sales.csv?layout=sage&currency=EUR&${PERIOD}`)
    expect([...new Set(sage.map((row) => row['Exchange Rate']))]).toEqual(['1.16'])
    for (const layout of ['xero', 'sage']) {
      const refused = await w.finance.get(`/api/financial/ledger/journal.csv?layout=${layout}&currency=EUR&${PERIOD}`)
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('journals in sterling only')])
    }
    const ledger = await ledgerTotals('EUR')
    expect([totals['1100'], totals['2200'], totals['1200']]).toEqual([ledger['1100'], ledger['2200'], ledger['1200']])
    const pounds = await read(`journal.csv?layout=entries&${PERIOD}`)
    expect(pounds.some((row) => row.Currency !== 'GBP' || row.Debit === '150.00')).toBe(false)
    expect((await w.finance.get(`/api/financial/ledger/sales.csv?currency=YEN`)).status).toBe(400)
  })

  test('a VAT rate without a code in the accounting program is refused, and the error lists the documents that use it', async () => {
    const rate = { name: 'Raised', code: 'standard', percent: 22, from: today }
    const made = await w.api.post('/api/financial/tax_rates', rate)
    expect([made.status, made.body['hydra:description']]).toEqual([201, undefined])
    const issued = await w.issued({ lines: [line('Report', 5000)] })
    const refused = await w.finance.get(`/api/financial/ledger/sales.csv?layout=sage&${PERIOD}`)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(`${issued.number} (22%)`)])
    const { body } = await w.finance.get(`/api/financial/ledger/files?layout=sage&${PERIOD}`)
    expect(body.files.map((f: { urls: string[] }) => f.urls.length)).toEqual([0, 1, 1, 1])
  })

  test('a period above Xero’s limits is split into parts without splitting a journal', async () => {
    const client = await w.portal.client()
    const api = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
    await w.sql(
      `WITH t AS (INSERT INTO ledger_transaction (client_id, kind, day, description, source, source_id)
        SELECT $1, 'earned', $2::date, 'Income earned', 'Test', n FROM generate_series(1, 151) n RETURNING *)
       INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency)
       SELECT client_id, id, day, account, amount, 'GBP' FROM t, (VALUES ('deferred', 100), ('sales', -100)) a (account, amount)`,
      [client.id, today],
    )
    const whole = await api.get(`/api/financial/ledger/journal.csv?${PERIOD}`)
    expect([whole.status, whole.text]).toEqual([409, expect.stringContaining('This period needs 2 files')])
    const { body } = await api.get(`/api/financial/ledger/files?${PERIOD}`)
    const [, journal] = body.files
    expect([journal.rows, journal.urls.length]).toEqual([302, 2])
    for (const url of journal.urls) importXeroJournal(parseCsv((await api.get(url)).text), {})
    expect((await api.get(`/api/financial/ledger/journal.csv?part=3&${PERIOD}`)).status).toBe(400)
  })

  test('the trial balance lists each account in one currency, and its debits and credits are equal', async () => {
    const rows = await read(`trial-balance.csv?day=${today}&currency=EUR`)
    expect(rows.every((row) => row.Currency === 'EUR')).toBe(true)
    const total = rows.at(-1)
    expect([total?.Account, total?.Debit]).toEqual(['Total', total?.Credit])
    const ledger = await ledgerTotals('EUR')
    for (const row of rows.slice(0, -1))
      expect(pence(row.Debit) - pence(row.Credit)).toBe(ledger[cell(row, 'Nominal code')])
  })
})
