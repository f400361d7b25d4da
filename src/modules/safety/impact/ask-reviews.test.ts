import { expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { documentIri, makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const today = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().toString()
const REASON = 'The control “Nets” was changed.'

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}

/** Creates a company with its own control. */
async function company() {
  const own = await makeAssessments(portal)
  const keeper = own.client.as(await own.client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }))
  const make = async (path: string, body: object): Promise<CreatedRecord> => {
    const answer = await keeper.post(`/api/safety/${path}`, { ...body })
    expect([answer.status, answer.text]).toEqual([201, expect.anything()])
    return answer.body
  }
  const group = await make('hazard_groups', { name: 'Height' })
  const falls = { name: `Falls ${own.client.id}`, description: 'From roofs', group: group['@id'] }
  const hazard = await make('hazards', falls)
  const control = await make('hazard_controls', { name: 'Nets', hazard: hazard['@id'] })
  const [head, line] = makeHazards()
  const controls = [
    { ...head, hazard: hazard['@id'] },
    { ...line, hazard: hazard['@id'], control: control['@id'] },
  ]
  const inForce = async () => own.inForce(await own.draft({ controls }))
  return { ...own, hazard, control, controls, inForce }
}
const ask = (api: TestApi, of: CreatedRecord, body: object = {}) =>
  api.post(`${of['@id']}/ask_reviews`, { reason: REASON, ...body })
const read = async (api: TestApi, one: CreatedRecord) => (await api.get(one['@id'])).body

test('a review request sets today as the review date of every document in force that uses the item, without changing sealed content', async () => {
  const { author, client, control, controls, draft, inForce } = await company()
  const used = [await inForce(), await inForce(), await inForce()]
  const [one] = used as [CreatedRecord]
  const begun = await draft({ controls })
  const other = await (await company()).inForce()
  const before = await read(author, one)
  const asked = await ask(author, control)
  expect([asked.status, asked.body]).toMatchObject([202, { kind: 'documents.ask-reviews', state: 'queued' }])
  await portal.drain()
  expect(await read(author, asked.body)).toMatchObject({ state: 'done', total: 3, done: 3, refused: 0 })
  for (const doc of used)
    expect(await read(author, doc)).toMatchObject({ reviewDue: today, reviewAsked: REASON, reviewed: false })
  expect(await read(author, begun)).toMatchObject({ reviewDue: null, reviewAsked: null })
  const { controls: lines, seal } = await read(author, one)
  expect([lines, seal]).toEqual([before.controls, before.seal])
  expect(
    (await author.get(`/api/safety/risk_assessments?id=${(other as CreatedRecord).id}`)).body['hydra:totalItems'],
  ).toBe(0)

  // Repeating the request changes nothing. Until the review is done, a request with a different reason appends that
  // reason.
  const again = await ask(author, control)
  await portal.drain()
  expect(await read(author, again.body)).toMatchObject({ state: 'done', done: 0, tally: { unchanged: 3 } })
  const more = await ask(author, control, { reason: 'And\n once  more', documents: [documentIri(one)] })
  await portal.drain()
  expect(await read(author, more.body)).toMatchObject({ state: 'done', done: 1 })
  expect((await read(author, one)).reviewAsked).toBe(`${REASON}\nAnd once more`)
  const reviewed = await author.put(one['@id'], { reviewed: true, reviewDue: '2031-01-31' })
  expect([reviewed.status, reviewed.body]).toMatchObject([200, { reviewed: true, reviewAsked: null }])
  expect((await author.put(one['@id'], { reviewAsked: 'My views' })).body.reviewAsked).toBe(null)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a review request skips selected documents that are not in force and lists them with the reason', async () => {
  const { author, control, controls, draft, inForce } = await company()
  const [used, also] = [await inForce(), await inForce()]
  const begun = await draft({ controls })
  const asked = await ask(author, control, { documents: [used, begun].map(documentIri) })
  await portal.drain()
  expect(await read(author, asked.body)).toMatchObject({ state: 'done', total: 2, done: 1, refused: 1 })
  const refusals = await author.get(`/api/portal/run_refusals?run=${asked.body.id}`)
  expect(refusals.body['hydra:member']).toMatchObject([
    { about: begun.documentNumber, reason: 'This document is not in force: only documents in force can be reviewed.' },
  ])
  expect([(await read(author, used)).reviewAsked, (await read(author, also)).reviewAsked]).toEqual([REASON, null])
})

test('only approvers can request reviews, and only of documents that they can read', async () => {
  const { author, worker, client, control, inForce } = await company()
  const writes = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const used = await inForce()
  expect((await ask(writes, control)).status).toBe(403)
  expect((await ask(worker, control)).status).toBe(403)
  const stranger = await company()
  expect((await ask(stranger.author, control)).status).toBe(404)
  const foreign = await ask(stranger.author, stranger.control, { documents: [documentIri(used)] })
  expect([foreign.status, foreign.body.violations?.[0]?.propertyPath]).toEqual([422, 'documents'])
  expect((await ask(author, control, { reason: ' ' })).status).toBe(422)
  expect((await ask(author, control, { documents: ['RA-1'] })).status).toBe(422)
  await portal.drain()
  expect((await read(author, used)).reviewAsked).toBe(null)
})

test("the provider's users can request reviews of documents that use the provider's item at all clients, and a client's users only at their own client", async () => {
  const [a, b] = [await company(), await company()]
  const [shared] = (await a.author.get('/api/safety/hazards?client=0&order[name]=desc')).body['hydra:member']
  const lines = makeHazards().map((line) => ({ ...line, hazard: shared['@id'] }))
  const [ofA, ofB] = [
    await a.act(await a.act(await a.draft({ controls: lines }), 'complete'), 'approve'),
    await b.act(await b.act(await b.draft({ controls: lines }), 'complete'), 'approve'),
  ]
  await ask(a.author, shared)
  await portal.drain()
  expect([(await read(a.author, ofA)).reviewAsked, (await read(b.author, ofB)).reviewAsked]).toEqual([REASON, null])
  const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  expect((await ask(staff, shared)).status).toBe(403)
  const asked = await ask(keeper, shared)
  await portal.drain()
  expect((await read(keeper, asked.body)).state).toBe('done')
  expect((await read(b.author, ofB)).reviewAsked).toBe(REASON)
  for (const { client } of [a, b]) expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a stopped or killed review job resumes after its last batch and processes each document only once', async () => {
  const { author, client, control, inForce } = await company()
  const used: CreatedRecord[] = []
  for (let n = 0; n < 52; n++) used.push(await inForce())
  const { body: run } = await ask(author, control)
  const kind = registryOf(portal.engine).batchJobs.get('documents.ask-reviews')
  let steps = 0
  await kind?.work(portal.engine, client.id, run.id, { onStep: () => void steps++, shouldStop: () => steps > 0 })
  expect(await read(author, run)).toMatchObject({ state: 'stopped', total: 52, done: 50 })
  const [first, last] = [used[0] as CreatedRecord, used.at(-1) as CreatedRecord]
  expect([(await read(author, first)).reviewAsked, (await read(author, last)).reviewAsked]).toEqual([REASON, null])
  await author.post(`${run['@id']}/resume`, {})
  // Simulates the state left behind by a killed process.
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE run SET state = 'running', lease = 'gone', lease_until = now() - interval '1 second' WHERE id = $1",
      [run.id],
    ),
  )
  await portal.runSchedule('runs.recover')
  await portal.drain()
  expect(await read(author, run)).toMatchObject({ state: 'done', total: 52, done: 52 })
  const seals = await portal.db.tx('system', (tx) =>
    tx.rows<{ n: number }>(
      "SELECT count(*)::int AS n FROM seal WHERE client_id = $1 AND event = 'review moved' GROUP BY document_id ORDER BY 1 DESC",
      [client.id],
    ),
  )
  expect([seals.length, seals[0]?.n]).toEqual([52, 1])
})
