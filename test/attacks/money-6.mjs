// Attacks on bank lines, and requests that would make other people wait.
import { attack, call, finish } from './portal.mjs'
import {
  atOnce,
  bookkeeper,
  expected,
  F,
  finance,
  line,
  list,
  newCustomer,
  read,
  run,
  statuses,
  wait,
} from './shared/money.mjs'

const TODAY = new Date().toISOString().slice(0, 10)
let count = 0

/** Returns the body of a response to set-up, which has the status 200 unless stated. */
const need = (answer, status = 200) => expected(answer, status)
const idOf = (iri) => Number(iri.split('/').pop())

async function newDraft(customer, unitAmount = 10_000) {
  return need(await finance.post(`${F}/invoices`, { customer, lines: [line(unitAmount)] }), 201)['@id']
}

async function newInvoice(customer, unitAmount) {
  const invoice = await newDraft(customer, unitAmount)
  need(await finance.post(`${invoice}/issue`, {}))
  return invoice
}

async function newBankLines(amounts, reference = 'money-6') {
  const rows = amounts.map(
    (amount, index) => `${TODAY.split('-').reverse().join('/')},${reference} ${run} ${count++} ${index},${amount}`,
  )
  const text = `Date,Description,Amount\n${rows.join('\n')}\n`
  const statement = need(await finance.post(`${F}/bank_statements`, { name: `money-6-${run}-${count}.csv`, text }), 201)
  const lines = await list(`${F}/bank_lines?itemsPerPage=20&order[id]=desc`, finance)
  return lines.filter((item) => item.statement.id === statement.id).map((item) => item['@id'])
}

await attack('Bank lines booked singly and in bulk at the same time pay an invoice once', async () => {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer, 1_000)
  const lines = await newBankLines(['12.00', '12.00', '12.00'], (await read(invoice, finance)).number)
  const bulk = () => finance.post(`${F}/bank_lines/bulk`, { action: 'book', ids: lines.map(idOf) })
  await atOnce(20, (index) => (index % 2 ? bulk() : finance.post(`${lines[index % 3]}/book`, {})))
  const paid = (await list(`${customer}/charges`, finance)).filter(({ state }) => state === 'succeeded')
  const { accountBalance } = await read(customer, finance)
  if (paid.length !== 1 || accountBalance !== 0) return `${paid.length} payments, balance ${accountBalance}`
})

await attack('A bank line can be undone, refunded or reversed only once, and split only up to its amount', async () => {
  const customer = await newCustomer()
  const booked = await newInvoice(customer)
  const [bankLine, other] = await newBankLines(['120.00', '240.00'])
  const amounts = await Promise.all([bankLine, other].map(async (item) => (await read(item, finance)).amount))
  const [small, large] = amounts[0] === 12_000 ? [bankLine, other] : [other, bankLine]
  need(await finance.post(`${small}/book`, { invoice: booked }))
  const { charge } = await read(small, finance)
  const sends = [
    () => finance.post(`${small}/unmatch`, { reason: 'x' }),
    () => finance.post(`${charge}/refund`, { reason: 'x', amount: 12_000 }),
    () => finance.post(`${charge}/reverse`, { reason: 'x' }),
  ]
  const answers = await atOnce(21, (index) => sends[index % 3]())
  const won = answers.filter(({ status }) => status < 300)
  const { accountBalance } = await read(customer, finance)
  const waiting = won[0]?.body.state === 'waiting'
  if (won.length !== 1 || accountBalance !== (waiting ? 0 : 12_000))
    return `${statuses(answers)}, balance ${accountBalance}`
  const stranger = await newInvoice(await newCustomer())
  const invoice = await newInvoice(customer)
  const splits = [
    [
      { invoice, amount: 36_000 },
      { invoice, amount: -12_000 },
    ],
    [{ invoice, amount: 24_001 }],
    [
      { invoice, amount: 12_000 },
      { invoice: stranger, amount: 12_000 },
    ],
    [
      { invoice, amount: 12_000 },
      { invoice, amount: 12_000 },
    ],
  ]
  for (const parts of splits)
    if ((await finance.post(`${large}/split`, { parts })).status < 400) return `split as ${JSON.stringify(parts)}`
  need(await finance.post(`${large}/split`, { parts: [{ invoice, amount: 12_000 }], credit: true }))
})

/** Returns the responses of `send`, and the longest time for which another request waited meanwhile. */
async function longestWait(send) {
  let [longest, running] = [0, true]
  const others = (async () => {
    while (running) {
      const start = Date.now()
      await call('GET', '/api/portal/public')
      longest = Math.max(longest, Date.now() - start)
      await wait(20)
    }
  })()
  const answers = await send()
  running = false
  await others
  return { answers, longest }
}

await attack('A report of recurring income for 9,999 years is refused without making other people wait', async () => {
  const periods = ['from=2017-01-01&to=2026-11-30', 'from=0001-01-01&to=9999-12-31']
  for (const address of ['ledger/recurring', 'ledger/recurring/export.csv']) {
    const [tenYears, allYears] = [
      await bookkeeper.get(`${F}/${address}?${periods[0]}`),
      await bookkeeper.get(`${F}/${address}?${periods[1]}`),
    ]
    need(tenYears)
    if (allYears.status !== 400) return `answered ${allYears.status}`
    const { longest } = await longestWait(() => atOnce(3, () => bookkeeper.get(`${F}/${address}?${periods[1]}`)))
    if (longest > 1_000) return `others waited ${longest} ms for ${address}, sent three times by a client’s bookkeeper`
  }
})

await attack('An invoice with 1,000 lines and one for 380 years don’t make other people wait', async () => {
  const customer = await newCustomer()
  const lines = Array.from({ length: 1_000 }, (_, index) => ({ ...line(100 + index), description: 'x'.repeat(200) }))
  const { answers, longest } = await longestWait(async () => {
    const large = await finance.post(`${F}/invoices`, { customer, lines })
    const long = await finance.post(`${F}/invoices`, {
      customer,
      lines: [line(100)],
      periodFrom: '2020-01-01',
      periodTo: '2400-01-01',
    })
    await finance.get(`${large.body['@id']}/pdf`)
    return [large, long, await finance.post(`${long.body['@id']}/issue`, {})]
  })
  if (statuses(answers) !== '201 201 200') throw new Error(statuses(answers))
  if (longest > 1_000) return `others waited ${longest} ms`
})

finish()
