// Attacks on money: bank files, payments by link, refunds that wait, and VAT returns.
import { attack, call, finish } from './portal.mjs'
import {
  bankPayment,
  camt,
  csv,
  entry,
  importFile,
  line,
  list,
  mark,
  mt940,
  need,
  newCustomer,
  newInvoice,
  PAID_ON,
  patch,
  read,
  TODAY,
} from './shared/bank.mjs'
import {
  atOnce,
  bookkeeper,
  DAY_MS,
  dayOf,
  F,
  finance,
  having,
  manager,
  run,
  staff,
  statuses,
  voidInvoice,
} from './shared/money.mjs'

await attack('A CSV row with more cells than columns is reported, not imported with another amount', async () => {
  const { created, problems } = await importFile('extra.csv', csv([`${PAID_ON},${mark()},1,144.01`]))
  if (created.length && !problems.length) return `1,144.01 was imported as ${created[0].amount} pence without a warning`
})

await attack('Pending, reversed, outgoing and unreadable entries in bank files don’t count as payments', async () => {
  const files = {
    'pending.xml': camt(entry('102.01', { more: '<Sts>PDNG</Sts>' })),
    'reversed.xml': camt(entry('103.02', { direction: 'DBIT', more: '<RvslInd>true</RvslInd>' })),
    'negative.xml': camt(entry('-104.01')),
    'comment.xml': camt(`<!-- ${entry('108.01')} -->${entry('1.00', { direction: 'DBIT' })}`),
    'decimals.xml': camt(entry('105.015')),
    'reversed.sta': mt940('RC122,01'),
    'debit.sta': mt940('D125,01'),
  }
  for (const amount of ['(141.03)', '141.05 DR', '141.06-', '"1.141,09"', '1e3', '0x10', '99999999999.00'])
    files[`${amount}.csv`] = csv([`${PAID_ON},${mark()},${amount}`])
  for (const [name, text] of Object.entries(files)) {
    const { created } = await importFile(name, text)
    if (created.length) return `${name} created a payment of ${created[0].amount}`
  }
  const [accepted] = (await importFile('credit.xml', camt(entry('107.07')))).created
  if (accepted.amount !== 10_707) throw new Error('a credit was not imported')
})

await attack('A bank line in another currency can’t pay an invoice in pounds', async () => {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer)
  for (const text of [
    camt(entry('120.00', { currency: 'EUR' })),
    csv([`${PAID_ON},${mark()},120.00,EUR`], 'Date,Description,Amount,Currency'),
  ]) {
    const [{ '@id': bankLine, currency }] = (await importFile('euro', text)).created
    const answers = [
      await finance.post(`${bankLine}/book`, { invoice }),
      await finance.post(`${bankLine}/book`, { customer }),
      await finance.post(`${bankLine}/split`, { parts: [{ invoice, amount: 12_000 }] }),
    ]
    if (currency !== 'EUR' || having(answers, 422).length !== 3) return `${currency}: ${statuses(answers)}`
  }
})

await attack(
  'A payment in a CSV file is not imported again from an OFX file or with a different spelling',
  async () => {
    const reference = mark()
    const first = await importFile('first.csv', csv([`${PAID_ON},${reference},10.00`]))
    const day = PAID_ON.replaceAll('-', '')
    const ofx = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>10.00<FITID>${run}<NAME>${reference}</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
    const again = [
      await importFile('second.ofx', ofx),
      await importFile('third.csv', csv([`${PAID_ON},${reference.toUpperCase()},10`])),
      await importFile('fourth.csv', csv([`${PAID_ON.split('-').reverse().join('/')},  ${reference} ,£10.00`])),
    ]
    if (first.created.length !== 1 || again.some(({ created }) => created.length))
      return again.map(({ created }) => created.length).join(' ')
  },
)

await attack('A bank line can’t pay a draft, a void invoice or another customer’s invoice', async () => {
  const [customer, other] = [await newCustomer(), await newCustomer()]
  const draft = need(await finance.post(`${F}/invoices`, { customer, lines: [line(10_000)] }), 201)['@id']
  const [voided, open] = [await newInvoice(customer), await newInvoice(customer)]
  await voidInvoice(voided)
  const [{ '@id': bankLine }] = (await importFile('line.csv', csv([`${PAID_ON},${mark()},120.00`]))).created
  const answers = [
    await finance.post(`${bankLine}/book`, { invoice: draft }),
    await finance.post(`${bankLine}/book`, { invoice: voided }),
    await finance.post(`${bankLine}/book`, { invoice: open, customer: other }),
    await staff.post(`${bankLine}/book`, { invoice: open }),
  ]
  need(await finance.post(`${bankLine}/book`, { invoice: open }))
  if (statuses(answers) !== '409 409 422 403') return statuses(answers)
})

async function newLink(invoice, who = finance) {
  const { url } = need(await who.post(`${invoice}/pay-link`, {}))
  return `${F}/payments/${url.split('/').pop()}`
}

await attack('A client’s payment link offers neither the provider’s card payments nor its Direct Debit', async () => {
  const link = await newLink(await newInvoice(await newCustomer({}, bookkeeper), 5_000, bookkeeper), bookkeeper)
  const page = need(await call('GET', link))
  const answers = [
    await call('POST', `${link}/card`, { body: {} }),
    await call('POST', `${link}/mandate`, {
      body: { holder: 'X', sortCode: '200000', accountNumber: '55779911', authorised: true },
    }),
  ]
  if (page.card || page.debit || having(answers, 409).length !== 2) return `card ${page.card}: ${statuses(answers)}`
})

await attack('A Direct Debit can be set up only with the payer’s authority and an invoice that is due', async () => {
  const details = { holder: 'X', sortCode: '200000', accountNumber: '55779911', authorised: true }
  const [invoice, voided] = [await newInvoice(await newCustomer()), await newInvoice(await newCustomer())]
  const [link, closed] = [await newLink(invoice), await newLink(voided)]
  await voidInvoice(voided)
  const refused = [
    await call('POST', `${link}/mandate`, { body: { ...details, authorised: false } }),
    await call('POST', `${closed}/mandate`, { body: details }),
  ]
  const { mandate } = need(await call('POST', `${link}/mandate`, { body: details }))
  if (statuses(refused) !== '422 409' || JSON.stringify(mandate).includes('55779911')) return statuses(refused)
})

await attack(
  'A refund that waits for approval blocks the reversal of its payment and the use of its credit',
  async () => {
    const customer = await newCustomer()
    const payment = need(await bankPayment(customer, 600_000), 201)['@id']
    const refund = need(await finance.post(`${payment}/refund`, { reason: 'money', amount: 600_000 }), 201)
    if (refund.state !== 'waiting') throw new Error(`the refund is ${refund.state}`)
    const invoice = await newInvoice(customer, 500_000)
    const answers = [
      await finance.post(`${payment}/reverse`, { reason: 'x' }),
      await finance.post(`${invoice}/use-credit`, {}),
    ]
    need(await finance.post(`${refund['@id']}/withdraw`, {}))
    need(await finance.post(`${invoice}/use-credit`, {}))
    if (having(answers, 409).length !== 2) return statuses(answers)
  },
)

await attack(
  'A refund approved, withdrawn, reversed and used as credit at the same time takes effect once',
  async () => {
    for (let round = 0; round < 4; round++) {
      const customer = await newCustomer()
      const payment = need(await bankPayment(customer, 600_000), 201)['@id']
      const refund = need(await finance.post(`${payment}/refund`, { reason: 'money', amount: 600_000 }), 201)['@id']
      const invoice = await newInvoice(customer, 500_000)
      const sends = [
        () => manager.post(`${refund}/approve`, {}),
        () => finance.post(`${payment}/reverse`, { reason: 'x' }),
        () => finance.post(`${invoice}/use-credit`, {}),
        () => finance.post(`${refund}/withdraw`, {}),
      ]
      const answers = await atOnce(16, (index) => sends[(index + round) % 4]())
      const [{ state }, money, { amountDue }] = [await read(refund), await read(payment), await read(invoice)]
      const uses = [['pending', 'succeeded'].includes(state), money.state === 'reversed', amountDue < 600_000].filter(
        Boolean,
      )
      if (uses.length > 1) return `${statuses(answers)}: refund ${state}, payment ${money.state}, due ${amountDue}`
    }
  },
)

await attack('A VAT return filed while its period and amounts change contains the amounts at filing', async () => {
  for (let round = 0; round < 4; round++) {
    const ends = (await list(`${F}/vat_returns?itemsPerPage=1000`, bookkeeper)).map(({ to }) => to).sort()
    const from = ends.length ? dayOf(Date.parse(ends.at(-1)) + DAY_MS) : '2024-01-01'
    const vatReturn = need(await bookkeeper.post(`${F}/vat_returns`, { from, to: from, notes: 'money' }), 201)['@id']
    const sends = [
      () => bookkeeper.post(`${vatReturn}/file`, { filedOn: TODAY, netVatDue: 0 }),
      () => patch(bookkeeper, vatReturn, { to: dayOf(Date.parse(from) + DAY_MS) }),
      () => patch(bookkeeper, vatReturn, { purchases: 100 * (round + 1) }),
      () => patch(bookkeeper, vatReturn, { dispatches: 700 }),
    ]
    const answers = await atOnce(8, (index) => sends[(index + round) % 4]())
    const { state, to, figures, purchases, dispatches } = await read(vatReturn, bookkeeper)
    if (state !== 'filed') throw new Error(statuses(answers))
    const [{ through }] = await list(`${F}/ledger_locks?itemsPerPage=1&order[id]=desc`, bookkeeper)
    if (through !== to || figures[7] !== purchases || figures[8] !== dispatches)
      return `to ${to}, closed through ${through}, boxes 7 and 8 ${figures[7]} ${figures[8]}, entered ${purchases} ${dispatches}`
  }
})

await attack(
  'A VAT return can’t be filed before its last day or with another amount, and can’t claim a new debt as bad',
  async () => {
    const ends = (await list(`${F}/vat_returns?itemsPerPage=1000`, bookkeeper)).map(({ to }) => to).sort()
    const from = ends.length ? dayOf(Date.parse(ends.at(-1)) + DAY_MS) : '2024-01-01'
    const vatReturn = need(await bookkeeper.post(`${F}/vat_returns`, { from, to: from, notes: 'money' }), 201)['@id']
    const invoice = await newInvoice(await newCustomer({}, bookkeeper), 100, bookkeeper)
    const answers = [
      await bookkeeper.post(`${vatReturn}/file`, { filedOn: dayOf(Date.now() + 5 * DAY_MS), netVatDue: 0 }),
      await bookkeeper.post(`${vatReturn}/file`, { filedOn: dayOf(Date.parse(from) - DAY_MS), netVatDue: 0 }),
      await bookkeeper.post(`${vatReturn}/file`, { filedOn: TODAY, netVatDue: 1 }),
      await bookkeeper.post(`${F}/vat_bad_debts`, { vatReturn, invoice }),
      await bookkeeper.post(`${F}/vat_adjustments`, { vatReturn, box: 5, amount: 100, reason: 'x' }),
    ]
    need(await patch(bookkeeper, vatReturn, { to: '2099-01-01' }))
    const { boxes } = await read(`${vatReturn}/figures`, bookkeeper)
    answers.push(
      await bookkeeper.post(`${vatReturn}/file`, {
        filedOn: TODAY,
        netVatDue: boxes.find(({ box }) => box === 5).amount,
      }),
    )
    need(await bookkeeper.delete(vatReturn), 204)
    if (statuses(answers) !== '422 422 409 422 422 409') return statuses(answers)
  },
)

await attack('The due date of an issued invoice can’t be extended beyond the terms allowed for a draft', async () => {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer, 500_000)
  const draft = need(await finance.post(`${F}/invoices`, { customer, lines: [line(100)] }), 201)['@id']
  const answers = [
    await patch(finance, draft, { dueOn: '2999-01-01' }),
    await finance.post(`${invoice}/write-off`, { reason: 'money' }),
    await patch(staff, invoice, { dueOn: '2999-01-01' }),
  ]
  if (statuses(answers) !== '422 409 403') throw new Error(statuses(answers))
  const { status } = await patch(finance, invoice, { dueOn: '2999-01-01' })
  if (status === 200)
    return `£6,000 is due on ${(await read(invoice)).dueOn}: refused for a draft (422), and one person can’t write the debt off (409)`
})

await attack('An exchange rate for a future month can’t be recorded as published by HMRC', async () => {
  const month = `${2040 + Math.floor(Math.random() * 900)}-0${1 + Math.floor(Math.random() * 9)}-01`
  const { status } = await finance.post(`${F}/exchange_rates`, { currency: 'USD', month, rate: 0.0001, source: 'hmrc' })
  if (status === 201) return `0.0001 for ${month} was recorded as a rate of HMRC`
})

finish()
