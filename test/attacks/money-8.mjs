// Attacks on money: colleagues’ deals, commission months and saved cards.
import { attack, call, finish } from './portal.mjs'
import { dayOf, F, finance, having, manager, run, staff, statuses, wait } from './shared/money.mjs'
import { list, need, newCustomer, newInvoice, newNumber, patch, read, SALES, TODAY } from './shared/quotes.mjs'

const sellers = await list('/api/crm/staff?itemsPerPage=100')
const sellerOf = (username) => sellers.find((seller) => seller.username === username)['@id']
const counted = (who, address, more) =>
  who.post(`${SALES}/${address}`, { day: TODAY, amount: 5_000, what: `money ${run} ${newNumber()}`, ...more })

async function newDeal(who) {
  const { '@id': contact } = need(
    await who.post('/api/crm/contacts', { companyName: `Money ${run} ${newNumber()}`, name: 'A Lead' }),
    201,
  )
  return need(await who.post('/api/crm/sales', { contact, notes: 'money' }), 201)
}

await attack('Staff can’t count a colleague’s deal as their own sale', async () => {
  const taken = []
  for (const address of ['sales_stats', 'sales/create']) {
    const deal = await newDeal(manager)
    const { status, body } = await counted(staff, address, { sale: deal['@id'] })
    const own = await counted(manager, 'sales_stats', { sale: deal['@id'] })
    if (status === 201 && body.seller.username === 'staff')
      taken.push(
        `${address}: the deal of ${deal.user.username} is counted for ${body.seller.username}, the owner’s entry answers ${own.status}`,
      )
  }
  const own = await newDeal(staff)
  need(await counted(staff, 'sales_stats', { sale: own['@id'] }), 201)
  if (taken.length) return taken.join('; ')
})

await attack('Staff can’t change, remove or cancel a colleague’s sale', async () => {
  const { '@id': sale, id } = need(await counted(manager, 'sales_stats'), 201)
  const answers = [
    await patch(staff, sale, { amount: 1 }),
    await staff.put(`${SALES}/sales_stats/update/${id}`, { amount: 1 }),
    await staff.delete(`${SALES}/sales_stats/delete/${id}`),
    await staff.post(`${sale}/retire`, { reason: 'x' }),
    await staff.post(`${sale}/lose`, { reason: 'x' }),
    await staff.post(`${SALES}/sales_stats/bulk`, { action: 'check', ids: [id] }),
  ]
  if (having(answers, 403).length !== answers.length) return statuses(answers)
})

await attack('A commission month that changes after its approval can’t be locked before a new approval', async () => {
  const used = new Set((await list(`${SALES}/commission_months?itemsPerPage=1000`)).map(({ month }) => month))
  let day
  do day = dayOf(Date.UTC(1950 + Math.random() * 65, Math.random() * 12, 1))
  while (used.has(day))
  const rate = need(
    await manager.post(`${SALES}/commission_rates`, { seller: sellerOf('staff'), percent: 10, from: day }),
    201,
  )['@id']
  const { '@id': first, version } = need(await counted(staff, 'sales_stats', { day }), 201)
  need(await manager.post(`${first}/check`, { version }))
  const { '@id': month } = (await list(`${SALES}/commission_months?itemsPerPage=1000`)).find(
    (item) => item.month === day,
  )
  const changes = [
    () => counted(staff, 'sales_stats', { day }),
    () => manager.post(`${SALES}/commission_lines`, { month, seller: sellerOf('staff'), amount: 500, reason: 'money' }),
    () => patch(manager, first, { seller: sellerOf('alan.barker') }),
    () => manager.post(`${first}/retire`, { reason: 'money' }),
  ]
  for (const [index, send] of changes.entries()) {
    if ((await manager.post(`${month}/approve`, {})).status !== 200 && index === 0)
      throw new Error('the month was not approved')
    const { status } = await send()
    const locked = await manager.post(`${month}/lock`, {})
    if (status < 300 && locked.status === 200) return `change ${index} answered ${status} and the month was locked`
  }
  await patch(manager, rate, { retired: true })
})

await attack('Staff can read, export and count only their own commission', async () => {
  const lines = await list(`${SALES}/commission_lines?itemsPerPage=1000`)
  const other = lines.find(({ seller }) => seller.username !== 'staff')
  const { id } = need(
    await staff.post('/api/portal/exports', { from: `${SALES}/commission_lines`, format: 'csv' }),
    202,
  )
  let file
  for (let attempt = 0; attempt < 50 && file?.status !== 200; attempt++) {
    await wait(100)
    file = await staff.get(`/api/portal/runs/${id}/file`)
  }
  const csv = await staff.get(`${SALES}/commission_lines/export.csv`)
  const sellerNames = [need(file), need(csv)].map(
    (text) => new Set([...text.matchAll(/^\d+,[\d-]+,([^,]+),/gm)].map(([, name]) => name)),
  )
  if (!sellerNames.every((names) => names.has('Sam Taylor'))) throw new Error('the own rows are missing')
  if (sellerNames.some(({ size }) => size > 1)) return 'a colleague’s commission is exported'
  const single = await staff.get(other['@id'])
  const { sums } = await read(`${SALES}/commission`, staff)
  if (single.status !== 404 || sums.some(({ mine }) => !mine)) return `one row ${single.status}`
})

async function newCard(customer) {
  const { url } = need(await staff.post(`${F}/cards/setup`, { customer }))
  const raw = new FormData()
  for (const [name, value] of Object.entries({ number: '4242424242424242', expiry: '12/30', cvc: '123' }))
    raw.append(name, value)
  const { text } = await call('POST', url, { raw })
  return text.match(/card:"([^"]+)"/)[1]
}

await attack('Staff without finance rights can’t charge a saved card if nothing is due', async () => {
  const customer = await newCustomer()
  const { '@id': card } = need(await staff.post(`${F}/cards`, { customer, card: await newCard(customer) }), 201)
  const charge = (more) => staff.post(`${F}/charges`, { customer, card, method: 'card', ...more })
  const invoice = await newInvoice(customer, 1_000)
  need(await charge({ invoice, amount: 1_200, amountDue: 1_200 }), 201)
  const { status } = await charge({ amount: 1_000_000 })
  if (status === 201) return `£10,000 taken without invoice, balance ${(await read(customer, finance)).accountBalance}`
})

await attack('A card entered for one customer is not saved for another', async () => {
  const [customer, other] = [await newCustomer(), await newCustomer()]
  const [fresh, saved] = [await newCard(customer), await newCard(customer)]
  need(await staff.post(`${F}/cards`, { customer, card: saved }), 201)
  const answers = [
    await staff.post(`${F}/cards`, { customer: other, card: fresh }),
    await staff.post(`${F}/cards`, { customer: other, card: saved }),
  ]
  if (having(answers, 422).length !== 2) return statuses(answers)
})

finish()
