import { expect, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { taxRate } from '#modules/billing/catalogue/plan.ts'
import type { Context } from '#server/engine/types.ts'
import { testPortal } from '#test/support/portal.ts'

const VALUES = [
  { name: 'Standard', code: 'standard', percent: 20, from: '2011-01-04' },
  { name: 'Nothing “said”', code: 'zero', percent: 0 },
  { name: 'Reduced', code: 'reduced', percent: 5, from: null },
  { name: 'Half', code: 'standard', percent: 17.5, from: '1991-04-01' },
] as const

test('a bulk write stores the same records and audit rows as separate writes', async () => {
  const portal = await testPortal()
  const { id: clientId } = await portal.client()
  const inTenant = <T>(work: (c: Context) => Promise<T>): Promise<T> =>
    portal.engine.inTenant(clientId, { actor: createSystemActor(clientId, 'test'), requestId: 'test' }, async (c) => {
      const found = await work(c)
      return () => found
    })
  const change = ({ name, percent }: { name: string; percent: number }) => ({
    name: `${name} (former)`,
    retired: percent > 10,
  })
  const one = await inTenant(async (c) => {
    const ids: number[] = []
    for (const values of VALUES) ids.push((await (await c.create(taxRate, values)).saved()).id)
    for (const row of await c.lockAll(taxRate, { id: ids })) await c.set(taxRate, row, change(row), 'raise')
    return ids
  })
  const all = await inTenant(async (c) => {
    const ids = await c.createAll(taxRate, VALUES)
    const rows = await c.lockAll(taxRate, { id: ids })
    await c.setAll(
      taxRate,
      rows.map((row) => ({ row, values: change(row) })),
      'raise',
    )
    // The locked rows reflect the change immediately.
    for (const row of rows) expect(await c.lock(taxRate, row.id)).toMatchObject(change(row))
    return ids
  })
  const kept = (ids: readonly number[]) =>
    inTenant(async (c) => {
      const rows = await c.find(taxRate, { id: [...ids] })
      const told = await c.work.tx.rows(
        `SELECT array_position($2::bigint[], row_id) AS at, type, verb, changes, username, request_id FROM audit WHERE client_id = $1 AND type = 'TaxRate' AND row_id = ANY($2) ORDER BY verb, 1`,
        [clientId, ids],
      )
      // Leaves out the IDs: records with different columns are written by different statements, and therefore get
      // different IDs.
      const inOrder = ids.map((id) => ({ ...rows.find((row) => row.id === id), id: 0 }))
      return { rows: inOrder, told }
    })
  expect(await kept(all)).toEqual(await kept(one))
})

test('a bulk write is refused as a whole with 422 if one record is invalid, and with 404 if a record has since been deleted', async () => {
  const portal = await testPortal()
  const { id: clientId } = await portal.client()
  await portal.engine.inTenant(
    clientId,
    { actor: createSystemActor(clientId, 'test'), requestId: 'test' },
    async (c) => {
      const tried = await c.attempt(() => c.createAll(taxRate, [VALUES[0], { name: '', code: 'zero', percent: 0 }]))
      expect('refused' in tried && tried.refused.status).toBe(422)
      expect(await c.find(taxRate, {})).toEqual([])
      const [id = 0] = await c.createAll(taxRate, [VALUES[0]])
      const row = await c.lock(taxRate, id)
      await c.work.tx.rows('DELETE FROM tax_rate WHERE client_id = $1 AND id = $2', [clientId, id])
      const gone = await c.attempt(() => c.setAll(taxRate, [{ row, values: { percent: 3 } }], 'raise'))
      expect('refused' in gone && gone.refused.status).toBe(404)
      expect(await c.createAll(taxRate, [])).toEqual([])
      return () => undefined
    },
  )
})
