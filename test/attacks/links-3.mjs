// Attacks on links of quotes and invoices, and on all pages that work without signing in.
import { gzipSync } from 'node:zlib'
import { attack, call, finish, signIn } from './portal.mjs'
import {
  anonymous,
  atOnce,
  expected,
  newAddress,
  newDrawing,
  newForm,
  newNumber,
  run,
  statuses,
  tokenOf,
} from './shared/links.mjs'
import { voidInvoice } from './shared/money.mjs'

const admin = await signIn('admin.brick')
const finance = await signIn('finance')
const { body: items } = await finance.get('/api/financial/skus?itemsPerPage=100')
const item = items['hydra:member'].find(
  ({ stocked, currency, retired, amount }) =>
    !stocked && currency === 'GBP' && !retired && amount > 1000 && Number.isInteger(amount),
)

const newCustomer = async () =>
  expected(
    await finance.post('/api/financial/customers', {
      email: `links-${run}-${newNumber()}@example.com`,
      billingName: `links ${run}`,
      address1: '1 Road',
      city: 'Leeds',
      postcode: 'LS1 1AA',
      country: 'GB',
    }),
    201,
    'customer',
  )

/** Sends a quote, and returns it with the API path of its customer link. */
async function sentQuote(customer) {
  const quote = expected(
    await finance.post('/api/financial/quotes', {
      customer: customer['@id'],
      skus: [{ kind: 'sku', sku: item['@id'], description: item.name, quantity: 1, unitAmount: item.amount }],
    }),
    201,
    'quote',
  )
  const { fingerprint } = expected(await finance.get(`${quote['@id']}/preview`), 200, 'preview')
  expected(await finance.post(`${quote['@id']}/send`, { fingerprint }), 200, 'send')
  const { link } = expected(await finance.post(`${quote['@id']}/link`, {}), 200, 'quote link')
  return { iri: quote['@id'], at: `/api/financial/acceptances/${tokenOf(link)}` }
}

const signed = (name) => ({ signature: { name, method: 'finger', ...newDrawing() } })

/** Accepts a quote, and returns its unpaid invoice with the API path of the payment link. */
async function unpaidInvoice(customer) {
  const quote = await sentQuote(customer)
  const { made } = expected(await anonymous('POST', `${quote.at}/accept`, signed(`links Buyer ${run}`)), 200, 'accept')
  const [{ number, total }] = made.invoices
  const { url } = expected(await anonymous('POST', `${quote.at}/pay`, { number }), 200, 'payment link')
  const { body } = await finance.get(`/api/financial/invoices?number=${number}`)
  return { iri: body['hydra:member'][0]['@id'], number, total, quote, at: `/api/financial/payments/${tokenOf(url)}` }
}

/** Enters a test card on a payment page and returns its number at the payment service. */
async function enterCard(invoice) {
  const { url } = expected(await anonymous('POST', `${invoice.at}/card`, {}), 200, 'card')
  const fields = Object.entries({ number: '4242 4242 4242 4242', expiry: '12/39', cvc: '123' })
  const raw = `${fields.map(([name, value]) => `--links\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--links--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=links', 'content-length': Buffer.byteLength(raw) }
  const { text } = await anonymous('POST', url, undefined, { raw, headers })
  return text.match(/pm_\w+/)[0]
}

const chargesOf = async ({ id }) => (await finance.get(`/api/financial/charges?customer=${id}`)).body['hydra:member']
const form = await newForm(admin)

await attack('only one of several simultaneous acceptances and refusals of a quote takes effect', async () => {
  const customer = await newCustomer()
  const quote = await sentQuote(customer)
  await atOnce(20, (index) =>
    anonymous(
      'POST',
      `${quote.at}/${index % 2 ? 'decline' : 'accept'}`,
      index % 2 ? { name: `links D${index}` } : signed(`links A${index}`),
    ),
  )
  const { state, decidedBy } = (await finance.get(quote.iri)).body
  const invoices = (await finance.get(`/api/financial/invoices?customer=${customer.id}`)).body['hydra:totalItems']
  if (
    invoices !== (state === 'accepted' ? 1 : 0) ||
    !decidedBy.startsWith(state === 'accepted' ? 'links A' : 'links D')
  )
    return `${state} by ${decidedBy}, ${invoices} invoices`
})

await attack('twenty simultaneous acceptances create one invoice in the name of one person', async () => {
  const customer = await newCustomer()
  const quote = await sentQuote(customer)
  const answers = await atOnce(20, (index) => anonymous('POST', `${quote.at}/accept`, signed(`links A${index}`)))
  const names = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.decidedBy))
  const invoices = (await finance.get(`/api/financial/invoices?customer=${customer.id}`)).body['hydra:totalItems']
  if (names.size !== 1 || invoices !== 1) return `${[...names].join()}, ${invoices} invoices`
  if ((await anonymous('POST', `${quote.at}/decline`, {})).status !== 409) return 'an accepted quote is declined'
})

await attack(
  'a sent quote cannot be changed, and the link of a replaced or cancelled quote can’t accept it',
  async () => {
    const customer = await newCustomer()
    const quote = await sentQuote(customer)
    const { headers } = await finance.get(quote.iri)
    for (const change of [
      { skus: [] },
      { taxPercent: 0 },
      { terms: 'x' },
      { discountPercent: 50 },
      { expiresAt: '2099-01-01T00:00:00Z' },
    ]) {
      const { status } = await finance.patch(quote.iri, change, {
        headers: { 'content-type': 'application/merge-patch+json', 'if-match': headers.etag },
      })
      if (status === 200) return `${JSON.stringify(change)} is saved`
    }
    const next = expected(await finance.post(`${quote.iri}/revise`, {}), 200, 'revise')
    const { fingerprint } = expected(await finance.get(`${next['@id']}/preview`), 200, 'preview')
    const [sent, ...accepted] = await Promise.all([
      finance.post(`${next['@id']}/send`, { fingerprint }),
      ...Array.from({ length: 10 }, () => anonymous('POST', `${quote.at}/accept`, signed('links Buyer'))),
    ])
    if (sent.status === 200 && accepted.some(({ status }) => status === 200))
      return 'the old revision is accepted and the new one is sent'
    const cancelled = await sentQuote(customer)
    expected(await finance.post(`${cancelled.iri}/cancel`, { reason: 'links' }), 200, 'cancel')
    const { status } = await anonymous('POST', `${cancelled.at}/accept`, signed('links Buyer'))
    if (status !== 409) return `accepting a cancelled quote returns ${status}`
  },
)

await attack('a quote’s pay action returns only links to its own invoices, at the portal’s own address', async () => {
  const [mine, other] = [await unpaidInvoice(await newCustomer()), await unpaidInvoice(await newCustomer())]
  if ((await anonymous('POST', `${mine.quote.at}/pay`, { number: other.number })).status === 200)
    return 'the link of another customer’s invoice'
  for (const headers of [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example' },
  ]) {
    const { text } = await anonymous('POST', `${mine.quote.at}/pay`, { number: mine.number }, { headers })
    if (text.includes('evil.example')) return `${JSON.stringify(headers)} changes the address`
  }
})

await attack('a payment by link charges the amount due once, with the customer’s own card', async () => {
  const customer = await newCustomer()
  const [invoice, other] = [await unpaidInvoice(customer), await unpaidInvoice(await newCustomer())]
  const pay = (card, amountDue, { at } = invoice) => anonymous('POST', `${at}/pay`, { card, amountDue })
  if ((await pay(await enterCard(invoice), 1)).status !== 409) return 'one penny is accepted'
  if ((await pay(await enterCard(invoice), invoice.total - 1)).status !== 409) return 'a smaller amount is accepted'
  if ((await pay(await enterCard(invoice), other.total, other)).status === 200)
    return 'another customer’s card is charged'
  const cards = [await enterCard(invoice), await enterCard(invoice)]
  const answers = await atOnce(20, (index) => pay(cards[index % 2], invoice.total))
  const charges = (await chargesOf(customer)).filter(({ status, state }) => (status ?? state) === 'succeeded')
  if (charges.length !== 1 || charges[0].amount !== invoice.total)
    return `${charges.length} charges: ${statuses(answers)}`
  if ((await pay(cards[1], invoice.total)).status === 200) return 'a paid invoice is paid again'
  expected(await call('GET', `${invoice.at}/receipt`), 200, 'receipt of the paid invoice')
  if ((await call('GET', `${other.at}/receipt`)).status === 200) return 'a receipt for an unpaid invoice'
})

await attack('an invoice can’t be both void and paid, and a void invoice accepts no payment', async () => {
  const customer = await newCustomer()
  const invoice = await unpaidInvoice(customer)
  const card = await enterCard(invoice)
  const pay = () => anonymous('POST', `${invoice.at}/pay`, { card, amountDue: invoice.total })
  await Promise.all([pay(), pay(), finance.post(`${invoice.iri}/void`, { reason: 'links' }), pay(), pay()])
  const { state } = (await finance.get(invoice.iri)).body
  const charges = (await chargesOf(customer)).filter((charge) => (charge.status ?? charge.state) === 'succeeded').length
  if (charges !== (state === 'paid' ? 1 : 0)) return `${state} with ${charges} charges`
  const second = await unpaidInvoice(customer)
  await voidInvoice(second.iri, 'links')
  const debit = { holder: 'links', sortCode: '10-88-00', accountNumber: '00012345', authorised: true }
  const bodies = { card: {}, mandate: debit, pay: { card, amountDue: second.total } }
  for (const [path, body] of Object.entries(bodies))
    if ((await anonymous('POST', `${second.at}/${path}`, body)).status === 200) return `${path} works`
})

const pages = [
  'financial/acceptances',
  'financial/payments',
  'safety/shared_documents',
  'safety/shared_talks',
  'safety/shared_forms',
  'safety/shared_packs',
  'safety/asked_rams',
  'safety/linked_actions',
  'email/unsubscribe',
  'portal/password/reset',
]
const secret = 'A'.repeat(32)

await attack('invented links are unknown on every page, without a server error', async () => {
  const token = tokenOf(form.at)
  const invented = [
    'x',
    `1-1-${secret}`,
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    token.toLowerCase(),
    '1-1-%00',
    `1-99999999999999999999-${secret}`,
    `2147483648-1-${secret}`,
    `-1-1-${secret}`,
    `1e3-1-${secret}`,
    '%ff',
    '..%2f',
    '__proto__',
    secret.repeat(200),
  ]
  for (const page of pages)
    for (const link of invented) {
      const { status, text } = await anonymous('GET', `/api/${page}/${link}`)
      if (status !== 404) return `${page}/${link.slice(0, 60)} returns ${status}`
      if (/node_modules|at \w+ \(|postgres/i.test(text)) return `an internal detail: ${text.slice(0, 200)}`
    }
  const bodies = {
    'email/unsubscribe/x': {},
    'portal/password/reset/x': { password: 'Links-password-2026' },
    'safety/asked_rams/x/opened': {},
    'safety/linked_actions/x/done': { proof: 'x', version: 1 },
  }
  for (const [path, body] of Object.entries(bodies))
    if ((await anonymous('POST', `/api/${path}`, body)).status !== 404) return `${path} is accepted`
})

await attack('malformed and huge bodies are refused quickly', async () => {
  expected(await form.answer(), 200, 'a well-formed body')
  const deep = '['.repeat(400_000) + ']'.repeat(400_000)
  const bodies = [
    { raw: deep },
    { raw: `{"answers":${deep}}` },
    { raw: JSON.stringify({ answers: 'x'.repeat(4e6) }) },
    { raw: 'null' },
    { raw: '1e999' },
    { raw: `{${Array.from({ length: 150_000 }, (_, index) => `"k${index}":1`).join()}}` },
    { raw: gzipSync(Buffer.alloc(1e8, 32)), special: { 'content-encoding': 'gzip' } },
    { raw: '{}', special: { 'content-type': 'text/plain' } },
    { raw: '{}', special: { 'content-type': 'multipart/form-data; boundary=' } },
  ]
  for (const { raw, special = {} } of bodies) {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(raw), ...special }
    const { status, duration } = await anonymous('POST', `${form.at}/answers`, undefined, { raw, headers })
    if (status < 400 || status >= 500 || duration > 3000)
      return `${raw.toString().slice(0, 20)} returns ${status} after ${duration} ms`
  }
})

await attack('every documented request without sign-in is refused unless documented as public', async () => {
  const { paths } = expected(await call('GET', '/api/docs.json'), 200, 'description')
  const checked = Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'put', 'patch', 'delete']
      .filter((method) => methods[method] && JSON.stringify(methods[method].security) !== '[]')
      .map((method) => [method, path]),
  )
  if (checked.length < 500) return `only ${checked.length} requests`
  for (const [method, path] of checked) {
    const body = ['get', 'delete'].includes(method) ? undefined : {}
    const headers = method === 'patch' ? { 'content-type': 'application/merge-patch+json' } : {}
    const { status } = await anonymous(
      method.toUpperCase(),
      path.replace('{format}', 'csv').replace(/\{[^}]+\}/g, '1'),
      body,
      { headers },
    )
    if (status !== 401) return `${method} ${path} returns ${status}`
  }
})

await attack('requesting a new password does not reveal whether the user exists', async () => {
  const ask = (username) => anonymous('POST', '/api/security/password/forgot', { username })
  const [known, unknown] = [await ask('carys.ellis'), await ask(`nobody.${run}`)]
  expected(known, 202, 'known user')
  if (known.status !== unknown.status || known.text !== unknown.text) return `${known.text} ${unknown.text}`
  for (const username of [['a'], { a: 1 }, 'a'.repeat(100_000), ''])
    if ((await ask(username)).status !== 422) return `${JSON.stringify(username).slice(0, 30)} is accepted`
})

await attack('a demo password works only on the portal’s own machine', async () => {
  if (!newAddress()) throw new Error('this attack needs a portal at 127.0.0.1')
  const { status } = await anonymous(
    'POST',
    '/api/security/login',
    { username: 'worker.brick', password: 'Portal-demo-2026' },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
  )
  if (status === 200) return 'signed in from another address'
})

await attack(
  'link pages are not cached, framed by other sites, readable across sites or sent as referrer',
  async () => {
    for (const path of [form.at, `/form/${tokenOf(form.at)}`]) {
      const { status, headers } = await anonymous('GET', path, undefined, {
        headers: { origin: 'https://evil.example' },
      })
      if (status !== 200) return `${path} returns ${status}`
      if (!/no-store|no-cache/.test(headers['cache-control'])) return `${path}: ${headers['cache-control']}`
      if (!/frame-ancestors '(none|self)'/.test(headers['content-security-policy'])) return `${path} can be framed`
      if (headers['access-control-allow-origin']) return `${path} can be read across sites`
      if (path.startsWith('/form') && !/same-origin|no-referrer/.test(headers['referrer-policy']))
        return `${path} is sent as referrer`
    }
  },
)

await attack('search engines may neither request nor index link pages', async () => {
  const rules = expected(await call('GET', '/robots.txt'), 200, 'rules')
  if (!/^Disallow: \/$/m.test(rules)) return `robots.txt: ${rules}`
  for (const path of [form.at, `/form/${tokenOf(form.at)}`]) {
    const { status, headers } = await call('GET', path)
    if (status !== 200) throw new Error(`${path} returns ${status}`)
    if (!/noindex/.test(headers['x-robots-tag'] ?? '')) return `${path} can be indexed`
  }
})

await attack('static files outside the public folder are not readable', async () => {
  for (const path of [
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/icons/..%5c..%5cpackage.json',
    '/.env',
    '/.git/config',
    '/package.json',
    '/%00',
  ]) {
    const { status, text } = await anonymous('GET', path)
    if (status >= 500 || /"dependencies"|root:x|DATABASE|\[core\]/.test(text))
      return `${path} returns ${status}: ${text.slice(0, 80)}`
  }
})

await attack(
  'forty requests without sign-in for the API description cost no more than five times as much as for a static file',
  async () => {
    const compressed = { headers: { 'accept-encoding': 'br' } }
    const burst = async (path) => {
      const start = Date.now()
      for (const answer of await atOnce(40, () => anonymous('GET', path, undefined, compressed)))
        expected(answer, 200, path)
      return Date.now() - start
    }
    const page = expected(await call('GET', '/'), 200, 'page')
    const file = page.match(/\/assets\/libraries[^"]*\.js/)?.[0] ?? page.match(/\/assets\/[^"]*\.js/)[0]
    // The shorter of two bursts is less affected by other work on the machine.
    const files = Math.min(await burst(file), await burst(file))
    const first = await burst('/api/docs.json')
    let longest = 0
    let busy = true
    const second = burst('/api/docs.json').finally(() => (busy = false))
    while (busy) {
      const start = Date.now()
      expected(await admin.get('/api/security/user_check'), 200, 'signed-in request')
      longest = Math.max(longest, Date.now() - start)
    }
    const description = Math.min(first, await second)
    if (description > Math.max(1000, 5 * files))
      return `${description} ms instead of ${files} ms for ${file}; meanwhile, a signed-in request waited up to ${longest} ms`
  },
)

finish()
