import { describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { policy } from './policy.ts'

const portal = await testPortal()
const at = (path: string) => `/api/safety/${path}`
const LIST = at('policies')
const whole = makeCompleteDocumentBody(policy)

async function company() {
  const client = await portal.client()
  const person = async (...roles: string[]) => client.as(await client.user({ roles }))
  return {
    client,
    admin: await person('ROLE_CLIENT_ADMIN'),
    author: await person('ROLE_SAFETY_AUTHOR'),
    worker: await person('ROLE_EMPLOYEE'),
  }
}

const begin = async (api: TestApi, more: Record<string, unknown> = {}) => {
  const made = await api.post(LIST, { ...whole, ...more })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return made.body
}
/** Creates a policy as the specification describes: the first save completes the policy and the second accepts it. */
const accepted = async (api: TestApi, more: Record<string, unknown> = {}) => {
  const made = await begin(api, more)
  const done = await api.put(made['@id'], { complete: true, approved: true })
  expect([done.status, done.text]).toEqual([200, expect.anything()])
  return done.body
}
const ids = (answer: { body: { 'hydra:member': { id: number }[] } }) => answer.body['hydra:member'].map((m) => m.id)
const titles = (answer: { body: { 'hydra:member': { title: string }[] } }) =>
  answer.body['hydra:member'].map((m) => m.title)
const wrongIn = (answer: { body: { violations?: { propertyPath: string; message: string }[] } }) =>
  answer.body.violations?.map((v) => [v.propertyPath, v.message])

describe('policy API routes fixed by the specification', () => {
  test('the specified routes return a policy to its own company only, and a draft to authors only', async () => {
    const { admin, author, worker } = await company()
    const stranger = (await company()).admin
    const draft = await begin(author)
    const current = await accepted(admin)
    expect(current).toMatchObject({
      documentNumber: expect.stringMatching(/^PO-\d{4}$/),
      current: true,
      complete: true,
      approved: true,
      authorUsername: expect.any(String),
    })
    expect(ids(await admin.get(`${LIST}/list`)).sort()).toEqual([draft.id, current.id].sort())
    expect([ids(await worker.get(`${LIST}/list`)), ids(await stranger.get(`${LIST}/list`))]).toEqual([[current.id], []])
    for (const [api, one] of [
      [worker, draft],
      [stranger, current],
    ] as const)
      expect((await api.get(one['@id'])).status).toBe(404)
    expect((await stranger.put(current['@id'], { retired: true })).status).toBe(404)
    expect((await worker.post(LIST, whole)).status).toBe(403)
    expect((await author.get(`${LIST}/schema`)).body.steps.map((s: { name: string }) => s.name)).toEqual([
      'intent',
      'organisation',
      'arrangements',
      'files',
    ])
    expect((await author.get(`${LIST}/model`)).body).toMatchObject({
      organisation: [],
      complete: false,
      retired: false,
    })
    expect((await admin.get(`${current['@id']}/pdf`)).status).toBe(200)
  })

  test('the current policy is the one in force, or otherwise the latest completed one that is not retired', async () => {
    const { admin, worker } = await company()
    const current = async (api: TestApi) => ids(await api.get(`${LIST}/list?current=1`))
    expect(await current(admin)).toEqual([])
    const first = await begin(admin)
    const second = await begin(admin)
    expect(await current(admin)).toEqual([])
    for (const one of [first, second]) await admin.put(one['@id'], { complete: true })
    expect([await current(admin), await current(worker)]).toEqual([[second.id], []])
    expect(ids(await admin.get(`${LIST}/list?complete=1&retired=0&order[id]=desc`))).toEqual([second.id, first.id])
    await admin.put(first['@id'], { approved: true })
    expect([await current(admin), await current(worker)]).toEqual([[first.id], [first.id]])
    await admin.put(second['@id'], { approved: true })
    expect(await current(worker)).toEqual([second.id])
    expect((await admin.get(first['@id'])).body).toMatchObject({ state: 'replaced', current: false })
  })

  test('rejecting a policy retires it with a reason, and copying a policy creates a draft owned by the user', async () => {
    const { admin, author } = await company()
    const made = await begin(author, { complete: true })
    expect((await author.post(`${made['@id']}/reject`, { note: 'No' })).status).toBe(403)
    expect((await admin.post(`${made['@id']}/reject`, { note: 'The names are out of date' })).body).toMatchObject({
      retired: true,
      state: 'rejected',
    })
    const { '@id': _, ...model } = (await admin.get(`${made['@id']}/copy`)).body
    expect([model.id, model.client, model.documentNumber]).toEqual([undefined, undefined, null])
    expect((await author.post(LIST, model)).body.author).not.toBe((await admin.post(LIST, model)).body.author)
  })

  test('a policy is returned with the holder of each function, and the title and text of each arrangement', async () => {
    const { admin } = await company()
    const made = await begin(admin, {
      intent: '',
      organisation: [{ function: 'Site Manager', person: ' ', responsibilities: '' }, {}],
      arrangements: [{ title: 'Fire' }],
    })
    const refused = await admin.post(`${made['@id']}/complete`)
    expect(refused.status).toBe(422)
    expect(wrongIn(refused)).toEqual([
      ['intent', 'Field required, please enter text'],
      ['organisation[0].person', 'Item is required'],
      ['organisation[0].responsibilities', 'Item is required'],
      ['organisation[1].function', 'Item is required'],
      ['organisation[1].person', 'Item is required'],
      ['organisation[1].responsibilities', 'Item is required'],
      ['arrangements[0].text', 'Item is required'],
    ])
    expect((await admin.put(made['@id'], { ...whole })).status).toBe(200)
    expect((await admin.post(`${made['@id']}/complete`)).body.state).toBe('complete')
  })
})

describe("a company's first policy", () => {
  test("policy setup creates a single draft for the company's trade, with functions and arrangements to be confirmed", async () => {
    const { admin, author, worker, client } = await company()
    expect((await worker.post(at('setup_policy'))).status).toBe(403)
    const [trade] = (await admin.get(at('risk_industries?name=Construction'))).body['hydra:member']
    const made = await author.post(at('setup_policy'), { industry: trade['@id'] })
    expect([made.status, made.body.title, made.body.state]).toEqual([
      201,
      'Health and safety policy of a contractor',
      'draft',
    ])
    expect(made.body.organisation[0]).toMatchObject({ function: 'Managing Director', person: null })
    expect(made.body.unconfirmed).toEqual(expect.arrayContaining(['organisation', 'arrangements']))
    expect(titles({ body: { 'hydra:member': made.body.arrangements } })).toContain('Working at height')
    const again = await admin.post(at('setup_policy'))
    expect([again.status, again.body.id]).toEqual([200, made.body.id])
    const colleague = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    expect((await colleague.post(at('setup_policy'))).status).toBe(409)
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const kept = await keeper.post(at('setup_policy'), { client: client.iri })
    expect([kept.status, kept.body.id]).toEqual([200, made.body.id])
    const other = (await company()).client
    expect((await keeper.post(at('setup_policy'), { client: other.iri })).body).toMatchObject({
      title: 'Health and safety policy',
      client: other.iri,
    })
    expect((await admin.post(at('setup_policy'), { client: other.iri })).status).toBe(400)
  })

  test('policy setup returns the policy in force, not the policy that it replaced', async () => {
    const { admin } = await company()
    const first = await accepted(admin)
    const next = (await admin.post(`${first['@id']}/revise`, {})).body
    await admin.put(next['@id'], { complete: true, approved: true })
    const again = await admin.post(at('setup_policy'))
    expect([again.status, again.body.id]).toEqual([200, next.id])
  })
})

describe('policy arrangements and functions in the library', () => {
  test("a company sees its own arrangements and the provider's shared arrangements, but no other company's", async () => {
    const { admin, author, worker } = await company()
    const stranger = (await company()).admin
    const all = async (api: TestApi, q = '') => titles(await api.get(at(`policy_arrangements?itemsPerPage=100${q}`)))
    expect(await all(author)).toContain('Fire safety')
    expect(await all(author)).not.toContain('Lifting operations')
    const made = await author.post(at('policy_arrangements'), {
      title: 'Quarry edge',
      description: '<p>Nobody goes near it.</p>',
      shareAll: true,
    })
    // Only the provider can share an arrangement with all clients.
    expect([made.status, made.body.shareAll]).toEqual([201, false])
    expect([await all(worker, '&title=quarry'), await all(stranger, '&title=quarry')]).toEqual([['Quarry edge'], []])
    expect((await worker.post(at('policy_arrangements'), { title: 'x', description: 'y' })).status).toBe(403)
    expect((await stranger.put(made.body['@id'], { title: 'Ours' })).status).toBe(404)
    expect((await admin.put(made.body['@id'], { title: 'Quarry edges' })).body.title).toBe('Quarry edges')
    const [fire] = (await admin.get(at('policy_arrangements?title=fire'))).body['hydra:member']
    expect((await admin.put(fire['@id'], { title: 'Ours' })).status).toBe(403)
    expect(wrongIn(await author.post(at('policy_arrangements'), {}))).toEqual([
      ['title', 'Item is required'],
      ['description', 'Item is required'],
    ])
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
    expect(await all(keeper, '&shareAll=false')).toContain('Lifting operations')
    const [hidden] = (await keeper.get(at('policy_arrangements?title=lifting'))).body['hydra:member']
    expect((await admin.get(hidden['@id'])).status).toBe(404)
    expect((await keeper.get(at('policy_arrangement_alls?title=lifting'))).status).toBe(403)
    expect((await admin.get(at('policy_arrangement_alls?title=lifting'))).status).toBe(403)
  })

  test("provider users find unshared arrangements only while they impersonate a client's user", async () => {
    const { client } = await company()
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    const person = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const to = new URLSearchParams({ username: person.username, client: String(client.id), reason: 'Policy' })
    const switched = await portal.provider.as(staff).get(`/api/security/user/switch?${to}`)
    expect(switched.status).toBe(200)
    const visitor = portal.bearing(switched.body.token)
    const found = await visitor.get(at('policy_arrangement_alls?title=lifting'))
    expect([found.status, titles(found)]).toEqual([200, ['Lifting operations']])
    expect((await visitor.get(found.body['hydra:member'][0]['@id'])).status).toBe(200)
    expect(titles(await visitor.get(at('policy_arrangements?title=lifting')))).toEqual([])
  })

  test("other companies can read the default functions, but not a company's own functions and people", async () => {
    const { author, worker } = await company()
    const stranger = (await company()).author
    const [manager] = (await author.get(at('policy_functions?title=site manager'))).body['hydra:member']
    expect(manager).toMatchObject({
      title: 'Site Manager',
      responsibilities: expect.arrayContaining(['Reports accidents']),
    })
    for (const path of ['policy_functions', 'policy_people']) {
      const made = await author.post(at(path), { title: `Ours ${path}` })
      expect(made.status).toBe(201)
      expect(titles(await author.get(at(`${path}?title=ours`)))).toEqual([`Ours ${path}`])
      expect(titles(await stranger.get(at(`${path}?title=ours`)))).toEqual([])
      expect((await worker.post(at(path), { title: 'My views' })).status).toBe(403)
      expect(wrongIn(await author.post(at(path), { title: ' ' }))).toEqual([['title', 'Item is required']])
    }
  })
})

describe("a policy revision's change category", () => {
  test("the author proposes a revision's change category and the approver confirms it; only a minor change carries signatures forward", async () => {
    const { admin, author, worker, client } = await company()
    const first = await accepted(admin)
    const sign = (one: { id: number }) =>
      worker.post(at('signatures'), { document: at(`documents/${one.id}`), method: 'typed' })
    const toSign = async () => ids(await worker.get(at('documents/to_sign')))
    const next = async (of: { '@id': string }, change?: string) => {
      const draft = (await author.post(`${of['@id']}/revise`, {})).body
      const done = await author.post(`${draft['@id']}/complete`, change ? { change } : {})
      expect([done.status, done.body.change ?? null]).toEqual([200, change ?? null])
      return done.body
    }
    expect(await toSign()).toEqual([first.id])
    expect((await sign(first)).status).toBe(201)
    const minor = (await admin.post(`${(await next(first, 'minor'))['@id']}/approve`, {})).body
    expect([minor.change, await toSign()]).toEqual(['minor', []])
    const material = (await admin.put((await next(minor, 'material'))['@id'], { approved: true })).body
    expect([material.change, await toSign()]).toEqual(['material', [material.id]])
    await sign(material)
    const overruled = (await admin.post(`${(await next(material, 'minor'))['@id']}/approve`, { change: 'material' }))
      .body
    expect([overruled.change, await toSign()]).toEqual(['material', [overruled.id]])
    const unmarked = (await admin.post(`${(await next(overruled))['@id']}/approve`, {})).body
    expect(unmarked.change).toBe('material')
    expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  })

  test('the first revision of a policy has no change category', async () => {
    const { author } = await company()
    const made = await begin(author)
    const refused = await author.post(`${made['@id']}/complete`, { change: 'minor' })
    expect([refused.status, wrongIn(refused)?.[0]?.[0]]).toEqual([422, 'change'])
  })
})

test("an impersonator can draft a policy, but can't set who signs it or when", async () => {
  const client = await portal.client()
  const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const draft = await begin(client.as(user))
  const api = await impersonate(portal, user)
  for (const change of [{ signatory: 'Ann Carter' }, { jobTitle: 'Director' }, { signedOn: '2026-01-31' }]) {
    expect((await api.patch(draft['@id'], change)).body.code).toBe('in_person')
    expect((await api.put(draft['@id'], { ...draft, ...change })).body.code).toBe('in_person')
    expect((await api.post(LIST, { title: 'Signed', ...change })).body.code).toBe('in_person')
  }
  expect((await api.put(draft['@id'], { ...draft, intent: '<p>We care.</p>' })).status).toBe(200)
})
