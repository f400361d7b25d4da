import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { KNOWN_BASE_RATES } from './late-interest.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})
beforeEach(() => w.sql('DELETE FROM dunning_settings WHERE client_id = $1', [w.person.clientId]))
afterEach(() => moveClock(w.portal.engine, 0))
afterAll(() => moveClock(w.portal.engine, 0))

const OVERDUE = '/api/financial/overdue'
const read = async (iri: string) => (await w.api.get(iri)).body
const idOf = (iri: string) => Number(iri.split('/').at(-1))
const today = (days = 0) =>
  Temporal.PlainDate.from(w.portal.engine.clock.now().toString().slice(0, 10)).add({ days }).toString()
const day = async (n: number, ...jobs: string[]) => {
  await moveClock(w.portal.engine, n)
  for (const name of jobs) {
    await w.sql('DELETE FROM schedule_client WHERE client_id = $1 AND name = $2', [w.person.clientId, name])
    await w.portal.runSchedule(name)
    await w.portal.drain()
  }
}

let count = 0
/** Issues an invoice without a subscription. It is due in two weeks. */
async function invoiced(
  buyer: Record<string, unknown> = {},
  lines: object[] = [{ description: 'Site visit', quantity: 1, unitAmount: 100_000 }],
) {
  const email = `chased.${process.pid}.${++count}@buyer.example`
  const customer = await w.buyer({ invoiceEmail: email, ...buyer })
  const { body } = await w.api.post('/api/financial/invoices', { customer, lines })
  const issued = await w.finance.post(`${body['@id']}/issue`, {})
  expect(issued.status, issued.text).toBe(200)
  await w.portal.drain()
  const iri = body['@id'] as string
  const at = `${OVERDUE}/${idOf(iri)}`
  const letters = async () =>
    (
      await w.sql<{ template: string }>(
        'SELECT template FROM message WHERE client_id = $1 AND recipient = $2 ORDER BY id',
        [w.person.clientId, email],
      )
    ).flatMap(({ template }) => (template === 'invoice' ? [] : template))
  /** Sets the state of the latest e-mail, as a mail server would. */
  const settle = (state: string, template = 'invoice') =>
    w.sql(
      `UPDATE message SET state = $3, sent_at = CASE WHEN $3 = 'sent' THEN portal_now() END
       WHERE client_id = $1 AND recipient = $2 AND template = $4`,
      [w.person.clientId, email, state, template],
    )
  const pay = async (amount: number, receivedAt = w.portal.engine.clock.now().toString()) => {
    const paid = await w.finance.post('/api/financial/charges', {
      customer,
      invoice: iri,
      method: 'bank',
      amount,
      receivedAt,
      keepBoth: true,
    })
    expect(paid.status, paid.text).toBe(201)
    await w.portal.drain()
  }
  return {
    customer,
    email,
    iri,
    at,
    id: idOf(iri),
    letters,
    settle,
    pay,
    invoice: issued.body,
    plan: () => read(`${iri}/dunning`),
  }
}

describe('automatic reminders', () => {
  test('reminders are sent for every overdue invoice by default, not only for those of subscriptions', async () => {
    const one = await invoiced()
    await day(15, 'dunning')
    expect(await one.letters()).toEqual(['invoice-overdue'])
    expect((await one.plan()).silent).toBe(null)
  })

  test('an invoice with reminders turned off says so, and no reminder is sent for it', async () => {
    const made = await w.finance.post('/api/financial/dunning_settings', { remindAll: false })
    expect(made.status, made.text).toBe(201)
    const one = await invoiced()
    await day(15, 'dunning')
    expect([await one.letters(), (await one.plan()).silent]).toEqual([[], 'off'])
  })

  test('no reminder is sent for an invoice whose own e-mail was rejected, until that e-mail is accepted', async () => {
    const one = await invoiced()
    await one.settle('failed')
    await day(15, 'dunning')
    expect([await one.letters(), (await one.plan()).silent]).toEqual([[], 'mail'])
    await one.settle('sent')
    await day(16, 'dunning')
    expect(await one.letters()).toEqual(['invoice-overdue'])
  })

  test('a customer without an e-mail address is not recorded as having been reminded', async () => {
    const one = await invoiced({ invoiceEmail: '' })
    await w.sql("UPDATE customer SET email = 'no' WHERE client_id = $1 AND id = $2", [
      w.person.clientId,
      idOf(one.customer),
    ])
    await day(15, 'dunning')
    expect(await one.plan()).toMatchObject({ silent: 'address', steps: [{ kind: 'notSent', sentTo: '', email: null }] })
  })

  test('a reminder missed for more than two weeks is not sent', async () => {
    const one = await invoiced()
    await day(14 + 14 + 15, 'dunning')
    expect([await one.letters(), (await one.plan()).silent]).toEqual([[], 'done'])
  })

  test('a reminder that no mail server has accepted is not shown as sent', async () => {
    const one = await invoiced()
    await day(15, 'dunning')
    const [step] = (await one.plan()).steps
    expect(step).toMatchObject({ kind: 'reminder', sentTo: one.email, email: { state: 'kept' } })
    expect(step.description).not.toContain('sent')
    expect((await read(one.at)).lastContactAt).toBe(null)
    await one.settle('sent', 'invoice-overdue')
    expect((await one.plan()).steps[0].email.state).toBe('sent')
    expect((await read(one.at)).lastContactAt).not.toBe(null)
  })

  test('a reminder text with an unknown placeholder is refused', async () => {
    const wording = [{ days: 7, subject: 'Invoice {invoice}', message: 'Pay {amout} at {{secret link}}' }]
    const { status, body } = await w.finance.post('/api/financial/dunning_settings', { wording })
    expect([status, body.violations]).toMatchObject([
      422,
      [{ propertyPath: 'wording[0].message', message: 'Unknown placeholder: {amout}, {{secret link}}' }],
    ])
  })
})

describe('sending a reminder by hand', () => {
  test('a reminder can be sent once a day, and the error names the time of the last one', async () => {
    const one = await invoiced()
    await day(20)
    const first = await w.api.post(`${one.at}/remind`)
    expect(first.status, first.text).toBe(200)
    await w.portal.drain()
    await one.settle('sent', 'invoice-overdue')
    expect(await one.letters()).toEqual(['invoice-overdue'])
    const again = await w.api.post(`${one.at}/remind`)
    expect([again.status, again.body.detail ?? again.text]).toEqual([
      409,
      expect.stringMatching(/has already had a reminder today, at \d\d:\d\d\. The next one can be sent tomorrow/),
    ])
    await day(20, 'dunning')
    expect(await one.letters()).toHaveLength(1)
  })

  test.each(['kept', 'failed', 'bounced'])(
    'a reminder can be resent on the same day after an e-mail that was %s, if the user confirms it or the address has changed',
    async (state) => {
      const one = await invoiced()
      await day(20)
      for (const sent of [1, 2]) {
        const { status, text } = await w.api.post(`${one.at}/remind`, sent === 1 ? {} : { again: true })
        expect([status, text]).toEqual([200, expect.anything()])
        await w.portal.drain()
        expect(await one.letters()).toHaveLength(sent)
        await one.settle(state, 'invoice-overdue')
        const repeated = await w.api.post(`${one.at}/remind`)
        expect([repeated.status, repeated.body.code]).toEqual([409, 'already_there'])
      }
      await w.api.put(one.customer, { invoiceEmail: `corrected.${one.email}` })
      expect((await w.api.post(`${one.at}/remind`)).status).toBe(200)
      await w.portal.drain()
      await w.sql("UPDATE message SET state = 'perhaps sent' WHERE recipient = $1", [`corrected.${one.email}`])
      expect((await w.api.post(`${one.at}/remind`, { again: true })).status).toBe(409)
    },
  )

  test('reminders for selected invoices leave out those that are paused, paid or without an address, with the reason for each', async () => {
    const [ok, bare, paused, paid] = [await invoiced(), await invoiced(), await invoiced(), await invoiced()]
    await w.sql("UPDATE customer SET email = 'no', invoice_email = '' WHERE client_id = $1 AND id = $2", [
      w.person.clientId,
      idOf(bare.customer),
    ])
    await day(20)
    await w.finance.post(`${paused.iri}/dunning/pause`, { until: today(30), reason: 'Query about the work' })
    await paid.pay(paid.invoice.total)
    const all = [ok, bare, paused, paid]
    const { status, body } = await w.api.post(`${OVERDUE}/bulk`, { action: 'remind', ids: all.map(({ at }) => at) })
    expect([status, body.done]).toEqual([200, [ok.id]])
    expect(body.refused.map((one: { message: string }) => one.message)).toEqual([
      expect.stringContaining('has no e-mail address for invoices'),
      expect.stringContaining('paused until'),
      expect.stringContaining('is paid, so there is nothing to chase'),
    ])
  })
})

describe('the overdue list', () => {
  const listed = async () => (await w.all(`${OVERDUE}?itemsPerPage=100`)).map(({ id }: { id: number }) => id)

  test('the overdue list contains only open invoices past their due date, oldest first', async () => {
    const one = await invoiced()
    await day(14)
    expect(await listed()).not.toContain(one.id)
    await day(15)
    const [row] = await w.all(`${OVERDUE}?number=${one.invoice.number}`)
    expect(row).toMatchObject({ amountDue: 120_000, daysOverdue: 1, promise: null, pausedUntil: null })
    await one.pay(120_000)
    expect(await listed()).not.toContain(one.id)
  })

  test('a promise pauses reminders until its day, and payments in time fulfil it', async () => {
    const one = await invoiced()
    await day(20)
    expect((await w.api.post(`${one.at}/promise`, { on: today(5) })).status).toBe(403)
    expect((await w.finance.post(`${one.at}/promise`, { on: today(-1) })).status).toBe(422)
    expect((await w.finance.post(`${one.at}/promise`, { on: today(5), amount: 120_001 })).status).toBe(422)
    const made = await w.finance.post(`${one.at}/promise`, { on: today(5), amount: 50_000 })
    expect(made.body).toMatchObject({
      promise: 'open',
      promisedAmount: 50_000,
      promisedOn: today(5),
      pausedUntil: today(5),
    })
    await day(22, 'dunning')
    expect(await one.letters()).toEqual([])
    await one.pay(30_000)
    expect((await read(one.at)).promise).toBe('open')
    await one.pay(20_000)
    expect((await read(one.at)).promise).toBe('kept')
  })

  test('a promise is broken the day after, finance staff are notified once, and a late payment does not fulfil it', async () => {
    const one = await invoiced()
    await day(20)
    await w.finance.post(`${one.at}/promise`, { on: today(5) })
    await day(26, 'invoice-promises')
    expect(await read(one.at)).toMatchObject({ promise: 'broken', pausedUntil: null })
    await day(27, 'invoice-promises')
    const told = async () =>
      w.sql("SELECT 1 FROM notice WHERE client_id = $1 AND kind = 'invoice.promise-broken' AND about = $2", [
        w.person.clientId,
        one.id,
      ])
    expect((await told()).length).toBeGreaterThan(0)
    expect((await one.plan()).steps.map((s: { kind: string }) => s.kind)).toEqual(['broken', 'promised'])
    await one.pay(60_000)
    expect((await read(one.at)).promise).toBe('broken')
    // A transfer received on the promised day counts as in time, even if booked later.
    await one.pay(60_000 - 1, Temporal.Instant.from(`${today(-2)}T12:00:00Z`).toString())
    expect((await read(one.at)).promise).toBe('broken')
  })

  test('a transfer received on the promised day but booked later fulfils the promise', async () => {
    const one = await invoiced()
    await day(20)
    const on = today(5)
    await w.finance.post(`${one.at}/promise`, { on, amount: 50_000 })
    await day(27)
    expect((await read(one.at)).promise).toBe('broken')
    await one.pay(50_000, `${on}T12:00:00Z`)
    expect((await read(one.at)).promise).toBe('kept')
  })

  test('a note is shown in the overdue list and in the history', async () => {
    const one = await invoiced()
    await day(20)
    const noted = await w.api.post(`${one.at}/note`, { notes: 'Ask for Ann' })
    expect(noted.body).toMatchObject({ notes: 'Ask for Ann', lastContactAt: expect.any(String) })
    expect((await one.plan()).steps[0]).toMatchObject({ kind: 'note', description: 'Ask for Ann' })
  })
})

describe('late payment interest', () => {
  /** Returns the rate in hundredths of a per cent for a debt that becomes overdue on the day after `dueOn`. */
  const rateOf = (dueOn: string) => {
    const { year, month } = Temporal.PlainDate.from(dueOn).add({ days: 1 })
    const known = KNOWN_BASE_RATES.find((one) => one.day === (month > 6 ? `${year}-06-30` : `${year - 1}-12-31`))
    return known && BigInt(Math.round((known.percent + 8) * 100))
  }
  const asRounded = (penceDays: bigint, rate: bigint) => Number((penceDays * rate * 2n + 3_650_000n) / 7_300_000n)

  test('late payment interest is added by a debit note outside the scope of VAT, posted once, and shown on the statement', async () => {
    const one = await invoiced()
    const rate = rateOf(one.invoice.dueOn)
    if (!rate) return
    await day(14 + 30)
    await one.pay(20_000)
    await day(14 + 40)
    const expected = asRounded(120_000n * 30n + 100_000n * 10n, rate)
    const shown = await read(`${one.iri}/late_interest`)
    expect(shown).toMatchObject({ interest: expected, fixedSum: 7000, barred: null })
    const add = (amount: number, by = w.finance) => by.post(`${one.iri}/late_interest/add`, { amount })
    expect((await add(expected + 7000, w.api)).status).toBe(403)
    expect((await add(expected + 6999)).status).toBe(409)
    const added = await add(expected + 7000)
    expect(added.status, added.text).toBe(200)
    expect(added.body).toMatchObject({ interest: 0, fixedSum: 0, barred: 'There is no interest to add.' })
    expect((await add(0)).status).toBe(409)
    const [{ document }] = added.body.claims
    const note = await read(`/api/financial/invoices/${document.id}`)
    expect(note).toMatchObject({ origin: 'interest', state: 'open', tax: 0, total: expected + 7000 })
    expect(note.lines.map((l: { taxCode: string }) => l.taxCode)).toEqual(['outside', 'outside'])
    const statement = await read(`${one.customer}/statement?from=${today(-60)}&to=${today()}`)
    expect(statement.closing).toBe(100_000 + expected + 7000)
    expect((await read(`/api/financial/invoices/${document.id}/late_interest`)).barred).toContain('no interest itself')
    // A void debit note no longer counts.
    await w.finance.post(`/api/financial/invoices/${document.id}/void`, { reason: 'Goodwill' })
    expect(await read(`${one.iri}/late_interest`)).toMatchObject({ interest: expected, fixedSum: 7000, claims: [] })
  })

  test('late payment interest follows the debt on each day for a partly credited invoice, and stops when the invoice is paid', async () => {
    const one = await invoiced()
    const rate = rateOf(one.invoice.dueOn)
    if (!rate) return
    await day(14 + 10)
    const line = (await read(one.iri)).lines[0]['@id']
    const credited = await w.finance.post('/api/financial/credit_notes', {
      invoice: one.iri,
      reason: 'One day less',
      lines: [{ line, net: 25_000 }],
    })
    expect(credited.status, credited.text).toBe(201)
    await day(14 + 25)
    await one.pay(90_000)
    await day(14 + 35)
    expect((await read(`${one.iri}/late_interest`)).interest).toBe(asRounded(120_000n * 10n + 90_000n * 15n, rate))
  })

  test('late payment interest can be waived with a reason before it is added, and accrues again from the next day', async () => {
    const one = await invoiced()
    if (!rateOf(one.invoice.dueOn)) return
    await day(14 + 30)
    expect((await w.finance.post(`${one.iri}/late_interest/waive`, {})).status).toBe(422)
    const waived = await w.finance.post(`${one.iri}/late_interest/waive`, { reason: 'A good customer' })
    expect(waived.body).toMatchObject({ interest: 0, fixedSum: 0, claims: [{ state: 'waived', document: null }] })
    expect((await read(one.iri)).amountDue).toBe(120_000)
    await day(14 + 31)
    expect(await read(`${one.iri}/late_interest`)).toMatchObject({
      interest: expect.any(Number),
      fixedSum: 0,
      barred: null,
    })
  })

  test('late payment interest is refused for a consumer', async () => {
    const one = await invoiced({ consumer: true })
    await day(14 + 30)
    expect((await read(`${one.iri}/late_interest`)).barred).toContain('consumer')
    expect((await w.finance.post(`${one.iri}/late_interest/add`, { amount: 7000 })).status).toBe(409)
  })

  test("late payment interest is unknown until finance staff enter the half-year's base rate, which can be entered only once", async () => {
    const one = await invoiced()
    await day(500)
    await w.finance.put(one.iri, { dueOn: today(-1) })
    const unknown = await read(`${one.iri}/late_interest`)
    if (unknown.percent !== null) return
    expect(unknown).toMatchObject({ interest: null, barred: expect.stringContaining('is unknown. Add it first') })
    const rate = { day: unknown.rateDay, percent: 3.5, source: 'Bank of England' }
    expect((await w.api.post('/api/financial/base_rates', rate)).status).toBe(403)
    expect((await w.finance.post('/api/financial/base_rates', { ...rate, day: '2026-03-01' })).status).toBe(422)
    expect((await w.finance.post('/api/financial/base_rates', { ...rate, day: '2025-12-31' })).status).toBe(422)
    expect((await w.finance.post('/api/financial/base_rates', rate)).status).toBe(201)
    expect((await w.finance.post('/api/financial/base_rates', rate)).status).toBe(422)
    expect((await read(`${one.iri}/late_interest`)).percent).toBe(11.5)
  })

  test('late payment interest appears in reminders only if the settings say so', async () => {
    const [plain, stated] = [await invoiced(), await invoiced()]
    if (!rateOf(plain.invoice.dueOn)) return
    await day(20)
    const bodyOf = async (of: typeof plain) => {
      await w.api.post(`${of.at}/remind`)
      const [row] = await w.sql<{ payload: { body: string } }>(
        "SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' AND payload ->> 'to' = $2 ORDER BY id DESC LIMIT 1",
        [w.person.clientId, of.email],
      )
      await w.portal.drain()
      return row?.payload.body
    }
    expect(await bodyOf(plain)).not.toContain('Late Payment')
    await w.finance.post('/api/financial/dunning_settings', { interestInReminders: true })
    expect(await bodyOf(stated)).toContain('we are entitled to interest at')
  })
})
