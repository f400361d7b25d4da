import { createServer } from 'node:http'
import pg from 'pg'

/*
 * Hand-written equivalent of issuing an invoice, on the same tables with their constraints and triggers. One
 * transaction locks the draft and its customer, takes the next number, and writes the entries, the balance, an audit
 * row, and the e-mail in the outbox. There is no authentication.
 */
const [database = '', port = '0'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: database, max: 10 })

const named = Object.entries({
  draft: `SELECT customer_id, total, tax, net, currency, state FROM invoice WHERE client_id = $1 AND id = $2 FOR UPDATE`,
  lines: `SELECT net, tax, tax_code, tax_percent, product_id FROM invoice_line WHERE client_id = $1 AND invoice_id = $2 ORDER BY position, id`,
  customer: `SELECT account_balance, payment_days FROM customer WHERE client_id = $1 AND id = $2 FOR UPDATE`,
  closed: `SELECT max(through)::text AS through FROM ledger_lock WHERE client_id = $1`,
  number: `INSERT INTO sequence_counter (client_id, name, year, last) VALUES ($1, 'invoice', 0, 1) ON CONFLICT (client_id, name, year) DO UPDATE SET last = sequence_counter.last + 1 RETURNING last`,
  issue: `UPDATE invoice SET number = $3, date = $4, tax_point = $4, due_on = $4::date + $5::int, issued_at = now(), amount_due = total, state = 'open', updated_at = now() WHERE client_id = $1 AND id = $2`,
  transaction: `INSERT INTO ledger_transaction (client_id, kind, day, description, customer_id, source, source_id, author) VALUES ($1, 'invoice', $2, $3, $4, 'Invoice', $5, 'twin') RETURNING id`,
  entries: `INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency, customer_id, invoice_id, product_id, tax_code, tax_percent)
    SELECT $1, $2, $3, e.account, e.amount, $4, $5, $6, e.product, e.code, e.percent
    FROM jsonb_to_recordset($7) e (account text, amount bigint, product bigint, code text, percent numeric)`,
  balance: `UPDATE customer SET account_balance = account_balance + $3 WHERE client_id = $1 AND id = $2`,
  audit: `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username) VALUES ($1, 'Invoice', $2, 'issue', $3, 0, 'twin')`,
  letter: `INSERT INTO outbox (client_id, kind, version, payload) VALUES ($1, 'invoice.issued', 1, $2)`,
}).map(([name, text]) => [name, { name, text }] as const)
const statements = Object.fromEntries(named) as Record<string, { name: string; text: string }>

async function issue(client: number, id: number): Promise<string> {
  const line = await pool.connect()
  // biome-ignore lint/suspicious/noExplicitAny: rows of a dozen statements
  const ask = async (name: string, ...values: unknown[]): Promise<any[]> =>
    (await line.query({ ...statements[name], values } as pg.QueryConfig)).rows
  try {
    await line.query('BEGIN')
    const [draft] = await ask('draft', client, id)
    if (draft?.state !== 'draft') throw new Error('The invoice is not a draft')
    const lines = await ask('lines', client, id)
    const [buyer] = await ask('customer', client, draft.customer_id)
    const day = new Date().toISOString().slice(0, 10)
    const [closed] = await ask('closed', client)
    if (closed.through && closed.through >= day) throw new Error('Closed')
    const [drawn] = await ask('number', client)
    const number = `INV-${String(drawn.last).padStart(5, '0')}`
    await ask('issue', client, id, number, day, buyer.payment_days)
    const [made] = await ask('transaction', client, day, `Invoice ${number}`, draft.customer_id, id)
    const of = (account: string, key: 'net' | 'tax') =>
      lines
        .filter((l) => Number(l[key]))
        .map((l) => ({
          account,
          amount: -Number(l[key]),
          product: l.product_id,
          code: l.tax_code,
          percent: l.tax_percent,
        }))
    const entries = [{ account: 'receivable', amount: Number(draft.total) }, ...of('sales', 'net'), ...of('vat', 'tax')]
    await ask('entries', client, made.id, day, draft.currency, draft.customer_id, id, JSON.stringify(entries))
    await ask('balance', client, draft.customer_id, draft.total)
    await ask('audit', client, id, JSON.stringify({ number }))
    await ask(
      'letter',
      client,
      JSON.stringify({ invoice: id, number, customer: Number(draft.customer_id), total: Number(draft.total) }),
    )
    await line.query('COMMIT')
    return number
  } catch (e) {
    await line.query('ROLLBACK')
    throw e
  } finally {
    line.release()
  }
}

const server = createServer((request, response) => {
  const [, client, id] = (request.url ?? '').split('/').map(Number)
  request.resume()
  issue(client ?? 0, id ?? 0).then(
    (number) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ number })),
    (e: Error) => response.writeHead(500).end(e.message),
  )
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : 0)
})
