import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Resource } from '#kernel/resource.ts'
import { toPlainJson } from '#server/http/represent.ts'
import { testPortal } from '#test/support/portal.ts'
import { IS_FULL_RUN, sampleShapes, scaleRunCount } from '#test/support/scope.ts'
import { ALL_PROVIDER_ROLES, CLIENT_MARKS, makeInvariantWorld, makeRequestBody } from './world.ts'

const portal = await testPortal()
const toPlain = toPlainJson(portal.engine.resources)

/** Format, preferences and compression with which the same resource can be requested. */
const way = fc.record({
  accept: fc.constantFrom('application/ld+json', 'application/json'),
  prefer: fc.constantFrom('', 'return=minimal'),
  packing: fc.constantFrom('identity', 'br', 'gzip'),
})
type RequestWay = typeof way extends fc.Arbitrary<infer T> ? T : never
const page = fc.record({
  itemsPerPage: fc.constantFrom(1, 2, 30),
  page: fc.constantFrom(1, 2),
  partial: fc.boolean(),
  'order[id]': fc.constantFrom('asc', 'desc'),
})

test('every list and record has the same contents in every format and compression, and with Prefer: return=minimal', async () => {
  const world = await makeInvariantWorld(portal)
  const api = world.home.as(await world.home.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }))
  const staff = portal.provider.as(await portal.provider.user({ roles: ALL_PROVIDER_ROLES }))
  const seen = { lists: 0, full: 0, records: 0 }

  const check = async (asks: typeof api, url: string, { accept, prefer, packing }: RequestWay) => {
    const linked = await asks.get(url, { accept: 'application/ld+json' })
    if (linked.status !== 200) return undefined
    expect(linked.text, url).toBe(JSON.stringify(linked.body))
    const { 'hydra:search': _, ...minimal } = linked.body
    const wanted = prefer && linked.body['hydra:search'] ? JSON.stringify(minimal) : linked.text
    const sent = await asks.get(url, { accept, prefer, 'accept-encoding': packing })
    expect(sent.text, `${url} ${accept} ${prefer} ${packing}`).toBe(
      accept === 'application/json' ? toPlain(wanted) : wanted,
    )
    return linked.body
  }
  const checkAll = (asks: typeof api, r: Resource) =>
    fc.assert(
      fc.asyncProperty(page, way, async (query, asked) => {
        const list = await check(
          asks,
          `${r.url}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
          asked,
        )
        if (!list) return
        seen.lists++
        const [first] = list['hydra:member']
        if (list['hydra:member'].length === query.itemsPerPage && !query.partial) seen.full++
        if (first && (await check(asks, first['@id'], asked))) seen.records++
      }),
      { numRuns: Math.max(3, scaleRunCount(8)) },
    )

  for (const r of sampleShapes(portal.engine.addressed)) {
    for (const [asks, clientId] of [
      [api, world.home.id],
      [staff, 0],
    ] as const) {
      if (r.allow.create) await asks.post(r.url, await makeRequestBody(world, r.fields, clientId, CLIENT_MARKS.home))
      await checkAll(asks, r)
    }
  }
  expect(Math.min(seen.lists, seen.records)).toBeGreaterThan(IS_FULL_RUN ? 100 : 20)
  if (IS_FULL_RUN) expect(seen.full).toBeGreaterThan(10)
})
