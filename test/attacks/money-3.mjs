// Attacks on ledger files, exports, bank statements, VAT returns, closed periods and approval limits.
import { attack, call, finish } from './portal.mjs'
import {
  atOnce,
  bookkeeper,
  DAY_MS,
  dayOf,
  expected,
  F,
  finance,
  having,
  line,
  list,
  MERGE,
  manager,
  newCustomer,
  newInvoice,
  read,
  refused,
  run,
  staff,
  statuses,
  wait,
} from './shared/money.mjs'

await attack(
  'ledger files contain formulas only as text, and a client’s files contain no invoice of the provider',
  async () => {
    const customer = await newCustomer(finance, { billingName: `=HYPERLINK("x${run}")` })
    const { number } = await read(await newInvoice(customer, [line(10_000, 1, `=1+1+"${run}"`)]))
    const days = `from=${dayOf(Date.now())}&to=${dayOf(Date.now())}`
    for (const path of [
      `ledger/sales.csv?${days}`,
      'invoices/export.csv?order[id]=desc',
      'ledger/debtors/export.csv',
    ]) {
      const [own, foreign] = [await finance.get(`${F}/${path}`), await bookkeeper.get(`${F}/${path}`)]
      if (!own.text.includes(run) || foreign.status !== 200)
        throw new Error(`${path} lacks the invoice, or answered ${foreign.status}`)
      if (/(^|[,"])=(HYPERLINK|1\+1)/m.test(own.text)) return `a formula in ${path}`
      if (foreign.text.includes(number)) return `the provider’s invoice in the client’s ${path}`
    }
  },
)

await attack('only its author can download an exported list, and only lists can be exported', async () => {
  const { id } = expected(await finance.post('/api/portal/exports', { from: `${F}/invoices`, format: 'csv' }), 202)
  for (let attempt = 0; attempt < 50 && (await finance.get(`/api/portal/runs/${id}/file`)).status !== 200; attempt++)
    await wait(100)
  expected(await finance.get(`/api/portal/runs/${id}/file`), 200)
  for (const user of [staff, manager, bookkeeper])
    if (!refused(await user.get(`/api/portal/runs/${id}/file`))) return 'another user downloaded it'
  for (const from of ['http://169.254.169.254/', '//example.com/', `${F}/bank_lines`, '/api/../etc/passwd']) {
    const { status } = await staff.post('/api/portal/exports', { from, format: 'csv' })
    if (![400, 403].includes(status)) return `${from} answered ${status}`
  }
})

await attack(
  'a repeated request with one Idempotency-Key creates one record, and only one of five changes to one version is saved',
  async () => {
    const customer = await newCustomer()
    const headers = { 'idempotency-key': `money-${run}` }
    const answers = await atOnce(10, () => finance.post(`${F}/invoices`, { customer, lines: [] }, { headers }))
    const ids = new Set(having(answers, 201).map(({ body }) => body.id))
    if (ids.size !== 1) return `${ids.size} invoices`
    const { etag } = (await finance.get(customer)).headers
    const changes = await atOnce(5, (index) =>
      finance.patch(customer, { poNumber: `${index}` }, { headers: { ...MERGE.headers, 'if-match': etag } }),
    )
    if (having(changes, 200).length !== 1) return statuses(changes)
  },
)

await attack(
  'a bank statement imported several times at once adds its line once, and the line is booked and undone once',
  async () => {
    const text = `Date,Description,Amount\n${dayOf(Date.now() - DAY_MS)},money ${run},120.00\n`
    await atOnce(4, () => finance.post(`${F}/bank_statements`, { name: 'money.csv', text }))
    const lines = (await list(`${F}/bank_lines?itemsPerPage=100&order[id]=desc`)).filter(
      ({ reference }) => reference === `money ${run}`,
    )
    if (lines.length !== 1) return `${lines.length} lines`
    const bankLine = `${F}/bank_lines/${lines[0].id}`
    const customer = await newCustomer()
    const invoices = [await newInvoice(customer), await newInvoice(customer)]
    for (const amounts of [
      [12_000, 12_000],
      [15_000, -3_000],
      [5_000, 5_000],
      [6_000.5, 5_999.5],
    ]) {
      const parts = amounts.map((amount, index) => ({ invoice: invoices[index], amount }))
      const { status } = await finance.post(`${bankLine}/split`, { parts })
      if (status !== 422) return `parts ${amounts.join(', ')} answered ${status}`
    }
    const booked = await atOnce(20, (index) =>
      [finance, manager][index % 2].post(`${bankLine}/book`, { invoice: invoices[index % 2] }),
    )
    if (having(booked, 200).length !== 1) return statuses(booked)
    const [charge] = await list(`${bankLine}/charges`)
    const undone = await atOnce(10, (index) =>
      index % 2
        ? finance.post(`${bankLine}/unmatch`, { reason: 'money' })
        : manager.post(`${F}/charges/${charge.id}/reverse`, { reason: 'money' }),
    )
    if (having(undone, 200).length !== 1 || (await read(customer)).accountBalance !== 24_000)
      return `undone: ${statuses(undone)}`
  },
)

await attack(
  'a client’s CAMT.053 statement with 10,000 entries doesn’t make other people wait for a second',
  async () => {
    const entry = `<Ntry><Amt Ccy="GBP">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>${dayOf(Date.now() - DAY_MS)}</Dt></BookgDt></Ntry>`
    const text = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entry.repeat(10_000)}</Stmt></BkToCstmrStmt></Document>`
    let longest = 0
    let done = false
    const others = async () => {
      for (; !done; await wait(20)) {
        const start = Date.now()
        await call('GET', '/api/security/user_check')
        longest = Math.max(longest, Date.now() - start)
      }
    }
    const waiting = others()
    const imported = await bookkeeper.post(`${F}/bank_statements`, { name: 'money.xml', text })
    done = true
    await waiting
    if (expected(imported, 201).outgoing !== 10_000) throw new Error('the entries were not read')
    if (longest > 1_000) return `others waited ${longest} ms`
  },
)

/** Creates a VAT return of one day, which follows the client’s last one. */
async function newReturn() {
  const ends = (await list(`${F}/vat_returns?itemsPerPage=100`, bookkeeper)).map(({ to }) => to).sort()
  const from = ends.length ? dayOf(Date.parse(ends.at(-1)) + DAY_MS) : '2024-01-01'
  return `${F}/vat_returns/${expected(await bookkeeper.post(`${F}/vat_returns`, { from, to: from, notes: 'money' }), 201).id}`
}

const adjust = (vatReturn) =>
  bookkeeper.post(`${F}/vat_adjustments`, { vatReturn, box: 1, amount: 100, reason: 'money' })
const fileReturn = (vatReturn, netVatDue) =>
  bookkeeper.post(`${vatReturn}/file`, { filedOn: dayOf(Date.now()), netVatDue })

async function differenceInBox1(vatReturn, answers) {
  const { state, figures } = await read(vatReturn, bookkeeper)
  if (state !== 'filed') return void expected(await bookkeeper.delete(vatReturn), 204)
  const rows = (await list(`${F}/vat_adjustments?itemsPerPage=100&order[id]=desc`, bookkeeper)).filter(
    (row) => row.vatReturn === vatReturn,
  )
  const sum = rows.reduce((total, { amount }) => total + amount, 0)
  if (sum !== figures[1])
    return `box 1 was filed as ${figures[1]} pence, its adjustments are ${sum}: ${statuses(answers)}`
}

await attack('a VAT return is filed with every adjustment that was saved for it', async () => {
  for (let attempt = 0; attempt < 4; attempt++) {
    const vatReturn = await newReturn()
    const answers = await Promise.all([fileReturn(vatReturn, 0), ...Array.from({ length: 8 }, () => adjust(vatReturn))])
    const difference = await differenceInBox1(vatReturn, answers)
    if (difference) return difference
  }
})

await attack(
  'an adjustment can’t be deleted while its VAT return is filed, and a filed return can’t be changed',
  async () => {
    for (let delay = 3; delay <= 36; delay += 3) {
      const vatReturn = await newReturn()
      const [first] = await Promise.all(Array.from({ length: 6 }, async () => expected(await adjust(vatReturn), 201)))
      const remove = async () => {
        await wait(delay)
        return bookkeeper.delete(`${F}/vat_adjustments/${first.id}`)
      }
      const difference = await differenceInBox1(vatReturn, await Promise.all([fileReturn(vatReturn, 600), remove()]))
      if (difference) return difference
    }
    const filed = await newReturn()
    expected(await fileReturn(filed, 0), 200)
    const changes = [
      await bookkeeper.patch(filed, { purchaseVat: 5 }, MERGE),
      await adjust(filed),
      await bookkeeper.delete(filed),
    ]
    if (having(changes, 409).length !== 3) return statuses(changes)
  },
)

await attack('no payment can be recorded in a closed period, even while the period is being closed', async () => {
  const customer = await newCustomer(bookkeeper)
  const ends = (await list(`${F}/ledger_locks?itemsPerPage=100&order[id]=desc`, bookkeeper))
    .map(({ through }) => through)
    .sort()
  const day = ends.length ? dayOf(Date.parse(ends.at(-1)) + DAY_MS) : '2024-01-01'
  const record = (amount) =>
    bookkeeper.post(`${F}/charges`, { customer, method: 'bank', amount, receivedAt: `${day}T10:00:00Z` })
  expected(await record(1), 201)
  const answers = await Promise.all([
    record(2),
    bookkeeper.post(`${F}/ledger_locks`, { through: day }),
    record(3),
    record(4),
  ])
  if (answers[1].status !== 201) return statuses(answers)
  const later = [
    await record(5),
    await bookkeeper.post(`${customer}/balance`, { change: -6, paymentReceivedDate: `${day}T10:00:00Z` }),
  ]
  if (having(later, 409).length !== 2) return statuses(later)
})

await attack(
  'a raised discount limit does not apply today, and re-entering the present limit withdraws it',
  async () => {
    await bookkeeper.post(`${F}/quote_settings`, {})
    const [{ id, discountLimitAmount }] = await list(`${F}/quote_settings`, bookkeeper)
    const change = async (pence) =>
      expected(await bookkeeper.patch(`${F}/quote_settings/${id}`, { discountLimitAmount: pence }, MERGE), 200)
    const raised = await change(discountLimitAmount + 100)
    if (raised.discountLimitAmount !== discountLimitAmount) return 'the raised limit applies today'
    const { raisedLimits } = await change(discountLimitAmount)
    if (raisedLimits.discountLimitAmount)
      return `${discountLimitAmount} was saved, but ${raisedLimits.discountLimitAmount} applies from tomorrow`
  },
)

finish()
