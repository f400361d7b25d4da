import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { MAX_BLOCKING_MS, measureLongestBlock } from '#test/support/effort.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

let w: InvoiceWorld
beforeAll(async () => {
  w = await makeInvoiceWorld()
})

const STATEMENTS = '/api/financial/bank_statements'
const today = () => Temporal.Now.plainDateISO('Europe/London').toString()
const pounds = (pence: number) => (pence / 100).toFixed(2)
const linesOf = async (statement: { id: number }) =>
  (await w.finance.get(`/api/financial/bank_lines?statement=${statement.id}&order[id]=asc&itemsPerPage=100`)).body[
    'hydra:member'
  ]

/** Sends a file as a form, as the screen does. */
const uploadFile = (name: string, content: string | Buffer, fields: Record<string, string> = {}, headers = {}) => {
  const form = makeUploadForm(content, name, fields)
  return w.finance.send('POST', STATEMENTS, { ...form, headers: { ...form.headers, ...headers } })
}
const sameDay = formatIsoDateAsUk(today())
const unique = () =>
  randomUUID()
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
    .replaceAll('-', '')

describe("importing a bank's file", () => {
  test('files in windows-1252 and UTF-16 are decoded', async () => {
    const csv = (payer: string) => `Date,Name,Description,Amount\r\n${sameDay},${payer},Visit,£12.34\r\n`
    for (const [encoding, bytes] of [
      ['windows-1252', Buffer.from(csv(`Café Zoë ${unique()}`), 'latin1')],
      ['UTF-16', Buffer.from(`\ufeff${csv(`Café Zoë ${unique()}`)}`, 'utf16le')],
    ] as const) {
      const made = await uploadFile('statement.csv', bytes)
      expect([encoding, made.status, made.body.lines]).toEqual([encoding, 201, 1])
      const [line] = await linesOf(made.body)
      expect(line).toMatchObject({ currency: 'GBP', amount: 1234, payer: expect.stringMatching(/^Café Zoë /) })
    }
  })

  test('an outgoing refund is not proposed as the payment of an invoice', async () => {
    const owed = await w.issued({ customer: await w.newCustomer() })
    const text = `Date,Description,Amount,Debit/Credit\n${sameDay},REFUND ${owed.number},${pounds(owed.total)},Debit`
    const made = await w.finance.post(STATEMENTS, { name: 'refund.csv', text })
    expect(made.body).toMatchObject({ lines: 0, outgoing: 1 })
  })

  test('a line in another currency is stored in that currency', async () => {
    const text = `Date,Description,Amount\n${sameDay},DUBLIN ${unique()},€99.00\n${sameDay},BASEL,CHF 5.00`
    const made = await w.finance.post(STATEMENTS, { name: 'euro.csv', text })
    expect(made.body).toMatchObject({ lines: 1, problems: [{ line: 3, why: 'Payments in CHF can’t be recorded' }] })
    expect(await linesOf(made.body)).toMatchObject([{ amount: 9900, currency: 'EUR' }])
  })

  test('a row with an unquoted thousands separator is refused by its line number, with or without headings', async () => {
    const broken = `${sameDay},ACME ${unique()},1,144.01`
    const good = `${sameDay},BETA ${unique()},"1,144.02"`
    const why = expect.stringMatching(/^The row has 4 values for 3 columns/)
    for (const [above, line] of [
      ['Date,Description,Amount\n', 3],
      ['', 2],
    ] as const) {
      const mapping = above
        ? {}
        : { mapping: { columns: { 'Column 1': 'day', 'Column 2': 'reference', 'Column 3': 'amount' } } }
      const text = `${above}${good.replace('BETA', `BETA${line}`)}\n${broken}`
      const made = await w.finance.post(STATEMENTS, { name: 'extra.csv', text, ...mapping })
      expect(made.body).toMatchObject({ lines: 1, problems: [{ line, why }] })
      expect(await linesOf(made.body)).toMatchObject([{ amount: 114_402 }])
    }
    const only = await w.finance.post(STATEMENTS, { name: 'only.csv', text: `Date,Description,Amount\n${broken}` })
    expect([only.status, JSON.stringify(only.body)]).toEqual([
      expect.any(Number),
      expect.stringContaining('for 3 columns'),
    ])
  })

  test('text under an unknown heading distinguishes two payments with the same day and amount', async () => {
    const label = (name: string) => ({ name: 'label.csv', text: `Date,Label,Amount\n${sameDay},${name},64.20` })
    const [one, other] = [`ACME ${unique()} LTD`, `BETA ${unique()} LTD`]
    for (const name of [one, other]) {
      const made = await w.finance.post(STATEMENTS, label(name))
      expect(made.body).toMatchObject({ lines: 1, known: 0, alike: 0 })
      expect(await linesOf(made.body)).toMatchObject([{ reference: name }])
    }
    expect((await w.finance.post(STATEMENTS, label(one))).body).toMatchObject({ lines: 0, known: 1 })
  })

  test('a payment in both CSV and OFX files is recognised, and a similar one is marked and not proposed', async () => {
    const owed = await w.issued({ customer: await w.newCustomer() })
    const payer = unique().toUpperCase()
    const csv = [
      'Date,Description,Amount',
      `${sameDay},${payer} FIRST,21.00`,
      `${sameDay},${payer} ${owed.number},${pounds(owed.total)}`,
    ]
    expect((await w.finance.post(STATEMENTS, { name: 'first.csv', text: csv.join('\n') })).body).toMatchObject({
      lines: 2,
    })
    const payment = (amount: string, id: string, memo: string) =>
      `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${today().replaceAll('-', '')}<TRNAMT>${amount}<FITID>${id}${payer}<NAME>${payer}<MEMO>${memo}</STMTTRN>`
    const ofx = `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>GBP<BANKTRANLIST>${payment('21.00', 'A', 'FIRST')}${payment(pounds(owed.total), 'B', 'BGC')}</BANKTRANLIST></STMTRS></OFX>`
    const made = await uploadFile('second.ofx', ofx)
    expect(made.body).toMatchObject({ lines: 1, known: 1, alike: 1 })
    expect(await linesOf(made.body)).toMatchObject([
      {
        state: 'open',
        why: 'The statement “first.csv” has a payment of the same day and amount, which may be the same payment',
      },
    ])
    expect((await uploadFile('second.ofx', ofx)).body).toMatchObject({ lines: 0, known: 2 })
  })

  test('unknown columns are returned, and the chosen mapping is used again for the same headings', async () => {
    const [when, who] = [`When ${unique()}`, unique()]
    const text = (n: number) =>
      `${when},Who,Sum,S/H\n${sameDay},RENT ${who},${n}.00,Soll\n${sameDay},ACME ${who},${n + 1}.00,Haben`
    const refused = await uploadFile('bank.csv', text(5))
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      violations: [{ propertyPath: 'mapping' }],
      headings: [when, 'Who', 'Sum', 'S/H'],
      sample: [[sameDay, `RENT ${who}`, '5.00', 'Soll'], expect.anything()],
      values: { 'S/H': ['Soll', 'Haben'] },
    })
    const columns = { [when]: 'day', Who: 'payer', Sum: 'amount', 'S/H': 'direction' }
    for (const mapping of [
      { columns: { [when]: 'day' } },
      { columns: { ...columns, Other: 'payer' } },
      { columns: { ...columns, Who: 'amount' } },
      { columns: { Who: 'price' } },
      [],
    ]) {
      const wrong = await w.finance.post(STATEMENTS, { name: 'bank.csv', text: text(5), mapping })
      expect([wrong.status, wrong.body.violations?.[0].propertyPath]).toEqual([422, 'mapping'])
    }
    const made = await uploadFile('bank.csv', text(5), {
      mapping: JSON.stringify({ columns, moneyIn: ['Haben'], moneyOut: ['Soll'] }),
    })
    expect(made.body).toMatchObject({
      lines: 1,
      outgoing: 1,
      mapping: { columns, moneyIn: ['Haben'], moneyOut: ['Soll'] },
    })
    const again = await uploadFile('next.csv', text(7).replace('Who', 'WHO'), { check: 'new' })
    expect(again.body).toMatchObject({ lines: 1, outgoing: 1 })
    expect(await linesOf(again.body)).toMatchObject([{ payer: `ACME ${who}`, amount: 800 }])
    const checked = await uploadFile('next.csv', text(9), { check: 'always' })
    expect([checked.status, checked.body.mapping]).toEqual([422, { columns, moneyIn: ['Haben'], moneyOut: ['Soll'] }])
    const unknown = await uploadFile('next.csv', text(11).replace('Haben', 'Umbuchung'))
    expect(unknown.body).toMatchObject({
      lines: 0,
      problems: [{ why: '“Umbuchung” states neither money in nor money out' }],
    })
    const other = `Date ${unique()},Amount,Name\n${sameDay},1.00,${who}`
    expect((await uploadFile('other.csv', other, { check: 'new' })).body).toMatchObject({
      status: 422,
      mapping: { columns: { Amount: 'amount', Name: 'payer' } },
    })
    expect((await uploadFile('other.csv', other)).status).toBe(201)
  })

  test('a repeated upload with the same Idempotency-Key is imported once, and another file is refused', async () => {
    const text = (n: number) => `Date,Amount,Name\n${sameDay},${n}.00,${'once'}`
    const key = { 'idempotency-key': unique() }
    const [one, same, other] = [
      await uploadFile('a.csv', text(31), {}, key),
      await uploadFile('a.csv', text(31), {}, key),
      await uploadFile('a.csv', text(32), {}, key),
    ]
    expect([one.status, same.status, same.body, other.status]).toEqual([201, 201, one.body, 422])
    const asJson = () =>
      w.finance.post(STATEMENTS, { name: 'a.csv', text: text(33) }, { 'idempotency-key': `${key['idempotency-key']}x` })
    const json = await asJson()
    expect((await asJson()).body).toEqual(json.body)
  })

  test('a file in an unsupported format is refused, and the message names the format', async () => {
    for (const [bytes, name] of [
      [Buffer.from('%PDF-1.7 x'), 'This is a PDF document: choose CSV, OFX, QIF, CAMT.053 or MT940'],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), 'This is a picture'],
      [Buffer.from('PK\u0003\u0004xl/workbook.xml'), 'This is an Excel workbook'],
      [Buffer.from([1, 2, 3, 4, 5, 6, 7]), 'not a text file'],
      [Buffer.from(''), 'empty'],
    ] as const) {
      const refused = await uploadFile('file', bytes)
      expect([refused.status, refused.body['hydra:description']]).toEqual([422, expect.stringContaining(name)])
    }
    expect((await uploadFile('nul.csv', `Date,Amount,Name\n${sameDay},1.00,a\0b${unique()}`)).status).toBe(201)
    expect((await uploadFile('large.csv', Buffer.alloc(20 * 1024 * 1024 + 1, 'x'))).status).toBe(413)
  })

  test('twenty thousand lines are imported within seconds', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `${sameDay},BUYER ${n} LTD,Payment ${n},${(n % 500) + 1}.00`)
    const started = process.cpuUsage()
    const made = await uploadFile('many.csv', ['Date,Name,Reference,Amount', ...rows].join('\n'))
    const { user, system } = process.cpuUsage(started)
    expect(made.body).toMatchObject({ lines: 20_000, problems: [] })
    expect((user + system) / 1e6).toBeLessThan(20)
    const again = await uploadFile('many.csv', ['Date,Name,Reference,Amount', ...rows].join('\n'))
    expect(again.body).toMatchObject({ lines: 0, known: 20_000 })
  })

  test('a CAMT.053 file of ten thousand payments does not block other requests while it is parsed, matched and saved', async () => {
    const day = today()
    const file = (kind: string) => {
      const entries = Array.from(
        { length: 10_000 },
        (_, n) =>
          `<Ntry><Amt Ccy="GBP">${(n % 500) + 1}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>${day}</Dt></BookgDt><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Buyer ${kind} ${n}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${`invoice ${n} `.repeat(20)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
      )
      return Buffer.from(
        `<Document xmlns="camt.053"><BkToCstmrStmt><Stmt>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
      )
    }
    const made: unknown[] = []
    const blocked = await measureLongestBlock(async () => {
      const { body } = await uploadFile('many.xml', file(unique()))
      made.push(body.lines)
    })
    expect(made[0]).toBe(10_000)
    expect(blocked).toBeLessThan(MAX_BLOCKING_MS)
  })
})
