import { describe, expect, test } from 'vitest'
import type { DocumentKind } from '#modules/documents/types/kind.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'
import { collectionMembers, expectSuccess } from '#test/support/sign-offs.ts'
import { handbook, managementHandbook } from './handbook.ts'

const portal = await testPortal()
const DOCUMENTS = '/api/safety/documents'
const SIGN_OFFS = '/api/safety/sign_offs'

async function company(packs: readonly string[] = ['employees']) {
  const client = await portal.client({ packs })
  const hire = async (...roles: string[]) => {
    const person = await client.user({ roles })
    return { ...person, api: client.as(person) }
  }
  return {
    client,
    hire,
    admin: await hire('ROLE_CLIENT_ADMIN'),
    hr: await hire('ROLE_HR'),
    safety: await hire('ROLE_SAFETY_AUTHOR'),
    worker: await hire('ROLE_EMPLOYEE'),
  }
}

async function begin(api: TestApi, kind: DocumentKind = handbook, more: Record<string, unknown> = {}) {
  return expectSuccess(await api.post(kind.resource.url, { ...makeCompleteDocumentBody(kind), ...more }))
}

async function bringIntoForce(api: TestApi, kind: DocumentKind = handbook) {
  const draft = await begin(api, kind)
  return expectSuccess(await api.put(draft['@id'], { complete: true, approved: true }))
}

const documentOf = ({ id }: { readonly id: number }) => `${DOCUMENTS}/${id}`
const due = () =>
  portal.engine.clock
    .now()
    .add({ hours: 24 * 10 })
    .toString()
    .slice(0, 10)
const sign = (api: TestApi, one: { readonly id: number }) =>
  api.post('/api/safety/signatures', { document: documentOf(one), method: 'typed' })

describe('handbook', () => {
  test('human resources write it, everyone in the company reads it in force, and safety authors can’t change it', async () => {
    const { hr, worker, safety } = await company()
    const draft = await begin(hr.api)
    expect([draft.documentNumber, draft.state]).toEqual(['HB-0001', 'draft'])
    expect((await worker.api.get(draft['@id'])).status).toBe(404)
    expect((await safety.api.put(draft['@id'], { title: 'Mine' })).status).toBe(403)
    expect((await safety.api.post(handbook.resource.url, {})).status).toBe(403)
    expectSuccess(await hr.api.put(draft['@id'], { complete: true, approved: true }))
    expect((await worker.api.get(draft['@id'])).body.chapters).toHaveLength(1)
    expect((await worker.api.get(`${draft['@id']}/pdf`)).status).toBe(200)
    expect((await safety.api.post(`${draft['@id']}/withdraw`, { note: 'Wrong' })).status).toBe(403)
  })

  test('a client with the entitlement alone uses it, and a client with another entitlement does not', async () => {
    const { hr, worker } = await company()
    const current = await bringIntoForce(hr.api)
    expect((await hr.api.get('/api/safety/policies')).status).toBe(403)
    expect((await worker.api.get(current['@id'])).status).toBe(200)
    const other = await company(['safety'])
    expect((await other.admin.api.get(handbook.resource.url)).status).toBe(403)
    expect((await other.admin.api.post(handbook.resource.url, {})).status).toBe(403)
  })

  test('once the entitlement has lapsed, it is read and exported only, although safety documents are still signed', async () => {
    const { client, hire, ...before } = await company(['employees', 'safety'])
    const current = await bringIntoForce(before.hr.api)
    const asked = { document: documentOf(current), everybody: true, due: due() }
    const request = expectSuccess(await before.hr.api.post(SIGN_OFFS, asked))
    await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety'], ['employees']))
    const [hr, admin, worker] = [await hire('ROLE_HR'), await hire('ROLE_CLIENT_ADMIN'), await hire('ROLE_EMPLOYEE')]
    expect((await worker.api.get(current['@id'])).status).toBe(200)
    expect((await worker.api.get(`${current['@id']}/pdf`)).status).toBe(200)
    expect((await hr.api.get(`${handbook.resource.url}/export.csv`)).status).toBe(200)
    const writes = [
      await hr.api.put(current['@id'], { reviewed: true }),
      await hr.api.post(`${current['@id']}/revise`, {}),
      await sign(worker.api, current),
      await hr.api.post(SIGN_OFFS, asked),
      await hr.api.put(request['@id'], { due: due() }),
      await hr.api.post(`${request['@id']}/cancel`, {}),
      await hr.api.post(`${request['@id']}/remind`, { people: [worker.id] }),
      await admin.api.post(`${documentOf(current)}/signing_link`, {}),
      await admin.api.post('/api/safety/document/send', { document: current['@id'], to: 'a@example.com' }),
    ]
    expect(writes.map(({ status, body }) => [status, body.code])).toEqual(writes.map(() => [403, 'pack_lapsed']))
  })

  test('without the entitlement nothing of it is shown in lists of all documents', async () => {
    const { client, hr, hire } = await company(['employees', 'safety'])
    const current = await bringIntoForce(hr.api)
    const seen = async () => {
      const [worker, admin] = [await hire('ROLE_EMPLOYEE'), await hire('ROLE_CLIENT_ADMIN')]
      return [
        collectionMembers(await worker.api.get(`${DOCUMENTS}/to_sign`)).length,
        collectionMembers(await admin.api.get(`${DOCUMENTS}?kind=handbook`)).length,
        (await admin.api.get(documentOf(current))).status,
        (await sign(worker.api, current)).status,
      ]
    }
    expect(await seen()).toEqual([1, 1, 200, 201])
    await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety']))
    expect(await seen()).toEqual([0, 0, 404, 400])
  })

  test('human resources ask for signatures of handbooks only, and safety authors of safety documents only', async () => {
    const { hr, admin, safety, worker } = await company(['employees', 'safety'])
    const current = await bringIntoForce(hr.api)
    const policy = expectSuccess(
      await admin.api.post('/api/safety/toolbox_talks', {
        title: 'Ladders',
        points: [{ text: 'Look.' }],
        complete: true,
      }),
    )
    const ask = (api: TestApi, one: { readonly id: number }) =>
      api.post(SIGN_OFFS, { document: documentOf(one), people: [worker.id], due: due() })
    expect((await ask(safety.api, current)).status).toBe(403)
    expect((await ask(hr.api, current)).status).toBe(201)
    expect([400, 403]).toContain((await ask(hr.api, policy)).status)
    const progress = `/api/safety/sign_off_people?document=${documentOf(current)}`
    expect(collectionMembers(await hr.api.get(progress))).toHaveLength(1)
    expect(collectionMembers(await safety.api.get(progress))).toEqual([])
    expect(collectionMembers(await safety.api.get(SIGN_OFFS))).toEqual([])
  })

  test('a new revision states what has changed, replaces the former and is signed again after a material change', async () => {
    const { hr, worker } = await company()
    const first = await bringIntoForce(hr.api)
    expectSuccess(await hr.api.post(SIGN_OFFS, { document: documentOf(first), people: [worker.id], due: due() }))
    expectSuccess(await sign(worker.api, first))
    const mine = async () => collectionMembers(await worker.api.get('/api/safety/sign_off_people/mine'))
    expect(await mine()).toEqual([])
    const draft = expectSuccess(await hr.api.post(`${first['@id']}/revise`, {}))
    const silent = await hr.api.post(`${draft['@id']}/complete`, {})
    expect([silent.status, silent.body.violations?.[0]?.propertyPath]).toEqual([422, 'reviewReason'])
    expectSuccess(await hr.api.put(draft['@id'], { reviewReason: 'A rule about phones' }))
    expectSuccess(await hr.api.post(`${draft['@id']}/complete`, { change: 'material' }))
    expectSuccess(await hr.api.post(`${draft['@id']}/approve`, {}))
    expect(await mine()).toMatchObject([{ revision: 1, document: { revision: 2 } }])
    const tasks = (await worker.api.get('/api/portal/my_tasks')).body
    expect(tasks.sign).toMatchObject([{ title: 'Employee handbook', to: `/ffe/handbook/view/${draft.id}` }])
    expectSuccess(await sign(worker.api, draft))
    expect(await mine()).toEqual([])
  })

  test('an impersonator neither approves nor signs it, nor asks for signatures', async () => {
    const { hr, admin } = await company()
    const current = await bringIntoForce(hr.api)
    const visitor = await impersonate(portal, admin)
    expect((await sign(visitor, current)).status).toBe(403)
    const asked = { document: documentOf(current), everybody: true, due: due() }
    expect((await visitor.post(SIGN_OFFS, asked)).status).toBe(403)
    const draft = expectSuccess(await hr.api.post(`${current['@id']}/revise`, { reason: 'Phones' }))
    expectSuccess(await hr.api.post(`${draft['@id']}/complete`, {}))
    const approved = await visitor.post(`${draft['@id']}/approve`, {})
    expect([approved.status, approved.body.code]).toEqual([403, 'in_person'])
  })

  test('provider staff read it only while impersonating, and no other company does', async () => {
    const { hr, admin } = await company()
    const current = await bringIntoForce(hr.api)
    const consultant = portal.provider.as(await portal.provider.user({ roles: ['ROLE_SAFETY_ADMIN'] }))
    for (const at of [current['@id'], documentOf(current), `${current['@id']}/pdf`])
      expect((await consultant.get(at)).status).toBe(404)
    expect(collectionMembers(await consultant.get(`${DOCUMENTS}?kind=handbook&client=${admin.clientId}`))).toEqual([])
    expect((await (await impersonate(portal, admin)).get(current['@id'])).status).toBe(200)
    expect((await (await company()).admin.api.get(current['@id'])).status).toBe(404)
  })
})

describe('management handbook', () => {
  test('a worker cannot read it through any address, and managers, heads, deputies, human resources and administrators can', async () => {
    const { client, admin, hr, worker, safety, hire } = await company(['employees', 'safety'])
    const [manager, head, deputy] = [
      await hire('ROLE_EMPLOYEE'),
      await hire('ROLE_EMPLOYEE'),
      await hire('ROLE_EMPLOYEE'),
    ]
    const current = await bringIntoForce(hr.api, managementHandbook)
    const statuses = async (api: TestApi) => [
      (await api.get(current['@id'])).status,
      (await api.get(`${current['@id']}/pdf`)).status,
      (await api.get(documentOf(current))).status,
      collectionMembers(await api.get(managementHandbook.resource.url)).length,
      collectionMembers(await api.get(`${DOCUMENTS}?kind=management_handbook&q=managers`)).length,
      (await api.get(`${managementHandbook.resource.url}/export.csv`)).text.split('\n').filter(Boolean).length - 1,
      (await api.get('/api/portal/my_tasks')).body.read?.length,
    ]
    const none = [404, 404, 404, 0, 0, 0, 0]
    const all = [200, 200, 200, 1, 1, 1, 1]
    for (const { api } of [worker, safety, manager, head, deputy]) expect(await statuses(api)).toEqual(none)
    for (const { api } of [admin, hr]) expect(await statuses(api)).toEqual(all)

    expectSuccess(await admin.api.put(worker.iri, { manager: manager.iri }))
    const employee = async (person: { readonly iri: string }, surname: string) =>
      expectSuccess(await admin.api.post('/api/employees/employees', { forename: 'Ed', surname, user: person.iri }))[
        '@id'
      ]
    const department = expectSuccess(
      await admin.api.post('/api/employees/departments', {
        name: 'Roofing',
        head: await employee(head, 'Head'),
        deputy: await employee(deputy, 'Deputy'),
      }),
    )
    for (const { api } of [manager, head, deputy]) expect(await statuses(api)).toEqual(all)
    for (const { api } of [worker, safety]) expect(await statuses(api)).toEqual(none)
    expect((await sign(worker.api, current)).status).toBe(400)
    expectSuccess(await sign(manager.api, current))

    expectSuccess(await admin.api.put(department['@id'], { head: null }))
    expectSuccess(await admin.api.put(worker.iri, { manager: null }))
    for (const { api } of [manager, head]) expect(await statuses(api)).toEqual(none)
    expect(await statuses(await impersonate(portal, worker))).toEqual(none)
    expect(client.id).toBe(worker.clientId)
  })

  test('only managers get requests to sign it, and people who stop managing no longer have one', async () => {
    const { admin, hr, worker, hire } = await company()
    const manager = await hire('ROLE_EMPLOYEE')
    expectSuccess(await admin.api.put(worker.iri, { manager: manager.iri }))
    const current = await bringIntoForce(hr.api, managementHandbook)
    const asked = { document: documentOf(current), due: due() }
    expect((await hr.api.post(SIGN_OFFS, { ...asked, people: [worker.id] })).status).toBe(422)
    const choosable = collectionMembers(await hr.api.get(`${SIGN_OFFS}/people?document=${documentOf(current)}`))
    expect(choosable.map(({ id }: { id: number }) => id).toSorted()).toEqual([admin.id, hr.id, manager.id].toSorted())
    expectSuccess(await hr.api.post(SIGN_OFFS, { ...asked, everybody: true }))
    const people = async () =>
      collectionMembers(await hr.api.get(`/api/safety/sign_off_people?document=${documentOf(current)}`)).map(
        ({ user, state }: { user: { id: number }; state: string }) => [user.id, state],
      )
    expect((await people()).toSorted()).toEqual([admin, hr, manager].map(({ id }) => [id, 'asked']).toSorted())
    expect(collectionMembers(await manager.api.get('/api/safety/sign_off_people/mine'))).toHaveLength(1)
    expectSuccess(await admin.api.put(worker.iri, { manager: null }))
    expect(collectionMembers(await manager.api.get('/api/safety/sign_off_people/mine'))).toEqual([])
    await portal.runSchedule('sign-off.settle')
    expect(await people()).toContainEqual([manager.id, 'out'])
  })

  test('it leaves the company neither by link nor by e-mail', async () => {
    const { hr } = await company()
    const current = await bringIntoForce(hr.api, managementHandbook)
    expect((await hr.api.post(`${documentOf(current)}/signing_link`, {})).status).toBe(409)
    const sent = await hr.api.post('/api/safety/document/send', { document: current['@id'], to: 'a@example.com' })
    expect(sent.status).toBe(409)
  })
})
