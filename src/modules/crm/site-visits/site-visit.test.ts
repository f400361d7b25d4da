import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const VISITS = '/api/crm/site_visits'
let n = 0

async function diary() {
  const firm = await portal.client({ company: 'Visited Ltd' })
  const name = `visits.${++n}`
  const person = await portal.provider.user({
    roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'],
    username: name,
    name: 'Connie',
  })
  const api = portal.provider.as(person)
  const at = (hours: number) =>
    portal.engine.clock
      .now()
      .add({ minutes: hours * 60 })
      .toString({ smallestUnit: 'second' })
  const plan = (hours: number, more: object = {}) =>
    api.post(VISITS, { account: firm.iri, purpose: 'Yearly audit', startsAt: at(hours), minutes: 60, ...more })
  const letters = (about: string) =>
    portal.db.tx('system', (tx) =>
      tx.rows<{ recipient: string; body: string }>('SELECT recipient, body FROM message WHERE about = $1 ORDER BY id', [
        about,
      ]),
    )
  return { firm, name, api, plan, at, letters }
}

test("a site visit can't overlap another, is announced by e-mail and is locked once its report is complete", async () => {
  const { name, api, plan, letters } = await diary()
  const { status, body: visit } = await plan(-2, { email: 'site@visited.example', contactName: 'Sam Site' })
  expect([status, visit.consultant.username, visit.state]).toEqual([201, name, 'planned'])
  expect(visit.account.company).toBe('Visited Ltd')
  expect((await api.get(visit['@id'])).body).toEqual(visit)
  const clash = await plan(-1.5)
  expect([clash.status, clash.body.violations[0].propertyPath]).toEqual([422, 'startsAt'])
  expect((await plan(-1)).status).toBe(201)
  expect((await api.post(`${visit['@id']}/confirm`)).body.confirmedAt).toBeTruthy()
  expect((await api.post(`${visit['@id']}/finish`, {})).status).toBe(422)
  const report = 'All guards are in place.'
  expect((await api.post(`${visit['@id']}/finish`, { report, send: 'yes' })).body).toMatchObject({
    state: 'done',
    report,
  })
  await portal.drain()
  const [told, reported] = await letters(visit['@id'])
  expect([told?.recipient, told?.body.includes('Sam Site')]).toEqual(['site@visited.example', true])
  expect(reported?.body).toContain(report)
  expect((await api.put(visit['@id'], { purpose: 'Another' })).status).toBe(409)
  expect((await api.post(`${visit['@id']}/cancel`, { reason: 'No' })).status).toBe(409)
  const own = await api.get(`${VISITS}?consultant.username=${name}&order[startsAt]=asc`)
  expect(own.body['hydra:totalItems']).toBe(2)
})

test("an upcoming site visit can't be completed, or confirmed without an e-mail address, and cancelling it frees its time", async () => {
  const { api, plan } = await diary()
  const { body: visit } = await plan(48)
  expect((await api.post(`${visit['@id']}/finish`, { report: 'Processed' })).status).toBe(409)
  expect((await api.post(`${visit['@id']}/confirm`)).status).toBe(409)
  expect((await plan(48)).status).toBe(422)
  expect((await api.post(`${visit['@id']}/cancel`, { reason: 'They are closed' })).body.state).toBe('cancelled')
  expect((await plan(48)).status).toBe(201)
})

test('if two site visits are planned simultaneously for overlapping times, only one is saved', async () => {
  const { plan } = await diary()
  const both = await Promise.all([plan(72), plan(72.5)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
})

test("only consultants and the provider's client administrators can plan site visits, but all the provider's staff can read them", async () => {
  const { firm, plan, at } = await diary()
  const { body: visit } = await plan(96)
  const caller = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  expect((await caller.get(visit['@id'])).status).toBe(200)
  expect((await caller.post(VISITS, { account: firm.iri, purpose: 'x', startsAt: at(1) })).status).toBe(403)
  expect((await caller.post(`${visit['@id']}/cancel`, { reason: 'x' })).status).toBe(403)
  const boss = firm.as(await firm.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await boss.get(VISITS)).status).toBe(403)
})
