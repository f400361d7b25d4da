import { expect, test } from 'vitest'
import type { Tx } from '#server/db/db.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'

const RETURNS = '/api/financial/vat_returns'
const ADJUSTMENTS = '/api/financial/vat_adjustments'
const today = Temporal.Now.plainDateISO('Europe/London')
const first = today.with({ day: 1 }).subtract({ months: 1 })
const PERIOD = { from: first.toString(), to: today.with({ day: 1 }).subtract({ days: 1 }).toString() }

/** Creates a return with an adjustment of £1.00 to box 1. */
async function makeReturn(w: InvoiceWorld) {
  const { body: made } = await w.finance.post(RETURNS, PERIOD)
  const adjust = () =>
    w.finance.post(ADJUSTMENTS, { vatReturn: made['@id'], box: 1, amount: 100, reason: 'Correction' })
  const { body: adjustment } = await adjust()
  const file = (netVatDue: number) => w.finance.post(`${made['@id']}/file`, { filedOn: today.toString(), netVatDue })
  return { id: made.id as number, iri: made['@id'] as string, adjust, adjustment: adjustment['@id'] as string, file }
}

/** Returns true once another transaction is waiting for a row that this one has locked. */
const isAwaited = async (tx: Tx) =>
  (await tx.rows('SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid')).length > 0

const FILE = `UPDATE vat_return SET state = 'filed', figures = '{}', filed_on = current_date, filed_at = portal_now() WHERE id = $1`

test.each(['saved', 'deleted'] as const)(
  'an adjustment that is %s while its VAT return is being filed is refused',
  async (how) => {
    const w = await makeInvoiceWorld()
    const of = await makeReturn(w)
    const { attempt } = await w.portal.db.tx('system', async (tx) => {
      await tx.rows('SELECT FROM vat_return WHERE id = $1 FOR UPDATE', [of.id])
      const attempt = how === 'saved' ? of.adjust() : w.finance.delete(of.adjustment)
      await expect.poll(() => isAwaited(tx), { timeout: 10_000 }).toBe(true)
      await tx.rows(FILE, [of.id])
      return { attempt }
    })
    const refused = await attempt
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('This VAT return is filed')])
  },
)

test('a VAT return that is filed while an adjustment is being saved includes the adjustment', async () => {
  const w = await makeInvoiceWorld()
  const of = await makeReturn(w)
  const { attempt } = await w.portal.db.tx('system', async (tx) => {
    await tx.rows(
      "INSERT INTO vat_adjustment (client_id, return_id, box, amount, reason) SELECT client_id, id, 1, 50, 'Later' FROM vat_return WHERE id = $1",
      [of.id],
    )
    const attempt = of.file(100)
    await expect.poll(() => isAwaited(tx), { timeout: 10_000 }).toBe(true)
    return { attempt }
  })
  expect((await attempt).body.code).toBe('preview_outdated')
  const filed = await of.file(150)
  expect([filed.status, filed.body.figures[1]]).toEqual([200, 150])
})
