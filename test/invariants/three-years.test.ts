import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleAll } from '#kernel/settle-all.ts'
import { findLedgerInconsistencies } from '#modules/billing/ledger/command.server.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import { moveClock } from '#server/engine/clock.ts'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { saveTestCard } from '#test/support/payments.ts'
import { Random } from '#test/support/random.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { IS_FULL_RUN, TEST_SEED } from '#test/support/scope.ts'

/*
 * Simulates subscriptions over three years, or one year in `npm test`, with renewals, changes, declined, withdrawn and
 * disputed cards, credits, refunds and promises to pay. Schedules run every fourth day, so that the test also covers
 * catching up on days. `EACH_DAY=1` runs them daily, `SUBSCRIPTIONS=1000` sets the number of subscriptions and prints
 * the counts, and `RANDOM_SEED=7` sets the seed.
 */
const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? (IS_FULL_RUN ? 100 : 10))
const STEP = Number(process.env.EACH_DAY ?? 4)
const YEARS = IS_FULL_RUN ? 3 : 1
/** Number of days within which all subscriptions are sold. */
const SOLD_IN = 28
/**
 * Number of subscriptions handled concurrently. Large numbers are handled concurrently and checked less often; small
 * numbers are deterministic.
 */
const AT_ONCE = SUBSCRIPTIONS > 100 ? 8 : 1
const LOOKED_AT_EVERY = SUBSCRIPTIONS > 100 ? 200 : 50

async function eachOf<T>(all: readonly T[], take: (one: T) => Promise<void>): Promise<void> {
  const limiter = new ConcurrencyLimiter(AT_ONCE, Number.POSITIVE_INFINITY)
  await settleAll(...all.map((one) => limiter.run('', () => take(one))))
}

const luck = new Random(TEST_SEED)

/** Cards with which customers pay, mostly valid ones. */
const PAYERS = [
  ...Array(10).fill('4242424242424242'),
  ...Array(2).fill('4000000000000341'),
  '4000000000009979',
  '4000000000006009',
  '4000000000000259',
  '4000000000002685',
  ...Array(4).fill(undefined),
] as readonly (string | undefined)[]

let w: SalesWorld
let plans: string[]
beforeAll(async () => {
  w = await makeSalesWorld()
  // One person credits everything here; approval by a second person is tested in `approvals/money-limit.test.ts`.
  await w.sql(
    'INSERT INTO payment_settings (client_id, refund_limit) VALUES ($1, 1000000000) ON CONFLICT (client_id) DO UPDATE SET refund_limit = 1000000000',
    [w.person.clientId],
  )
  // Retired clients cause no nightly work.
  await w.sql('UPDATE client SET retired = true WHERE id <> $1 AND id <> 0', [w.person.clientId])
  plans = await Promise.all(
    [
      { name: 'Monthly', amount: 3100 },
      { name: 'Other monthly', amount: 999 },
      { name: 'Quarterly', amount: 14_950, intervalCount: 3 },
      { name: 'Yearly', amount: 49_900, interval: 'year' },
    ].map((plan) => w.plan2(plan)),
  )
  await w.sql(
    `INSERT INTO dunning_settings (client_id, final) VALUES ($1, 'cancel') ON CONFLICT (client_id) DO UPDATE SET final = 'cancel'`,
    [w.person.clientId],
  )
})
afterAll(() => moveClock(w.portal.engine, 0))

interface Sold {
  readonly customer: string
  readonly subscription: string
  readonly rhythm: number
}
const sold: Sold[] = []
const counts: Record<string, number> = {}
const tally = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1
}

async function sell(): Promise<void> {
  const customer = await w.buyer({ paymentDays: luck.pick([0, 7, 14, 30]) })
  const number = luck.pick(PAYERS)
  if (number) await saveTestCard(w.portal, w.api, customer, number)
  const rhythm = luck.pick([0, 1, 2, 2, 2, 3, 3, 3])
  // Other tests cover invoice PDFs. The e-mail address “no” prevents e-mails, so no PDF is rendered.
  await w.sql("UPDATE customer SET email = 'no' WHERE client_id = $1 AND id = $2", [
    w.person.clientId,
    Number(customer.split('/').at(-1)),
  ])
  const { subscriptions } = await w.sold({
    customer,
    plans: [{ plan: plans[rhythm], quantity: 1 + luck.below(4) }],
    sendEmail: false,
  })
  sold.push({ customer, subscription: subscriptions[0]['@id'], rhythm })
}

/** Performs a random action on a subscription. Ignores a refusal that the subscription's current state causes. */
async function change(s: Sold): Promise<void> {
  const { body } = await w.finance.get(s.subscription)
  if (body.status === 'cancelled') return
  const open = body.items.filter((i: { until: string | null }) => i.until === null)
  const item = open.length ? luck.pick<{ '@id': string }>(open)['@id'] : undefined
  const way =
    body.status === 'paused'
      ? { way: 'resume' }
      : luck.pick([
          { way: 'quantity', item, quantity: 1 + luck.below(6), credit: true },
          { way: 'quantity', item, quantity: 1 + luck.below(6), credit: luck.chance(0.5) },
          { way: 'quantity', item, quantity: 1 + luck.below(6), when: 'nextPeriod' },
          { way: 'withdraw', item },
          { way: 'swap', item, credit: true, plan: plans[s.rhythm < 2 ? 1 - s.rhythm : s.rhythm] },
          { way: 'add', plan: plans[s.rhythm], quantity: 1 },
          { way: 'pause' },
          ...(luck.chance(0.1) ? [{ way: 'cancelNow', credit: true }, { way: 'cancelAtPeriodEnd' }] : []),
        ])
  const seen = await w.finance.post(`${s.subscription}/preview`, way)
  if (seen.status !== 200) return
  const done = await w.finance.post(`${s.subscription}/change`, { ...way, reason: 'notUsed', token: seen.body.token })
  expect([way, done.status, done.body['hydra:description']]).toEqual([way, 200, undefined])
  tally(way.way)
}

async function happen(s: Sold): Promise<void> {
  const id = s.customer.split('/').at(-1)
  const kind = luck.pick(['change', 'change', 'change', 'credit', 'refund', 'card', 'pause'] as const)
  if (kind === 'change') return change(s)
  if (kind === 'card') {
    const card = await saveTestCard(
      w.portal,
      w.api,
      s.customer,
      luck.chance(0.8) ? '4242424242424242' : '4000000000000341',
    )
    await w.api.post(`${card}/make-default`)
    return tally('card')
  }
  const state = kind === 'refund' ? 'paid' : kind === 'credit' ? luck.pick(['open', 'paid']) : 'open'
  const invoices = await w.all(`/api/financial/invoices?customer=${id}&state=${state}&itemsPerPage=30`)
  if (!invoices.length) return
  const invoice = luck.pick(invoices)
  if (kind === 'credit') {
    const whole = (await w.finance.get(invoice['@id'])).body
    const line = luck.pick<{ '@id': string; net: number }>(whole.lines)
    const net = Math.max(1, Math.floor(line.net / 4))
    const lines = luck.chance(0.2) ? {} : { lines: [{ line: line['@id'], net }] }
    await w.finance.post('/api/financial/credit_notes', { invoice: invoice['@id'], reason: 'Goodwill', ...lines })
  } else if (kind === 'refund') {
    const [charge] = await w.all(`${invoice['@id']}/charges?state=succeeded`)
    if (!charge?.refundable) return
    const amount = luck.chance(0.5) ? charge.refundable : 1 + luck.below(charge.refundable)
    await w.finance.post(`${charge['@id']}/refund`, { amount, reason: 'Goodwill' })
  } else {
    const until = w.portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days: 9 })
    await w.finance.post(`${invoice['@id']}/dunning/pause`, { until: until.toString(), reason: 'Promised to pay' })
  }
  return tally(kind)
}

const pay = async (customer: string, invoice: string, amount: number): Promise<void> => {
  const receivedAt = w.portal.engine.clock.now().toString()
  const paid = await w.finance.post('/api/financial/charges', { customer, invoice, method: 'bank', amount, receivedAt })
  expect([paid.status, paid.body['hydra:description']]).toEqual([201, undefined])
  tally('bank')
}

async function payOverdue(): Promise<void> {
  const open = await w.sql<{ id: number; customer: number; due: number }>(
    "SELECT id::int, customer_id::int AS customer, amount_due::int AS due FROM invoice WHERE client_id = $1 AND state = 'open' AND due_on < portal_now()::date ORDER BY id",
    [w.person.clientId],
  )
  await eachOf(
    open.filter(() => luck.chance(0.05 * STEP)),
    ({ id, customer, due }) =>
      pay(
        `/api/financial/customers/${customer}`,
        `/api/financial/invoices/${id}`,
        luck.chance(0.1) ? Math.ceil(due / 3) : due,
      ),
  )
}

/** The portal's daily schedules in chronological order. */
const EACH_DAY = [
  'subscriptions-renew',
  'invoices-earn',
  'subscriptions-past-due',
  'dunning',
  'test-gateway-events',
  'payments-follow-up',
]

/**
 * Drains the queues only if a message is pending, because checking all queues each time would take most of the test's
 * time.
 */
async function settle(): Promise<void> {
  const waiting = () => w.sql('SELECT 1 FROM outbox WHERE relayed_at IS NULL LIMIT 1')
  while ((await waiting()).length) await w.portal.drain(AT_ONCE)
}

async function live(day: number): Promise<void> {
  await moveClock(w.portal.engine, day)
  for (const name of EACH_DAY) {
    await w.portal.runSchedule(name)
    await settle()
  }
  const more = Math.min(SUBSCRIPTIONS, Math.ceil(((day + 1) * SUBSCRIPTIONS) / SOLD_IN)) - sold.length
  await eachOf(Array.from({ length: Math.max(0, more) }), sell)
  await payOverdue()
  await eachOf(
    sold.filter(() => luck.chance(STEP / LOOKED_AT_EVERY)),
    happen,
  )
  // Handles the events that payments and credits have caused.
  await settle()
}
/** Counts the numbers of a series, and fails if any are missing. */
async function gapless(table: string, prefix: string): Promise<number> {
  const numbers = await w.sql<{ number: string }>(
    `SELECT number FROM ${table} WHERE client_id = $1 AND number <> '' ORDER BY number`,
    [w.person.clientId],
  )
  expect(numbers.map(({ number }) => number)).toEqual(
    numbers.map((_, n) => `${prefix}${String(n + 1).padStart(5, '0')}`),
  )
  return numbers.length
}

/** Failed jobs of the whole database, not only of one client. */
const FAILED = "SELECT name, data, output ->> 'message' AS message FROM pgboss.job WHERE state IN ('retry', 'failed')"

const NOTHING: readonly (readonly [string, string])[] = [
  [
    'no invoice is paid twice',
    `SELECT i.number FROM invoice i JOIN charge h ON h.client_id = i.client_id AND h.invoice_id = i.id
     WHERE i.client_id = $1 GROUP BY i.number, i.total, i.amount_paid HAVING sum(h.amount_settled) > i.amount_paid OR i.amount_paid > i.total`,
  ],
  [
    'no card is charged more than once for an invoice, unless that was given back',
    `SELECT invoice_id FROM charge WHERE client_id = $1 AND method = 'card' AND state = 'succeeded' AND amount_refunded = 0 AND dispute IS NULL
     GROUP BY client_id, invoice_id HAVING sum(amount) > (SELECT total FROM invoice i WHERE i.client_id = charge.client_id AND i.id = invoice_id)`,
  ],
  [
    'no period is invoiced twice',
    `SELECT subscription_id, day FROM subscription_change WHERE client_id = $1 AND kind = 'renewed' GROUP BY subscription_id, day HAVING count(*) > 1`,
  ],
  [
    'no card is tried more than five times for an invoice',
    'SELECT invoice_id FROM dunning WHERE client_id = $1 AND failures > 5',
  ],
  [
    'nothing is left under way',
    "SELECT id FROM charge WHERE client_id = $1 AND state = 'pending' AND created_at < portal_now() - interval '2 days'",
  ],
  [
    'nobody is past due who owes nothing',
    `SELECT s.id FROM subscription s WHERE s.client_id = $1 AND s.status = 'past_due' AND NOT EXISTS (
       SELECT FROM subscription_change x JOIN invoice i ON i.client_id = x.client_id AND i.id = x.invoice_id
       WHERE x.client_id = s.client_id AND x.subscription_id = s.id AND i.state IN ('open', 'uncollectible'))`,
  ],
]

test(
  `the books with ${SUBSCRIPTIONS} subscriptions are balanced at the end of each year (${YEARS})`,
  async () => {
    const begun = process.cpuUsage()
    let day = 0
    for (let year = 1; year <= YEARS; year++) {
      for (; day < Math.round(year * 365.25); day += STEP) await live(day)
      expect(await findLedgerInconsistencies(w.portal.engine, w.person.clientId)).toEqual([])
      expect((await verifyClientEvidence(w.portal.engine, w.person.clientId)).findings).toEqual([])
      await gapless('invoice', 'INV-')
      await gapless('credit_note', 'CN-')
      for (const [what, text] of NOTHING) expect([what, await w.sql(text, [w.person.clientId])]).toEqual([what, []])
      expect((await w.portal.engine.db.jobs.executeSql(FAILED, [])).rows).toEqual([])
      if (process.env.SUBSCRIPTIONS) process.stdout.write(`Year ${year} is in order.\n`)
    }
    const [n] = await w.sql<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM invoice WHERE client_id = $1 AND number <> '') AS invoices, (SELECT count(*)::int FROM credit_note WHERE client_id = $1) AS credits,
       (SELECT count(*)::int FROM charge WHERE client_id = $1) AS charges, (SELECT count(*)::int FROM charge WHERE client_id = $1 AND state = 'failed') AS failed,
       (SELECT count(*)::int FROM dunning_step WHERE client_id = $1 AND kind = 'ended') AS ended, (SELECT count(*)::int FROM ledger_entry WHERE client_id = $1) AS entries`,
      [w.person.clientId],
    )
    // Every kind of event must have occurred, as proof of coverage.
    if (IS_FULL_RUN) for (const [what, many] of Object.entries(n ?? {})) expect([what, many > 0]).toEqual([what, true])
    if (process.env.SUBSCRIPTIONS) {
      const { user, system } = process.cpuUsage(begun)
      process.stdout.write(
        `${JSON.stringify({ ...n, ...counts, processorSeconds: Math.round((user + system) / 1e6) })}\n`,
      )
    }
  },
  300_000 * Math.max(1, SUBSCRIPTIONS / 10),
)
