import { afterAll, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { IS_FULL_RUN, TEST_SEED } from '#test/support/scope.ts'
import { type Books, Difference, History, openBooks, signInAgain } from './billing-histories.ts'

/*
 * Random customer histories, carried out in the portal over HTTP and in the model (`billing-model.ts`), which shares no
 * code with the portal. `HISTORIES` sets their number and `HISTORY` the seed of the first.
 */
const HISTORIES = Number(process.env.HISTORIES ?? (IS_FULL_RUN ? 500 : 15))
/** Number of histories that share a tenant, and therefore one run of the clock. */
const TOGETHER = 50
const FIRST = Number(process.env.HISTORY ?? TEST_SEED * 1000)

/**
 * Days on which steps are taken: more of them while Direct Debits are signed, announced, collected and claimed back.
 */
const DAYS = [0, 3, 5, 9, 13, 17, 21, 24, 27, 31, 38, 44, 52, 60]

let last: Books | undefined
afterAll(async () => {
  if (last) await moveClock(last.portal.engine, 0)
})

/** Events that must have occurred in a full run, as proof of coverage. */
const MUST_OCCUR = [
  /percentOff/,
  /amountOff/,
  /quote: .*percentOff/,
  /quote: .*amountOff/,
  /quote: .* less /,
  /own: .*discountPercent/,
  /own: .*discountAmount/,
  /invoice, .* less /,
  /subscription .* becomes/,
  /cancelled with a credit/,
  /Direct Debit .* succeeded/,
  /Direct Debit .* failed/,
  /Direct Debit .* disputed/,
  /bank line .* matched with \d/,
  /matched with the customer/,
  /after its undoing/,
  /split/,
  /unmatched/,
  /payment of \d+ reversed/,
  /credit note .* × /,
  /credit note .* the rest/,
  /credit note .* refunded/,
  /^\S+ refund of/,
  /credit used/,
  /written off/,
  /reopened/,
  /voided/,
  /balance changed/,
  /VAT of \d+ claimed/,
]
const told: string[] = []

test(`${HISTORIES} random customer histories agree with a second calculation`, async () => {
  const failures: string[] = []
  for (let first = 0; first < HISTORIES; first += TOGETHER)
    failures.push(...(await liveTogether(FIRST + first, Math.min(TOGETHER, HISTORIES - first))))
  expect(failures).toEqual([])
  if (IS_FULL_RUN) expect(MUST_OCCUR.filter((kind) => !told.some((line) => kind.test(line)))).toEqual([])
}, 3_600_000)

async function liveTogether(seed: number, count: number): Promise<string[]> {
  const w = await openBooks()
  last = w
  const histories: History[] = []
  for (let n = 0; n < count; n++) histories.push(await History.begin(w, seed + n))
  const failures: string[] = []
  const attempt = async (one: History, act: () => Promise<void>) => {
    if (one.failed) return
    try {
      await act()
    } catch (e) {
      if (!(e instanceof Difference)) throw e
      one.failed = true
      failures.push([`HISTORY=${one.seed} HISTORIES=1 repeats it:`, ...one.told, `→ ${e.message}`].join('\n'))
    }
  }
  for (const [n, day] of DAYS.entries()) {
    await moveClock(w.portal.engine, day)
    await signInAgain(w)
    await runSchedules(w)
    for (const one of histories) {
      await attempt(one, () => one.observeDebits())
      await attempt(one, () => one.live(DAYS.length - n))
    }
    await w.portal.runSchedule('invoices-earn')
  }
  for (const one of histories) await attempt(one, () => one.compareBooks())
  const sound = () => histories.every((one) => !one.failed)
  if (sound()) await compareTrialBalance(w, histories)
  const returns: string[] = []
  const first = Temporal.PlainDate.from(histories[0]?.today ?? '')
    .subtract({ days: LAST_DAY })
    .with({ day: 1 })
  for (let n = -1; n < CLAIMED_FROM; n++) {
    const iri = await makeReturn(w, monthsFrom(first, n))
    for (const scheme of ['invoice', 'cash'] as const) {
      await w.money.put(iri, { scheme })
      const found = { 1: await rowsByInvoice(w, iri, 1), 6: await rowsByInvoice(w, iri, 6) }
      for (const one of histories) await attempt(one, async () => one.compareVat(monthsFrom(first, n), scheme, found))
      if (sound()) await compareBoxes(w, iri, found)
    }
    await w.money.put(iri, { scheme: 'invoice' })
    returns.push(iri)
  }
  await moveClock(w.portal.engine, daysUntil(first.add({ months: CLAIMED_TO + 1, days: 1 }), w))
  await signInAgain(w)
  const claims = await makeReturn(w, monthsFrom(first, CLAIMED_FROM, CLAIMED_TO))
  const { body } = await w.money.get(`${claims}/figures`)
  for (const one of histories) await attempt(one, () => one.claimBadDebts(claims, body.badDebts))
  const claimed = await rowsByInvoice(w, claims, 4)
  for (const one of histories) await attempt(one, async () => one.compareClaims(claimed))
  for (const iri of [...returns, claims]) await fileReturn(w, iri)
  for (const one of histories) await attempt(one, () => one.payBadDebts())
  const repaid = await makeReturn(w, monthsFrom(first, CLAIMED_TO + 1))
  const later = await rowsByInvoice(w, repaid, 1)
  for (const one of histories)
    await attempt(one, async () => one.compareRepaid(monthsFrom(first, CLAIMED_TO + 1), later))
  await moveClock(w.portal.engine, 0)
  told.push(...histories.flatMap((one) => one.told))
  return failures
}

const LAST_DAY = DAYS.at(-1) as number
/** First and last month of the return in which bad debts are claimed, counted from the first month. */
const [CLAIMED_FROM, CLAIMED_TO] = [4, 9]

const monthsFrom = (first: Temporal.PlainDate, n: number, to = n) => ({
  from: first.add({ months: n }).toString(),
  to: first
    .add({ months: to + 1 })
    .subtract({ days: 1 })
    .toString(),
})
const daysUntil = (day: Temporal.PlainDate, w: Books): number =>
  w.portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().until(day, { largestUnit: 'days' })
    .days + LAST_DAY

async function makeReturn(w: Books, period: { from: string; to: string }): Promise<string> {
  const answer = await w.money.post('/api/financial/vat_returns', period)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body['@id']
}

async function fileReturn(w: Books, iri: string): Promise<void> {
  const { boxes } = (await w.money.get(`${iri}/figures`)).body
  const filedOn = w.portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().toString()
  const answer = await w.money.post(`${iri}/file`, { filedOn, netVatDue: boxes[4].amount })
  if (answer.status !== 200) throw new Error(answer.text)
}

/** Sums of a box by invoice, in pence sterling. */
async function rowsByInvoice(w: Books, iri: string, box: number): Promise<Map<number, number>> {
  const all = new Map<number, number>()
  let seen = 0
  for (let page = 1, total = 1; seen < total; page++) {
    const { body } = await w.money.get(`${iri}/rows?box=${box}&itemsPerPage=100&page=${page}`)
    total = body['hydra:totalItems']
    if (!body['hydra:member'].length) break
    for (const { invoice, amount } of body['hydra:member']) all.set(invoice, (all.get(invoice) ?? 0) + amount)
    seen += body['hydra:member'].length
  }
  return all
}

const total = (of: Map<number, number>) => [...of.values()].reduce((all, one) => all + one, 0)

/** The boxes are the sums of the rows, which agree with the histories: box 1 in pence, box 6 in whole pounds. */
async function compareBoxes(w: Books, iri: string, found: { 1: Map<number, number>; 6: Map<number, number> }) {
  const { body } = await w.money.get(`${iri}/figures`)
  const box = (n: number) => body.boxes.find((one: { box: number }) => one.box === n).amount
  expect([box(1), box(6)]).toEqual([total(found[1]), Math.trunc(total(found[6]) / 100) * 100 || 0])
}

async function compareTrialBalance(w: Books, histories: readonly History[]): Promise<void> {
  const { body } = await w.money.get('/api/financial/ledger/balances')
  const wanted = new Map<string, number>()
  for (const one of histories)
    for (const [account, pence] of Object.entries(one.account.balances(one.today))) {
      const key = `${one.isEuro ? 'EUR' : 'GBP'} ${account}`
      wanted.set(key, (wanted.get(key) ?? 0) + pence)
    }
  const found = body.accounts.map((one: { currency: string; account: string; debit: number; credit: number }) => [
    `${one.currency} ${one.account}`,
    one.debit - one.credit,
  ])
  expect(found.filter(([, pence]: [string, number]) => pence).toSorted()).toEqual(
    [...wanted].filter(([, pence]) => pence).toSorted(),
  )
}

/** Delivers the payment service's reports, and takes the dunning steps. */
async function runSchedules(w: Books): Promise<void> {
  const settle = () => w.portal.drain()
  await settle()
  await w.portal.runSchedule('test-gateway-events')
  await settle()
  const address = (email: string) =>
    w.sql('UPDATE customer SET email = $3 WHERE client_id = $1 AND id = ANY ($2)', [
      w.sellers.id,
      [...w.debtors],
      email,
    ])
  await address('payer@c.example')
  await w.sql("DELETE FROM schedule_client WHERE name = 'dunning'")
  await w.portal.runSchedule('dunning')
  await settle()
  await address('no')
}
