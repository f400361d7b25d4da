import { describe, expect, test } from 'vitest'
import {
  ASSESSMENTS_URL,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
  makeHazards,
} from '#test/support/assessments.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { coshhAssessment } from '../coshh/coshh-assessment.ts'
import { policy } from '../policies/policy.ts'

const portal = await testPortal()
const at = (path: string) => `/api/safety/${path}`
const coshh = makeCompleteDocumentBody(coshhAssessment)
const [thinners] = coshh.substances as Record<string, unknown>[]

interface Listed {
  readonly body: { readonly 'hydra:totalItems': number; readonly 'hydra:member': { id: number; name?: string }[] }
}
const ids = (answer: Listed) => answer.body['hydra:member'].map(({ id }) => id).sort((a, b) => a - b)
const sorted = (...all: { readonly id: number }[]) => all.map(({ id }) => id).sort((a, b) => a - b)
const made = async (api: TestApi, path: string, body: Record<string, unknown>) => {
  const answer = await api.post(path.startsWith('/') ? path : at(path), body)
  expect([answer.status, answer.text]).toEqual([201, expect.anything()])
  return answer.body as { readonly '@id': string; readonly id: number } & Record<string, never>
}
const done = async (api: TestApi, one: { '@id': string }, ...acts: string[]) => {
  let last = one
  for (const act of acts) {
    const answer = await api.post(`${last['@id']}/${act}`, {})
    expect([act, answer.status, answer.text]).toEqual([act, 200, expect.anything()])
    last = answer.body
  }
  return last as typeof one & { id: number } & Record<string, never>
}
const used = async (api: TestApi, item: { '@id': string }, query = '') =>
  ids(await api.get(`${item['@id']}/where_used${query}`))

/** Creates a company with its own hazard and control. */
async function company() {
  const own = await makeAssessments(portal)
  const keeper = own.client.as(
    await own.client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'], name: 'Kay Keeper' }),
  )
  const group = await made(keeper, 'hazard_groups', { name: 'Height' })
  const hazard = await made(keeper, 'hazards', {
    name: `Falls ${own.client.id}`,
    description: 'From roofs',
    group: group['@id'],
  })
  const control = await made(keeper, 'hazard_controls', { name: 'Nets', hazard: hazard['@id'] })
  const [head, line] = makeHazards()
  const controls = [
    { ...head, hazard: hazard['@id'] },
    { ...line, hazard: hazard['@id'], control: control['@id'] },
  ]
  return { ...own, keeper, hazard, control, controls }
}

describe('documents that use a library item', () => {
  test('a document counts as using a library item regardless of how the item was added, until it is removed', async () => {
    const { author, keeper, client, hazard, control, controls, draft, inForce } = await company()
    const posted = await draft({ controls })
    const put = await draft()
    expect((await author.put(put['@id'], { controls })).status).toBe(200)
    const lined = await draft()
    await made(author, 'risk_items', { document: lined['@id'], hazard: hazard['@id'], control: control['@id'] })
    const current = await inForce(await draft({ controls }))
    const { '@id': _, ...model } = (await author.get(`${current['@id']}/copy`)).body
    const copy = await made(author, ASSESSMENTS_URL, model)
    const revised = await done(author, current, 'revise')
    const all = sorted(posted, put, lined, current, copy, revised)
    for (const item of [hazard, control]) expect(await used(author, item)).toEqual(all)

    // A document from a provider's template to which a shared hazard was added later. The document uses the hazard only
    // once the update is accepted.
    const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const [shared] = (await author.get(at('hazards?client=0&itemsPerPage=1'))).body['hydra:member']
    const body = makeCompleteAssessment({ isTemplate: true })
    const template = await done(provider, await made(provider, ASSESSMENTS_URL, body), 'complete', 'approve')
    const { '@id': __, ...begun } = (await author.get(`${template['@id']}/${client.id}/copyTo`)).body
    const from = await made(author, ASSESSMENTS_URL, begun)
    const next = await done(provider, template, 'revise')
    const lines = [
      ...(next.controls as unknown as object[]),
      ...makeHazards('Noise').map((one) => ({ ...one, hazard: shared['@id'] })),
    ]
    expect((await provider.put(next['@id'], { controls: lines })).status).toBe(200)
    const improved = await done(provider, next, 'complete', 'approve')
    const { changes } = (await author.get(`${documentIri(from)}/improvements`)).body
    expect(await used(author, shared, `?client=${client.id}`)).toEqual([])
    const keys = changes.map(({ key }: { key: string }) => key)
    const taken = await author.post(`${documentIri(from)}/take_improvements`, { template: documentIri(improved), keys })
    expect([taken.status, taken.text]).toEqual([200, expect.anything()])
    expect(await used(author, shared, `?client=${client.id}`)).toEqual([from.id])

    expect((await author.put(put['@id'], { controls: makeHazards() })).status).toBe(200)
    expect(await used(author, control)).toEqual(all.filter((id) => id !== put.id))
    await keeper.put(lined['@id'], { retired: true })
    expect(await used(author, control)).toEqual(all.filter((id) => id !== put.id && id !== lined.id))
    expect(await used(author, control, '?retired=true')).toEqual([lined.id])
    // Uses are still listed after the item is retired.
    expect((await keeper.put(control['@id'], { retired: true })).status).toBe(200)
    expect(await used(author, control)).toHaveLength(all.length - 2)
  })

  test("a library item's uses are listed for protective equipment, substances, arrangements, statements and tasks", async () => {
    const { author, draft } = await company()
    const [worn] = (await author.get(at('ppes?itemsPerPage=1'))).body['hydra:member']
    const own = await made(author, 'ppes', { name: 'Our own visor', image: worn.image })
    const item = { id: own.id, label: 'Visor', image: worn.image }
    const risk = await draft({ ppe: [own.id], ppeItems: [item] })
    const substance = await made(author, 'substances', { name: 'Thinners', form: 'liquid' })
    const made1 = { ...thinners, substance: substance['@id'] }
    const assessed = await made(author, 'coshh_assessments', { ...coshh, worn: [item], substances: [made1] })
    expect(await used(author, own)).toEqual(sorted(risk, assessed))
    expect(await used(author, substance)).toEqual([assessed.id])

    const arrangement = await made(author, 'policy_arrangements', { title: 'Cranes', description: '<p>By plan</p>' })
    const row = { arrangement: arrangement['@id'], title: 'Cranes', text: '<p>By plan</p>' }
    const ours = await made(author, 'policies', { ...makeCompleteDocumentBody(policy), arrangements: [row] })
    expect(await used(author, arrangement)).toEqual([ours.id])
    expect((await author.put(ours['@id'], { arrangements: [{ ...row, arrangement: '' }] })).status).toBe(200)
    expect(await used(author, arrangement)).toEqual([])

    const said = { title: 'Permits first', text: '<p>Ask for a permit.</p>' }
    for (const [path, list] of [
      ['standard_statements', 'nonDefaultStatements'],
      ['tasks', 'taskSelection'],
    ] as const) {
      const one = await made(author, path, said)
      const method = { defaultStatements: [], nonDefaultStatements: [], taskSelection: [] }
      const doc = await draft({ methodStatement: { ...method, [list]: [{ '@id': one['@id'], ...said }] } })
      expect(await used(author, one)).toEqual([doc.id])
    }
  })

  test("the list of a library item's uses shows each site and omits documents that the user may not read", async () => {
    const { author, worker, controls, control, client, draft, inForce } = await company()
    const writes = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    const begun = await draft({ controls })
    const current = await inForce(await draft({ controls, location: 'Unit 9' }))
    const forFew = await inForce(await draft({ controls, audience: ['ROLE_CLIENT_ADMIN'] }))
    const answer = await worker.get(`${control['@id']}/where_used`)
    expect([answer.body['hydra:totalItems'], answer.body['hydra:member']]).toEqual([
      1,
      [expect.objectContaining({ id: current.id, location: 'Unit 9', state: 'current' })],
    ])
    expect(await used(writes, control)).toEqual([current.id])
    expect(await used(author, control)).toEqual(sorted(begun, current, forFew))
    const stranger = (await company()).author
    for (const path of ['where_used', 'held_in', 'signed_by']) {
      expect((await stranger.get(`${control['@id']}/${path}`)).status).toBe(404)
      expect((await portal.anonymous.get(`${control['@id']}/${path}`)).status).toBe(401)
    }
  })

  test("a client sees its own uses of a provider's item, and the provider's document managers see all clients' uses", async () => {
    const [a, b] = [await company(), await company()]
    const hazard = (await a.author.get(at('hazards?client=0&itemsPerPage=2'))).body['hydra:member'][1]
    const [head] = makeHazards()
    const lines = [{ ...head, hazard: hazard['@id'] }]
    const ofA = await a.draft({ controls: lines })
    const ofB = await b.inForce(await b.draft({ controls: [...lines, { ...makeHazards()[1], hazard: hazard['@id'] }] }))
    expect(await used(a.author, hazard, `?client=${a.client.id}`)).toEqual([ofA.id])
    expect(await used(a.author, hazard, `?client=${b.client.id}`)).toEqual([])
    expect(await used(b.author, hazard, `?client=${b.client.id}`)).toEqual([ofB.id])
    const keeps = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const both = `?client[]=${a.client.id}&client[]=${b.client.id}`
    expect(await used(keeps, hazard, both)).toEqual(sorted(ofA, ofB))
    expect(await used(staff, hazard, both)).toEqual([])
  })
})

describe('packs, assessments and signatories of documents that use a library item', () => {
  test('packs and assessments that include a document using the item are listed, unless the user may not read that document', async () => {
    const { author, worker, controls, control, draft, inForce } = await company()
    const risk = await inForce(await draft({ controls }))
    const around = await inForce(await draft({ associated: [{ target: documentIri(risk) }] }))
    const pack = await made(author, 'rams_packs', {
      description: 'Mill roof',
      location: 'The mill',
      supervisor: 'Sam',
      papers: [{ target: documentIri(around) }],
    })
    const held = async (api: TestApi, query = '') => ids(await api.get(`${control['@id']}/held_in${query}`))
    expect(await held(author)).toEqual(sorted(around, pack))
    expect(await held(author, '?kind=rams_pack')).toEqual([pack.id])
    expect(await held(worker)).toEqual([around.id])
    // The document in between can now be read only by administrators.
    const packed = await inForce(pack)
    expect(await held(worker)).toEqual(sorted(around, packed))
    expect((await author.put(around['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })).status).toBe(200)
    expect(await held(worker)).toEqual([])
    expect(await held(author)).toEqual(sorted(around, packed))
  })

  test('each signatory of the documents in force is listed once, even if the signature was carried forward by a minor change', async () => {
    const { author, worker, control, controls, draft, inForce } = await company()
    const [one, two] = [await inForce(await draft({ controls })), await inForce(await draft({ controls }))]
    const other = await inForce(await draft())
    const sign = async (api: TestApi, on: { id: number }) =>
      expect((await api.post(at('signatures'), { document: documentIri(on), method: 'typed', name: '' })).status).toBe(
        201,
      )
    for (const on of [one, two, other]) await sign(worker, on)
    await sign(author, one)
    const signers = async (api: TestApi = author) => {
      const { body } = await api.get(`${control['@id']}/signed_by`)
      const people = body['hydra:member'].map((p: { name: string; documents: number }) => [p.name, p.documents])
      return [body['hydra:totalItems'], people]
    }
    const both = [
      2,
      [
        ['Ada Admin', 1],
        ['Will Worker', 2],
      ],
    ]
    expect(await signers()).toEqual(both)
    const next = await done(author, two, 'revise')
    const completed = await author.post(`${next['@id']}/complete`, { change: 'minor' })
    expect(completed.status).toBe(200)
    await done(author, next, 'approve')
    expect(await signers()).toEqual(both)
    expect((await author.put(one['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })).status).toBe(200)
    expect(await signers(worker)).toEqual([1, [['Will Worker', 1]]])
  })
})
