import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld } from '#test/support/sales.ts'

const w = await makeSalesWorld()

test.each([
  ['without a mail server', 'kept'],
  ['through a mail server that refuses it', 'failed'],
])('a reminder that 20 people request at once %s is recorded and e-mailed once', async (_, state) => {
  onTestFinished(() => moveClock(w.portal.engine, 0))
  const email = `${state}.${process.pid}@buyer.example`
  const customer = await w.buyer({ invoiceEmail: email })
  const lines = [{ description: 'Site visit', quantity: 1, unitAmount: 100_000 }]
  const { body } = await w.api.post('/api/financial/invoices', { customer, lines })
  await w.finance.post(`${body['@id']}/issue`, {})
  await w.portal.drain()
  await moveClock(w.portal.engine, 20)
  const at = `/api/financial/overdue/${body.id}`
  const ofReminder = [w.person.clientId, email, 'invoice-overdue'] as const
  const remind = async (n: number) => {
    if (n % 2) await w.api.post(`${at}/remind`)
    else await w.api.post('/api/financial/overdue/bulk', { action: 'remind', ids: [at] })
    // The e-mail fails while other requests wait.
    await w.portal.drain()
    await w.sql('UPDATE message SET state = $4 WHERE client_id = $1 AND recipient = $2 AND template = $3', [
      ...ofReminder,
      state,
    ])
  }
  for (let wave = 0; wave < 4; wave++) await Promise.all(Array.from({ length: 5 }, (__, n) => remind(wave * 5 + n)))
  const { steps } = (await w.api.get(`${body['@id']}/dunning`)).body
  expect(steps.map(({ kind }: { kind: string }) => kind)).toEqual(['reminder'])
  const sent = await w.sql('SELECT 1 FROM message WHERE client_id = $1 AND recipient = $2 AND template = $3', [
    ...ofReminder,
  ])
  expect(sent).toHaveLength(1)
})
