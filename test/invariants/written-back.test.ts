import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { ALL_PROVIDER_ROLES, CLIENT_MARKS, makeInvariantWorld, makeRequestBody } from './world.ts'

const portal = await testPortal()

const LD = 'application/ld+json'
/** Changes of a record after its creation. Reads of confidential data are also in the audit. */
const changesOf = (type: string, id: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows("SELECT changes FROM audit WHERE type = $1 AND row_id = $2 AND verb NOT IN ('create', 'look')", [type, id]),
  )

test('a record written back as it was read changes nothing, in either format', async () => {
  const world = await makeInvariantWorld(portal)
  const people = [
    world.home.as(await world.home.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] })),
    portal.provider.as(await portal.provider.user({ roles: ALL_PROVIDER_ROLES })),
  ]
  const tried: string[] = []
  const wrong: unknown[] = []
  for (const r of portal.engine.addressed.filter(({ allow }) => allow.create && allow.update))
    for (const [n, api] of people.entries()) {
      const clientId = n ? 0 : world.home.id
      const { status, body: made } = await api.post(
        r.url,
        await makeRequestBody(world, r.fields, clientId, CLIENT_MARKS.home),
      )
      if (status !== 201) continue
      for (const accept of [LD, 'application/json']) {
        const before = await api.get(made['@id'], { accept })
        const answer = await api.put(made['@id'], before.body)
        const after = await api.get(made['@id'], { accept })
        const changes = await changesOf(r.type, made.id)
        if (changes.length) wrong.push([r.type, changes])
        tried.push(r.type)
        if (answer.status !== 200) wrong.push([r.type, accept, answer.status, answer.text])
        else if (after.text !== before.text) wrong.push([r.type, accept, before.text, after.text])
      }
    }
  expect(wrong).toEqual([])
  expect(new Set(tried).size).toBeGreaterThan(20)
})
