import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { type SelectPlan, selectPlanFor } from '#server/data/plan.ts'
import { recordByIdQuery } from '#server/data/queries.ts'
import { toPlainJson } from '#server/http/represent.ts'
import { testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { ALL_PROVIDER_ROLES, CLIENT_MARKS, makeInvariantWorld, makeRequestBody } from './world.ts'

const portal = await testPortal()
const toPlain = toPlainJson(portal.engine.resources)

/**
 * Generates replacements for a cell: another value of its type, or nothing. Rows within the cell are replaced in the
 * same way. Numbers are finite, because a cell may be the ID of a related record.
 */
function likeCell(cell: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(cell) && cell.every(Array.isArray)) return fc.tuple(...cell.map(likeRow))
  if (cell === null) return fc.constantFrom(null, 7)
  if (typeof cell === 'number')
    return fc.oneof(fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (typeof cell === 'boolean') return fc.boolean()
  if (Array.isArray(cell)) return fc.array(fc.string())
  if (typeof cell === 'object') return fc.jsonValue()
  return fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '\ud800', 'é', '\u2028') }),
  )
}

const likeRow = ([id, ...cells]: unknown[]): fc.Arbitrary<unknown[]> =>
  fc.tuple(fc.constant(id), ...cells.map((cell) => likeCell(cell)))

test("the text serialised directly for every record, with or without links, equals the record's JSON", async () => {
  const world = await makeInvariantWorld(portal)
  const staff = await portal.provider.user({ roles: ALL_PROVIDER_ROLES })
  const people = [
    world.home.as(await world.home.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] })),
    portal.provider.as(staff),
  ]
  const made = new Set<string>()
  const check = (plan: SelectPlan, row: unknown[]) => {
    const record = JSON.stringify(plan.send(row))
    expect(`{${plan.text(row, 'linked')}}`).toBe(record)
    expect(`{${plan.text(row, 'plain')}}`).toBe(toPlain(record))
  }
  for (const r of portal.engine.addressed.filter(({ allow }) => allow.create))
    for (const [n, api] of people.entries()) {
      const clientId = n ? 0 : world.home.id
      const { status, body } = await api.post(
        r.url,
        await makeRequestBody(world, r.fields, clientId, CLIENT_MARKS.home),
      )
      if (status !== 201) continue
      const asked = recordByIdQuery(r, createSystemActor(clientId, 'to look'), 'read', body.id, { everything: true })
      const [row] = asked ? await portal.db.tx('owner', (tx) => tx.arrays(asked.query, asked.values)) : []
      if (!row) continue
      made.add(r.type)
      check(selectPlanFor(r), row)
      fc.assert(
        fc.property(likeRow(row), (other) => check(selectPlanFor(r), other)),
        { numRuns: scaleRunCount(25) },
      )
    }
  expect(made.size).toBeGreaterThan(20)
})
