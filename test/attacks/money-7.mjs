// Attacks on money: lines saved twice at once, discounts increased after approval, and free periods.
import { attack, finish, signIn } from './portal.mjs'
import { atOnce, F, finance, having, manager, run, staff, statuses, wait } from './shared/money.mjs'
import {
  accept,
  approve,
  change,
  dearer,
  discountLimitAmount,
  discountLimitPercent,
  end,
  grow,
  line,
  list,
  monthly,
  need,
  newCustomer,
  newDraft,
  newQuote,
  patch,
  read,
  seats,
  sku,
  subscriptionOf,
  yearly,
} from './shared/quotes.mjs'

await attack('Two simultaneous saves of a draft invoice leave the lines of one save', async () => {
  const draft = await newDraft(await newCustomer())
  const answers = await atOnce(2, () => patch(finance, draft, { lines: [line(10_000)] }))
  const { lines, net } = await read(draft, finance)
  const sum = lines.reduce((total, { quantity, unitAmount }) => total + quantity * unitAmount, 0)
  if (!having(answers, 200).length) throw new Error(statuses(answers))
  if (lines.length !== 1 || sum !== net)
    return `${statuses(answers)}: ${lines.length} lines of together ${sum}, while the invoice states ${net}`
})

await attack('Two simultaneous saves of a quote charge the customer for the lines of one save', async () => {
  const customer = await newCustomer()
  const quote = await newQuote({}, customer)
  const saves = await atOnce(2, () =>
    patch(staff, quote, { plans: seats(1), skus: [{ sku: sku['@id'], quantity: 1 }] }),
  )
  const { total, plans: rows } = await read(quote)
  const first = await staff.post(`${quote}/send`, {})
  const { fingerprint } = await read(`${quote}/preview`, staff)
  if (first.status !== 200) need(await staff.post(`${quote}/send`, { fingerprint }))
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
  await end(await subscriptionOf(customer))
  const [invoice] = await list(`${customer}/invoices`, finance)
  const expected = Math.round((monthly.amount + sku.amount) * 1.2)
  if (invoice.total !== expected)
    return `saves ${statuses(saves)}, ${rows.length} lines for one plan, total ${total}, send ${first.status}: ${invoice.number} is for ${invoice.total}, not ${expected}`
})

await attack(
  'A quote saved twice and sent at the same time has no unapproved discount, and its lines add up to its total',
  async () => {
    const free = [{ ...seats(10, yearly)[0], discountPercent: 100 }]
    const whole = await newQuote({ plans: free })
    if ((await staff.post(`${whole}/send`, {})).status !== 409) throw new Error('ten free seats need no approval')
    for (let round = 0; round < 15; round++) {
      const customer = await newCustomer()
      const quote = await newQuote({}, customer)
      const answers = await Promise.all([
        patch(staff, quote, { plans: round % 3 ? free : seats(1) }),
        patch(staff, quote, { plans: seats(1) }),
        wait(round % 4).then(() => staff.post(`${quote}/send`, {})),
      ])
      const { state, total, plans: rows } = await read(quote)
      if (state !== 'open' || rows.length === 1) continue
      need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
      await subscriptionOf(customer)
      const sold = (await list(`${customer}/subscriptions`, finance)).map(
        (item) => `${item.plans} for ${item.amount} per ${item.interval}`,
      )
      for (const item of await list(`${customer}/subscriptions`, finance)) await end(`${F}/subscriptions/${item.id}`)
      return `${statuses(answers)} in round ${round}: sent with ${rows.length} lines and a total of ${total}, without approval; accepted: ${sold.join(', ')}`
    }
  },
)

await attack('Only one of several saves of one version of an invoice’s lines (If-Match) is stored', async () => {
  for (let round = 0; round < 3; round++) {
    const draft = await newDraft(await newCustomer())
    const { etag } = (await finance.get(draft)).headers
    const answers = await atOnce(5, () => patch(finance, draft, { lines: [line(10_000)] }, { 'if-match': etag }))
    const { lines } = await read(draft, finance)
    const later = await patch(finance, draft, { lines: [line(1)] }, { 'if-match': etag })
    if (having(answers, 200).length !== 1 && lines.length !== 1)
      return `${statuses(answers)} for one version, ${lines.length} lines; the old version later: ${later.status}`
  }
})

await attack('An invoice saved and issued at the same time is issued, or refused with a reason', async () => {
  for (let round = 0; round < 3; round++) {
    const draft = await newDraft(await newCustomer())
    const answers = await atOnce(6, (index) =>
      index % 3 === 2 ? finance.post(`${draft}/issue`, {}) : patch(finance, draft, { lines: [line(10_000)] }),
    )
    if (answers.some(({ status }) => status >= 500)) return statuses(answers)
  }
})

await attack('Two simultaneous saves of a risk assessment leave the rows of one save', async () => {
  const author = await signIn('admin.brick')
  const { '@id': assessment } = need(
    await author.post('/api/safety/risk_assessments', { description: `money ${run}` }),
    201,
  )
  const controls = [
    { hazardName: 'Fall', description: 'A fall', controlName: 'Guard rail', controlDescription: 'A guard rail' },
  ]
  need(await patch(author, assessment, { controls }))
  const answers = await atOnce(3, () => patch(author, assessment, { controls }))
  const { length } = (await read(assessment, author)).controls
  if (length !== 1) return `${statuses(answers)}: ${length} rows`
})

await attack(
  'A discount below the limit can’t be multiplied without approval by changing the subscription',
  async () => {
    const customer = await newCustomer()
    const discountPercent = discountLimitPercent
    await accept(await newQuote({ discountPercent, discountDuration: 'forever' }, customer))
    const large = await newQuote({ plans: seats(100), discountPercent, discountDuration: 'forever' })
    if ((await staff.post(`${large}/send`, {})).status !== 409)
      throw new Error('100 seats with this discount need no approval')
    const { subscription, answer, net } = await grow(customer, 100)
    await end(subscription)
    if (answer.status === 200 && net < 100 * monthly.amount)
      return `staff change 1 seat to 100: ${net} a month instead of ${100 * monthly.amount}; a quote for 100 seats needs approval above ${discountLimitAmount} a year`
  },
)

await attack('An approved discount for one seat doesn’t apply to 100 seats of a more expensive plan', async () => {
  const customer = await newCustomer()
  const quote = await newQuote({ discountPercent: 90, discountDuration: 'forever' }, customer)
  await approve(quote)
  await accept(quote)
  const { subscription, answer } = await grow(customer, 100)
  const item = (await read(subscription, finance)).items.at(-1)
  const swap = await change(staff, subscription, { way: 'swap', item: item['@id'], plan: dearer['@id'], when: 'now' })
  const [last] = await list(`${customer}/invoices`, finance)
  await end(subscription)
  if (swap.status === 200 && last.net < 100 * dearer.amount)
    return `quantity ${answer.status}, swap ${swap.status}: ${last.net} a month instead of ${100 * dearer.amount}; 90% of ${monthly.amount} were approved`
})

await attack('A plan that staff add to a subscription doesn’t get its discount without approval', async () => {
  const customer = await newCustomer()
  await accept(await newQuote({ discountPercent: discountLimitPercent, discountDuration: 'forever' }, customer))
  const subscription = await subscriptionOf(customer)
  const answer = await change(staff, subscription, { way: 'add', plan: dearer['@id'], quantity: 100, when: 'now' })
  const [last] = await list(`${customer}/invoices`, finance)
  await end(subscription)
  if (answer.status === 200 && last.net < 100 * dearer.amount)
    return `${last.net} instead of ${100 * dearer.amount} for an added plan`
})

const inDays = (days) => Math.floor(Date.now() / 1_000) + days * 86_400

await attack('A free year before the first payment of a yearly plan counts as a discount', async () => {
  const customer = await newCustomer()
  const free = (days) => ({ plans: seats(10, yearly), billingCycleAnchor: inDays(days), prorate: false })
  const longer = await newQuote(free(366))
  if ((await staff.post(`${longer}/send`, {})).status !== 409) throw new Error('366 free days need no approval')
  const quote = await newQuote(free(364), customer)
  const sent = await staff.post(`${quote}/send`, {})
  if (sent.status !== 200) return
  need(await staff.post(`${quote}/accept-by-phone`, { name: 'A Customer' }))
  const subscription = await subscriptionOf(customer)
  const { status, trialUntil } = await read(subscription, finance)
  const grown = await grow(customer, 200)
  await end(subscription)
  return `10 × ${yearly.amount} a year are ${status} without payment until ${trialUntil}, sent by staff without approval; grown to 200 seats: ${grown.answer.status}`
})

await attack('A free month before the first payment of a monthly plan counts as a discount', async () => {
  const quantity = Math.ceil((discountLimitAmount * 1.5) / monthly.amount)
  const quote = await newQuote({ plans: seats(quantity), billingCycleAnchor: inDays(28), prorate: false })
  const { status } = await staff.post(`${quote}/send`, {})
  await staff.post(`${quote}/cancel`, { reason: 'money' })
  if (status === 200)
    return `28 days of ${quantity} × ${monthly.amount} a month are free, above the limit of ${discountLimitAmount}`
})

await attack('An approval covers no other quantity, plan, duration, customer, coupon or billing start', async () => {
  const base = { discountPercent: 60, discountDuration: 'once' }
  const coupon = need(
    await manager.post(`${F}/coupons`, { name: `money ${run}`, percentOff: 60, duration: 'once' }),
    201,
  )['@id']
  const changes = [
    { plans: seats(1_000) },
    { plans: seats(1, yearly) },
    { plans: [{ ...seats(1)[0], discountPercent: 50 }] },
    { discountDuration: 'forever' },
    { discountDuration: 'periods', discountPeriods: 12 },
    { discountPercent: 59 },
    { customer: await newCustomer() },
    { discountPercent: null, coupon },
    { billingCycleAnchor: inDays(27), prorate: false },
    { skus: [{ sku: sku['@id'], quantity: 1 }] },
    { discountPercent: null, discountAmount: 1_740 },
  ]
  const failed = []
  for (const body of changes) {
    const quote = await newQuote(base)
    await approve(quote)
    need(await patch(staff, quote, body))
    if ((await staff.post(`${quote}/send`, {})).status !== 409) failed.push(JSON.stringify(body))
  }
  await patch(manager, coupon, { retired: true })
  const unchanged = await newQuote(base)
  await approve(unchanged)
  need(await staff.post(`${unchanged}/send`, {}))
  if (failed.length) return failed.join(', ')
})

await attack('A coupon raised after the approval of a quote is not covered by the approval', async () => {
  for (const raised of [{ percentOff: 100 }, { duration: 'forever' }]) {
    const coupon = need(
      await manager.post(`${F}/coupons`, { name: `money ${run}`, percentOff: 60, duration: 'once' }),
      201,
    )['@id']
    const quote = await newQuote({ plans: seats(100), coupon })
    await approve(quote)
    need(await patch(manager, coupon, raised))
    const { fingerprint } = await read(`${quote}/preview`, staff)
    const answers = [
      await staff.post(`${quote}/send`, {}),
      await staff.post(`${quote}/send`, { fingerprint }),
      await staff.post(`${quote}/send`, {}),
    ]
    await patch(manager, coupon, { retired: true })
    if (having(answers, 409).length !== 3) return `${JSON.stringify(raised)}: ${statuses(answers)}`
  }
})

await attack(
  'Staff can’t give credit by pausing a subscription, and a change credits only the amount charged',
  async () => {
    const customer = await newCustomer()
    await accept(await newQuote({ plans: seats(10), discountAmount: 5_000, discountDuration: 'once' }, customer))
    const subscription = await subscriptionOf(customer)
    const paused = await change(staff, subscription, { way: 'pause' })
    if (paused.status !== 403) return `staff paused: ${paused.status}`
    const [charged] = await list(`${customer}/invoices`, finance)
    const { answer } = await grow(customer, 11)
    const { amountCredited } = await read(`${F}/invoices/${charged.id}`, finance)
    await end(subscription)
    if (need(answer) && amountCredited > charged.total) return `${amountCredited} credited of ${charged.total}`
  },
)

finish()
