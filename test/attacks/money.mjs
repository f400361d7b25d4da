// Attacks on invoices, payments, refunds, credit notes, write-offs and balance changes.
import { attack, call, finish } from './portal.mjs'
import {
  atOnce,
  bookkeeper,
  clientAdmin,
  creditNote,
  DAY_MS,
  enterCard,
  expected,
  F,
  finance,
  firstLine,
  having,
  line,
  linkOf,
  list,
  MERGE,
  manager,
  newCustomer,
  newDraft,
  newInvoice,
  paidInvoice,
  pay,
  read,
  recordTransfer,
  run,
  staff,
  statuses,
  voidInvoice,
} from './shared/money.mjs'

const REFUND_LIMIT_PENCE = 50_000

const idOf = (path) => Number(path.split('/').pop())

async function overSettled(invoice) {
  const { total, amountPaid, amountCredited, amountWrittenOff, amountDue } = await read(invoice)
  const settled = amountPaid + amountCredited + amountWrittenOff
  if (settled > total || amountDue < 0) return `${settled} of ${total} pence settled, ${amountDue} due`
}

await attack('a card entered at one payment link can’t pay another invoice', async () => {
  const links = [
    await linkOf(await newInvoice(await newCustomer())),
    await linkOf(await newInvoice(await newCustomer())),
  ]
  const card = await enterCard(links[0])
  const stolen = await pay(links[1], card, 12_000)
  if (stolen.status < 400) return `the other invoice was paid: ${stolen.status}`
  expected(await pay(links[1], await enterCard(links[1]), 12_000), 200)
})

await attack('a payment link accepts only the amount due', async () => {
  const invoice = await newInvoice(await newCustomer())
  const link = await linkOf(invoice)
  const card = await enterCard(link)
  for (const amount of [1, 11_999, 12_001, 12_000.5, '12000', -12_000, 0, null]) {
    const { status } = await pay(link, card, amount)
    if (status < 400 || status >= 500) return `${amount} answered ${status}`
  }
  expected(await pay(link, await enterCard(link), 12_000, { amount: 1, invoice: `${F}/invoices/1` }), 200)
  if ((await read(invoice)).amountPaid !== 12_000) return 'another amount was recorded'
})

await attack('20 simultaneous payments with one card charge it once', async () => {
  const invoice = await newInvoice(await newCustomer())
  const link = await linkOf(invoice)
  const card = await enterCard(link)
  const answers = await atOnce(20, () => pay(link, card, 12_000))
  const charges = await list(`${invoice}/charges`)
  if (charges.length !== 1) return `${charges.length} charges after ${statuses(answers)}`
})

await attack('simultaneous payments by link and by bank transfer settle an invoice once', async () => {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer)
  const link = await linkOf(invoice)
  const cards = [await enterCard(link), await enterCard(link)]
  const answers = await Promise.all([
    ...cards.map((card) => pay(link, card, 12_000)),
    ...[finance, manager].map((user) => recordTransfer(user, customer, 12_000, { invoice, amountDue: 12_000 })),
  ])
  const charges = (await list(`${invoice}/charges`)).filter(({ state }) => state === 'succeeded')
  if (charges.length !== 1) return `${charges.length} payments after ${statuses(answers)}`
  return overSettled(invoice)
})

await attack(
  'a payment by link at the same time as a void, write-off or credit note settles an invoice once',
  async () => {
    const rivals = [
      (invoice) => finance.post(`${invoice}/void`, { reason: 'money' }),
      (invoice) => finance.post(`${invoice}/write-off`, { reason: 'money' }),
      async (invoice) => creditNote(finance, invoice, [{ line: await firstLine(invoice), quantity: 1 }]),
    ]
    for (const rival of rivals) {
      const invoice = await newInvoice(await newCustomer())
      const link = await linkOf(invoice)
      const card = await enterCard(link)
      const answers = await Promise.all([rival(invoice), pay(link, card, 12_000)])
      if (having(answers, 500).length) return statuses(answers)
      const { state, amountPaid } = await read(invoice)
      if (state === 'void' && amountPaid) return 'a void invoice was paid'
      const excess = await overSettled(invoice)
      if (excess) return excess
    }
  },
)

await attack('the link of a void invoice accepts no payment, and no new link is created', async () => {
  const invoice = await newInvoice(await newCustomer())
  const link = await linkOf(invoice)
  const card = await enterCard(link)
  await voidInvoice(invoice)
  const paid = await pay(link, card, 12_000)
  const again = await finance.post(`${invoice}/pay-link`, {})
  if (paid.status !== 409 || again.status !== 409) return `payment ${paid.status}, link ${again.status}`
})

await attack('a changed payment link shows nothing', async () => {
  const link = await linkOf(await newInvoice(await newCustomer()))
  expected(await call('GET', `${F}/payments/${link}`), 200)
  const [client, id, secret] = [link.split('-')[0], Number(link.split('-')[1]), link.split('-').slice(2).join('-')]
  for (const forged of [
    `${client}-${id + 1}-${secret}`,
    `1-${id}-${secret}`,
    `${client}-${id}-${'A'.repeat(32)}`,
    link.slice(0, -2),
    '%00',
  ]) {
    const { status, text } = await call('GET', `${F}/payments/${forged}`)
    if (status !== 404 || /\bat \S+:\d+/.test(text)) return `${forged} answered ${status}`
  }
})

await attack('no receipt is created before a payment', async () => {
  const link = await linkOf(await newInvoice(await newCustomer()))
  const before = await call('GET', `${F}/payments/${link}/receipt`)
  expected(await pay(link, await enterCard(link), 12_000), 200)
  expected(await call('GET', `${F}/payments/${link}/receipt`), 200)
  if (before.status !== 409) return `answered ${before.status}`
})

await attack(
  'staff without finance rights can’t record a transfer, refund, write-off or credit note, or issue an invoice',
  async () => {
    const { customer, charge, invoice, line: paidLine } = await paidInvoice(1_000)
    const open = await newInvoice(customer)
    const draft = await newDraft(customer)
    const attempts = {
      transfer: recordTransfer(staff, customer, 100),
      refund: staff.post(`${charge}/refund`, { reason: 'money', amount: 100 }),
      writeOff: staff.post(`${open}/write-off`, { reason: 'money' }),
      creditNote: creditNote(staff, invoice, [{ line: paidLine, net: 100 }]),
      issue: staff.post(`${draft}/issue`, {}),
      balance: staff.post(`${customer}/balance`, { change: -100, reason: 'money' }),
      balanceByPatch: staff.patch(customer, { accountBalanceChange: -100, accountBalanceReason: 'money' }, MERGE),
    }
    for (const [name, attempt] of Object.entries(attempts)) {
      const { status } = await attempt
      if (status !== 403) return `${name} answered ${status}`
    }
  },
)

await attack('20 simultaneous full refunds at both URLs refund a payment once', async () => {
  const { charge, total } = await paidInvoice(1_000)
  const answers = await atOnce(20, (index) =>
    index % 2
      ? finance.post(`${charge}/refund`, { reason: 'money', amount: total })
      : manager.post(`${F}/refunds`, { charge, reason: 'money', amount: total }),
  )
  if (having(answers, 201).length !== 1) return statuses(answers)
})

await attack('20 simultaneous partial refunds never exceed the payment', async () => {
  const { charge, total } = await paidInvoice(1_000)
  const answers = await atOnce(20, () => finance.post(`${charge}/refund`, { reason: 'money', amount: 100 }))
  const { amountRefunded, amountRefunding, refundable } = await read(charge)
  if (amountRefunded + amountRefunding > total || refundable < 0)
    return `${amountRefunded} + ${amountRefunding} of ${total}`
  if (having(answers, 201).length !== 12) return statuses(answers)
})

await attack('a simultaneous refund and refunded credit note return the money once', async () => {
  const { charge, invoice, line: paidLine, total } = await paidInvoice(1_000)
  const answers = await Promise.all([
    finance.post(`${charge}/refund`, { reason: 'money', amount: total }),
    creditNote(manager, invoice, [{ line: paidLine, quantity: 1 }], 'refund'),
  ])
  if (having(answers, 201).length !== 1) return statuses(answers)
})

await attack('a refund above the limit can be decided only once, and not by its author', async () => {
  const { charge } = await paidInvoice(100_000)
  const refund = expected(await finance.post(`${charge}/refund`, { reason: 'money', amount: 60_000 }), 201)
  if (refund.state !== 'waiting') return `the refund is ${refund.state}`
  const path = `${F}/refunds/${refund.id}`
  for (const user of [finance, staff, bookkeeper, clientAdmin]) {
    const { status } = await user.post(`${path}/approve`, {})
    if (![403, 404].includes(status)) return `approval answered ${status}`
  }
  const answers = await Promise.all([
    manager.post(`${path}/approve`, {}),
    manager.post(`${path}/approve`, {}),
    manager.post(`${path}/reject`, { reason: 'money' }),
    finance.post(`${path}/withdraw`, {}),
  ])
  if (having(answers, 200).length !== 1) return statuses(answers)
})

await attack('several smaller refunds can’t avoid the limit', async () => {
  const { charge } = await paidInvoice(200_000)
  let unapproved = 0
  for (const amount of [30_001, 30_002, 30_003, 30_004]) {
    const { state } = expected(await finance.post(`${charge}/refund`, { reason: 'money', amount }), 201)
    if (state !== 'waiting') unapproved += amount
  }
  if (unapproved > REFUND_LIMIT_PENCE) return `${unapproved} pence refunded without approval`
})

await attack('credit reserved for a refund can’t pay another invoice', async () => {
  const { customer, charge, invoice, line: paidLine } = await paidInvoice(200_000)
  expected(await creditNote(finance, invoice, [{ line: paidLine, quantity: 1 }], 'refund'), 201)
  const [refund] = await list(`${charge}/refunds`)
  if (refund.state !== 'waiting') throw new Error(`the refund is ${refund.state}`)
  const second = await newInvoice(customer, [line(100_000)])
  const used = await finance.post(`${second}/use-credit`, {})
  const { amountDue } = await read(second)
  if (used.status !== 409 || amountDue !== 120_000) return `${used.status}, ${amountDue} due`
  expected(await manager.post(`${F}/refunds/${refund.id}/approve`, {}), 200)
})

await attack('a credit note does not state a refund that was rejected', async () => {
  const { charge, invoice, line: paidLine } = await paidInvoice(200_000)
  const note = expected(await creditNote(finance, invoice, [{ line: paidLine, quantity: 1 }], 'refund'), 201)
  const [refund] = await list(`${charge}/refunds`)
  expected(await manager.post(`${F}/refunds/${refund.id}/reject`, { reason: 'money' }), 200)
  const { amountRefunded } = await read(`${F}/credit_notes/${note.id}`)
  const returned = (await read(charge)).amountRefunded
  if (amountRefunded > returned) return `the note states ${amountRefunded} pence refunded, ${returned} were`
})

await attack('a payment by card cannot be undone as recorded in error', async () => {
  const { charge } = await paidInvoice(1_000)
  const { status } = await finance.post(`${charge}/reverse`, { reason: 'money' })
  if (status !== 409) return `answered ${status}`
})

await attack('simultaneous credit notes never exceed the invoice, and their rounded parts add up', async () => {
  // Uses books whose limit no other attack has used up.
  const customer = await newCustomer(bookkeeper)
  const invoice = await newInvoice(customer, [line(33.3, 7)], bookkeeper)
  const credited = await firstLine(invoice, bookkeeper)
  const answers = await atOnce(12, () => creditNote(bookkeeper, invoice, [{ line: credited, quantity: 1 }]))
  const { total, amountCredited, state } = await read(invoice, bookkeeper)
  if (having(answers, 201).length !== 7 || amountCredited !== total || state !== 'paid')
    return `${amountCredited} of ${total}: ${statuses(answers)}`
})

await attack('a credit note can’t contain a line twice, a line of another invoice or a negative amount', async () => {
  const customer = await newCustomer(bookkeeper)
  const invoice = await newInvoice(customer, [line(10_000)], bookkeeper)
  const own = await firstLine(invoice, bookkeeper)
  const foreign = await firstLine(await newInvoice(customer, [line(90_000)], bookkeeper), bookkeeper)
  for (const lines of [
    [
      { line: own, net: 6_000 },
      { line: own, net: 6_000 },
    ],
    [{ line: foreign, net: 1 }],
    [{ line: own, net: -1 }],
    [{ line: own, net: 10_001 }],
  ]) {
    const { status } = await creditNote(bookkeeper, invoice, lines)
    if (status !== 422) return `${JSON.stringify(lines)} answered ${status}`
  }
  expected(await creditNote(bookkeeper, invoice, [{ line: own, net: 1 }]), 201)
})

await attack('a write-off above the limit needs a second person, who cannot approve a changed amount', async () => {
  const customer = await newCustomer()
  const invoice = await newInvoice(customer, [line(100_000)])
  const direct = await finance.post(`${invoice}/write-off`, { reason: 'money' })
  if (direct.status !== 409) return `written off directly: ${direct.status}`
  expected(await finance.post(`${invoice}/write-off`, { reason: 'money', askApproval: true }), 200)
  const requests = await list(`${F}/finance_requests?state=waiting&itemsPerPage=100`)
  const request = `${F}/finance_requests/${requests.find((row) => row.invoice?.id === idOf(invoice)).id}`
  const own = await finance.post(`${request}/approve`, {})
  if (own.status !== 403) return `approved by its author: ${own.status}`
  expected(await recordTransfer(finance, customer, 100_000, { invoice }), 201)
  const changed = await manager.post(`${request}/approve`, {})
  if (changed.status !== 409) return `approved for another amount: ${changed.status}`
  expected(await manager.post(`${request}/reject`, { reason: 'money' }), 200)
})

await attack('a balance change above the limit needs a second person at every address', async () => {
  const customer = await newCustomer()
  const change = -(REFUND_LIMIT_PENCE + 1)
  const attempts = [
    await finance.post(`${customer}/balance`, { change, reason: 'money' }),
    await finance.patch(customer, { accountBalanceChange: change, accountBalanceReason: 'money' }, MERGE),
    await finance.post(`${F}/customers`, {
      email: `money-${run}@example.com`,
      billingName: 'money',
      accountBalanceChange: change,
      accountBalanceReason: 'money',
    }),
  ]
  if (having(attempts, 409).length !== 3) return statuses(attempts)
  if ((await read(customer)).accountBalance) return 'the balance changed'
})

await attack('20 simultaneous balance changes together stay within the limit', async () => {
  const customer = await newCustomer(bookkeeper)
  const answers = await atOnce(20, (index) =>
    bookkeeper.post(`${customer}/balance`, { change: -9_000 - index, reason: `money ${run} ${index}`, keepBoth: true }),
  )
  const { accountBalance } = await read(customer, bookkeeper)
  if (-accountBalance > REFUND_LIMIT_PENCE) return `${-accountBalance} pence changed without approval`
  if (!answers.some(({ body }) => ['approval_needed', 'no_second_person'].includes(body.code))) return statuses(answers)
})

await attack('20 simultaneous issues assign one number, and an issued invoice can’t be changed', async () => {
  const customer = await newCustomer()
  const draft = await newDraft(customer)
  const { fingerprint } = await read(`${draft}/preview`)
  const answers = await atOnce(20, () => finance.post(`${draft}/issue`, { fingerprint }))
  if (having(answers, 200).length !== 1) return statuses(answers)
  const changes = [
    await finance.patch(draft, { percentOff: 50 }, MERGE),
    await finance.put(draft, { customer, lines: [line(1)] }),
    await finance.delete(draft),
  ]
  if (changes.some(({ status }) => status !== 409)) return statuses(changes)
  if ((await read(draft)).total !== 12_000) return 'the total changed'
})

await attack('credit applied to several invoices simultaneously is used once', async () => {
  const customer = await newCustomer()
  const invoices = [await newInvoice(customer), await newInvoice(customer), await newInvoice(customer)]
  expected(await recordTransfer(finance, customer, 12_000), 201)
  const answers = await atOnce(9, (index) => finance.post(`${invoices[index % 3]}/use-credit`, {}))
  const due = (await Promise.all(invoices.map((invoice) => read(invoice)))).reduce(
    (sum, { amountDue }) => sum + amountDue,
    0,
  )
  if (due !== 24_000) return `${due} pence due after ${statuses(answers)}`
})

await attack('a saved card pays only for its own customer, and 20 simultaneous charges charge it once', async () => {
  const customer = await newCustomer()
  const link = await linkOf(await newInvoice(customer))
  expected(await pay(link, await enterCard(link), 12_000, { keep: true }), 200)
  const [saved] = await list(`${customer}/cards`)
  const card = `${F}/cards/${saved.id}`
  const other = await newCustomer()
  const foreign = await staff.post(`${F}/charges`, {
    customer: other,
    card,
    method: 'card',
    amount: 12_000,
    invoice: await newInvoice(other),
  })
  if (foreign.status !== 422) return `another customer’s invoice: ${foreign.status}`
  const invoice = await newInvoice(customer)
  const answers = await atOnce(20, () =>
    staff.post(`${F}/charges`, { customer, invoice, card, method: 'card', amount: 12_000 }),
  )
  if (having(answers, 201).length !== 1 || (await list(`${invoice}/charges`)).length !== 1) return statuses(answers)
})

await attack('an invoice whose e-mail is requested 10 times simultaneously is e-mailed only once more', async () => {
  const invoice = await newInvoice(await newCustomer())
  const answers = await atOnce(10, () => finance.post(`${invoice}/send`, {}))
  if (having(answers, 200).length !== 1 || having(answers, 409).length !== 9) return statuses(answers)
  expected(await finance.post(`${invoice}/send`, { again: true }), 200)
})

await attack('an amount owed can’t be recorded as a payment received', async () => {
  const customer = await newCustomer()
  const paymentReceivedDate = new Date(Date.now() - DAY_MS).toISOString()
  expected(await finance.post(`${customer}/balance`, { change: -100, paymentReceivedDate }), 200)
  const { status } = await finance.post(`${customer}/balance`, { change: 200, paymentReceivedDate })
  if (status !== 422) return `answered ${status}`
})

finish()
