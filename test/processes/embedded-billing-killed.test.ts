import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPortalEngine } from '#app/engine.ts'
import { runLedgerCommand as ledgerCheck } from '#modules/billing/ledger/command.server.ts'
import { readConfig } from '#server/config.ts'
import { openDb } from '#server/db/open.ts'
import { copyDemoData } from '#test/support/demo-world.ts'
import { startFakeStripe } from '#test/support/stripe.ts'
import { processFolder, type ServedPortal, servePortal } from './portal.ts'

// Kills a process while it charges a card, and during a billing run.

/** Number of customers in a billing run, enough for several steps of twenty. */
const CUSTOMERS = 42
const CONFIRM = /^POST \/v1\/payment_intents\/\w+\/confirm$/

interface Manager {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  get(path: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  post(path: string, body?: object): Promise<any>
}

async function manager(server: ServedPortal): Promise<Manager> {
  const { token } = await server.signIn('manager', 'Portal-demo-2026')
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await server.call(method, path, body, token)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { get: (path) => ask('GET', path), post: (path, body = {}) => ask('POST', path, body) }
}

/** Sells a subscription by phone. Returns the IRIs of the customer and of the first invoice. */
async function sell(by: Manager, plan: string, n: number) {
  const customer = await by.post('/api/financial/customers', {
    email: `killed.${n}@buyer.example`,
    billingName: `Killed ${n} Ltd`,
    metadata: { company_name: `Killed ${n} Ltd` },
    address1: '3 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
    // The payment period of customers without a card extends beyond the start of the next period, because lapsed
    // subscriptions are not invoiced.
    paymentDays: n ? 90 : 14,
    longTermsAgreed: n ? 'By telephone, 1 March 2026' : '',
  })
  const quote = await by.post('/api/financial/quotes', {
    customer: customer['@id'],
    plans: [{ plan }],
    sendEmail: false,
  })
  await by.post(`${quote['@id']}/send`)
  await by.post(`${quote['@id']}/accept-by-phone`, { name: 'Ann Carter' })
  const [invoice] = (await by.get(`/api/financial/invoices?customer=${customer.id}`))['hydra:member']
  return { customer: customer['@id'] as string, invoice: invoice['@id'] as string }
}

test('a card charge and a billing run killed halfway are resumed without duplicate charges, duplicate invoices or missing numbers', async () => {
  const stripe = await startFakeStripe()
  onTestFinished(() => stripe.close())
  const env = { DATA_DIR: join(processFolder, 'billing'), ...stripe.settings }
  copyDemoData(env.DATA_DIR)
  let server = await servePortal(env)
  let by = await manager(server)
  const again = async () => {
    server.child.kill('SIGKILL')
    await server.ended
    server = await servePortal(env)
    by = await manager(server)
  }
  const later = (days: number) => by.post('/api/portal/clock', { days })

  const [plan] = (await by.get('/api/financial/plans?name=Fleet, monthly'))['hydra:member']
  const first = await sell(by, plan['@id'], 0)
  const { clientSecret } = await by.post('/api/financial/cards/setup', { customer: first.customer })
  const card = stripe.confirm(clientSecret, 'visa', '4242')
  await by.post('/api/financial/cards', { customer: first.customer, card })
  for (let n = 1; n < CUSTOMERS; n++) await sell(by, plan['@id'], n)

  // The card is charged automatically on the due date. The process is killed during the request to Stripe, and Stripe
  // completes the charge.
  const confirms = () => stripe.asked().filter((line) => CONFIRM.test(line)).length
  const letGo = stripe.hold(CONFIRM)
  await later(14)
  await expect.poll(confirms).toBe(1)
  await again()
  letGo()
  const charges = async () =>
    (await by.get(`${first.invoice}/charges`))['hydra:member'].map((c: { state: string }) => c.state)
  expect(await charges()).toEqual(['pending'])
  await later(15)
  await expect.poll(charges).toEqual(['succeeded'])
  await expect.poll(async () => (await by.get(first.invoice)).state).toBe('paid')
  expect([confirms(), await charges()]).toEqual([1, ['succeeded']])

  // The next period starts. The process is killed after it has invoiced some customers.
  const known = (await by.get('/api/financial/billing_runs'))['hydra:member'].length
  await later(32)
  const run = async () => {
    const runs = (await by.get('/api/financial/billing_runs'))['hydra:member']
    return runs.length > known ? runs[0] : undefined
  }
  const seen = async (enough: (one: { state: string; customers: number }) => boolean) => {
    let last: Awaited<ReturnType<typeof run>>
    await expect
      .poll(
        async () => {
          last = await run()
          return last !== undefined && (last.state === 'done' || enough(last))
        },
        { interval: 5 },
      )
      .toBe(true)
    return last
  }
  const before = await seen(({ customers }) => customers > 0)
  await again()
  expect(before.state).toBe('running')
  // Another process takes over the jobs of the killed process after a minute without a heartbeat.
  await expect.poll(async () => (await run()).state, { timeout: 240_000 }).toBe('done')
  expect(await run()).toMatchObject({ '@id': before['@id'], refused: 0 })
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(0)

  const config = readConfig({ DATA_DIR: env.DATA_DIR, LOG_LEVEL: 'silent' })
  const db = await openDb(config)
  try {
    const rows = <T>(text: string) => db.tx('system', (tx) => tx.rows<T>(text))
    expect(
      await rows(
        `SELECT s.company FROM subscription s JOIN subscription_change x ON x.client_id = s.client_id AND x.subscription_id = s.id AND x.kind = 'renewed'
         WHERE s.company LIKE 'Killed %' GROUP BY s.company, s.id HAVING count(*) > 1`,
      ),
    ).toEqual([])
    const [billed] = await rows<{ n: number }>(
      "SELECT count(*)::int AS n FROM invoice WHERE company LIKE 'Killed %' AND state <> 'draft' AND origin = 'subscription'",
    )
    expect(billed?.n).toBe(CUSTOMERS)
    const numbers = await rows<{ number: string }>(
      "SELECT number FROM invoice WHERE number <> '' AND client_id = 0 ORDER BY number",
    )
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, n) => `INV-${String(n + 1).padStart(5, '0')}`))
    const engine = createPortalEngine(db, config)
    expect(await ledgerCheck(engine, [])).toBe('The ledger is consistent.')
  } finally {
    await db.close()
  }
})
