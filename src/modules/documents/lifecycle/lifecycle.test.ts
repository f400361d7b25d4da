import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  makeAssessments,
  makeCompleteAssessment,
  makeHazards,
} from '#test/support/assessments.ts'
import { type TestApi, type TestClient, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let client: TestClient
let author: TestApi
let worker: TestApi
let draft: AssessmentHelpers['draft']
let current: AssessmentHelpers['current']

beforeAll(async () => {
  portal = await testPortal()
})

async function world() {
  ;({ client, author, worker, draft, current } = await makeAssessments(portal))
}

describe('a draft document', () => {
  beforeAll(world)

  test('a draft gets the next document number of its client and type, and its rows keep their order', async () => {
    const [a, b] = [await draft(), await draft({ controls: [...makeHazards('Sort order'), ...makeHazards('Second')] })]
    expect([a.documentNumber, b.documentNumber]).toEqual(['RA-0001', 'RA-0002'])
    expect(b).toMatchObject({ revision: 1, state: 'draft', complete: false, current: false })
    expect(b.controls.map((l: { hazardName: string }) => l.hazardName)).toEqual([
      'Sort order',
      'Sort order',
      'Second',
      'Second',
    ])
    expect(b.controls[0]).toMatchObject({
      ranking: 20,
      residualRanking: 5,
      document: b['@id'],
      documentNumber: 'RA-0002',
    })
  })

  test("a draft's list of affected groups is empty if the request omits the groups or sends null or an empty list", async () => {
    const made = await draft({ groupsAffected: undefined })
    const said = [made.groupsAffected]
    for (const groupsAffected of [null, []]) {
      said.push((await author.post(ASSESSMENTS_URL, { description: 'Roof', groupsAffected })).body.groupsAffected)
      said.push((await author.put(made['@id'], { groupsAffected })).body.groupsAffected)
    }
    expect(said).toEqual([[], [], [], [], []])
  })

  test('saving a draft adds, changes and removes individual rows', async () => {
    const made = await draft()
    const [head, control] = made.controls
    const put = await author.put(made['@id'], {
      controls: [
        { ...head, persons: 'Everyone' },
        { hazardName: 'Noise', group: 'Physical' },
      ],
    })
    expect(put.status).toBe(200)
    expect(put.body.controls.map((l: { '@id': string }) => l['@id'])[0]).toBe(head['@id'])
    expect(put.body.controls).toHaveLength(2)
    expect(put.body.controls[0]).toMatchObject({ persons: 'Everyone', hazardName: head.hazardName })
    expect(put.body.controls[1]).toMatchObject({ hazardName: 'Noise', probability: 5, severity: 5, judged: false })
    const gone = await author.get(control['@id'])
    expect(gone.body).toMatchObject({ retired: true })
  })

  test("a draft can't be saved with invalid rows or with another document's rows, and the error gives the path of the invalid value", async () => {
    const made = await draft()
    const wrong = await author.put(made['@id'], { controls: [{ hazardName: 'Noise', probability: 7 }] })
    expect(wrong.status).toBe(422)
    expect(wrong.body.violations[0].propertyPath).toBe('controls[0].probability')
    const other = await draft()
    const taken = await author.put(made['@id'], {
      controls: [{ '@id': other.controls[0]['@id'], hazardName: 'My views' }],
    })
    expect(taken.status).toBe(400)
    expect((await author.put(made['@id'], { controls: [{ hazard: '/api/safety/hazards/999999999' }] })).status).toBe(
      400,
    )
    expect((await author.put(made['@id'], { controls: 'all' })).status).toBe(400)
  })

  test('a draft can refer only to files of its own client', async () => {
    const other = await portal.client()
    const add = async (id: number) => {
      const [row] = await portal.db.tx('system', (tx) =>
        tx.rows<{ id: number }>(
          "INSERT INTO uploaded_document (client_id, name, type, size, checksum, author, user_id, file_key) VALUES ($1, 'a.png', 'image/png', 1, 'x', 'ada', 1, 'k') RETURNING id",
          [id],
        ),
      )
      return row?.id
    }
    const upload = { own: await add(client.id), foreign: await add(other.id) }
    const at = (id: number | undefined) => `/api/safety/uploaded_documents/${id}`
    expect((await draft({ uploadedDocuments: [at(upload.own)] })).uploadedDocuments).toEqual([at(upload.own)])
    const refused = await author.post(
      ASSESSMENTS_URL,
      makeCompleteAssessment({ uploadedDocuments: [at(upload.foreign)] }),
    )
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      400,
      `Item not found for "${at(upload.foreign)}".`,
    ])
    const labelled = { '@id': at(upload.own), label: 'The roof' }
    expect((await draft({ uploadedDocuments: [labelled] })).uploadedDocuments).toEqual([labelled])
  })

  test("a draft can't be completed until its form is complete", async () => {
    const made = await draft({ description: '', controls: [{ hazardName: 'Noise' }], location: null })
    const refused = await author.post(`${made['@id']}/complete`)
    expect(refused.status).toBe(422)
    expect(refused.body.violations.map((v: { propertyPath: string }) => v.propertyPath)).toEqual([
      'description',
      'location',
      'controls[0].probability',
      'controls[0].controlName',
    ])
  })

  test('a draft is visible only to its author and the approvers, at every URL', async () => {
    const made = await draft()
    const colleague = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    const generic = `/api/safety/documents/${made.id}`
    const items = `/api/safety/risk_items?document=${made.id}`
    for (const other of [worker, colleague]) {
      expect((await other.get(made['@id'])).status).toBe(404)
      expect((await other.get(generic)).status).toBe(404)
      expect((await other.get(`${made['@id']}/pdf`)).status).toBe(404)
      expect((await other.get(items)).body['hydra:totalItems']).toBe(0)
    }
    expect((await worker.put(made['@id'], { description: 'My views' })).status).toBe(403)
    expect((await colleague.put(made['@id'], { description: 'My views' })).status).toBe(404)
    expect((await author.get(items)).body['hydra:totalItems']).toBeGreaterThan(0)
  })

  test("employees can read a document in force but can't complete it", async () => {
    const made = await current()
    expect((await worker.get(made['@id'])).status).toBe(200)
    expect((await worker.post(`${made['@id']}/complete`)).status).toBe(403)
  })

  test("filters on the previous revision don't reveal a revision that the user can't read", async () => {
    const first = await current()
    const second = await author.post(`${first['@id']}/revise`, {})
    await author.post(`${second.body['@id']}/complete`)
    await author.post(`${second.body['@id']}/approve`, {})
    const found = async (api: TestApi, query: string) =>
      (await api.get(`${ASSESSMENTS_URL}?id=${second.body.id}&${query}`)).body['hydra:totalItems']
    expect((await worker.get(first['@id'])).status).toBe(404)
    expect(await found(worker, '')).toBe(1)
    for (const query of ['parent.state=replaced', `parent.description=${encodeURIComponent(first.description)}`])
      expect([query, await found(worker, query), await found(author, query)]).toEqual([query, 0, 1])
  })
})

describe('a large assessment', () => {
  beforeAll(world)

  test('an assessment with 300 hazards can be saved, edited, completed, revised and printed', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `Hazard ${i + 1} خطر 🚧`)
    const made = await draft({ description: 'ش'.repeat(500), controls: names.flatMap((name) => makeHazards(name)) })
    expect(made.controls).toHaveLength(600)
    const changed = made.controls.with(300, { ...made.controls[300], persons: 'Only these' })
    const put = await author.put(made['@id'], { controls: changed })
    expect(put.body.controls[300]).toMatchObject({ '@id': made.controls[300]['@id'], persons: 'Only these' })
    expect((await author.post(`${made['@id']}/complete`)).status).toBe(200)
    const next = await author.post(`${made['@id']}/revise`, {})
    expect(next.body.controls).toHaveLength(600)
    const pdf = await author.get(`${made['@id']}/pdf`)
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(await verifyEvidence(portal.engine, client.id)).toMatchObject({ broken: [] })
  })

  test('an assessment over the size limits is rejected with a message', async () => {
    const refused = await author.post(
      ASSESSMENTS_URL,
      makeCompleteAssessment({ controls: Array.from({ length: 1001 }, () => ({ hazardName: 'x' })) }),
    )
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      413,
      expect.stringContaining('at most 1000 rows'),
    ])
    const long = await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ description: 'x'.repeat(501) }))
    expect(long.body.violations[0].propertyPath).toBe('description')
  })
})

describe('a complete revision', () => {
  beforeAll(world)

  test('no request can change a field or row of a complete revision', async () => {
    const made = await draft()
    await author.post(`${made['@id']}/complete`)
    for (const body of [{ description: 'Else' }, { controls: [] }, { location: 'Else' }, { complete: false }])
      expect([body, (await author.put(made['@id'], body)).status]).toEqual([body, 409])
    const line = made.controls[0]['@id']
    expect((await author.put(line, { persons: 'No clients to show' })).status).toBe(409)
    expect((await author.post('/api/safety/risk_items', { document: made['@id'], hazardName: 'New' })).status).toBe(409)
    await expect(
      portal.db.tx({ clientId: client.id }, (tx) =>
        tx.rows("UPDATE document SET content = '{}' WHERE id = $1", [made.id]),
      ),
    ).rejects.toThrow(/sealed/)
    await expect(
      portal.db.tx({ clientId: client.id }, (tx) => tx.rows('DELETE FROM risk_item WHERE document_id = $1', [made.id])),
    ).rejects.toThrow(/sealed/)
    expect((await author.put(made['@id'], { reviewed: true })).body).toMatchObject({ reviewed: true, complete: true })
  })

  test('a complete revision is either approved and becomes current, or rejected with a reason', async () => {
    const made = await current()
    expect(made).toMatchObject({ state: 'current', current: true, approved: true, authorUsername: expect.any(String) })
    expect(made.reviewDue).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect((await author.post(`${made['@id']}/approve`, {})).status).toBe(409)
    const other = await draft()
    await author.post(`${other['@id']}/complete`)
    expect((await author.post(`${other['@id']}/reject`, {})).status).toBe(422)
    const rejected = await author.post(`${other['@id']}/reject`, { note: 'No edge protection' })
    expect(rejected.body).toMatchObject({ state: 'rejected', retired: true, decisionNote: 'No edge protection' })
  })

  test('approving the next revision replaces the previous one', async () => {
    const first = await current()
    const second = await author.post(`${first['@id']}/revise`, { reason: 'New access' })
    expect(second.body).toMatchObject({
      documentNumber: first.documentNumber,
      revision: 2,
      parent: first['@id'],
      state: 'draft',
      reviewReason: 'New access',
    })
    expect(second.body.controls).toHaveLength(2)
    expect(second.body.controls[0]['@id']).not.toBe(first.controls[0]['@id'])
    const twice = await author.post(`${first['@id']}/revise`, {})
    expect([twice.status, twice.body['hydra:description']]).toEqual([
      409,
      expect.stringContaining('already being written'),
    ])
    // A query by document number returns only the rows of the newest revision.
    const lines = await author.get(
      `/api/safety/risk_items?client.id=${client.id}&documentNumber=${first.documentNumber}`,
    )
    expect(lines.body['hydra:member'].map((l: { document: string }) => l.document)).toEqual([
      second.body['@id'],
      second.body['@id'],
    ])
    await author.put(second.body['@id'], { location: 'Unit 5' })
    await author.post(`${second.body['@id']}/complete`)
    expect((await author.get(first['@id'])).body).toMatchObject({ state: 'current' })
    await author.post(`${second.body['@id']}/approve`, { reviewDue: '2030-01-31' })
    expect((await author.get(first['@id'])).body).toMatchObject({ state: 'replaced', current: false })
    const revisions = await author.get(`${ASSESSMENTS_URL}/revision/${first.id}`)
    expect(
      revisions.body['hydra:member'].map((m: { revision: number; state: string }) => [m.revision, m.state]),
    ).toEqual([
      [2, 'current'],
      [1, 'replaced'],
    ])
  })

  test('a revision can be deleted and restored, and only one revision is current', async () => {
    const first = await current()
    const withdrawn = { retired: true, decisionNote: 'The job is over' }
    expect((await author.put(first['@id'], withdrawn)).body).toMatchObject({ retired: true, current: false })
    expect((await author.put(first['@id'], { retired: false })).body).toMatchObject({
      current: true,
      decisionNote: null,
    })
    expect((await author.post(`${first['@id']}/withdraw`, { note: '' })).status).toBe(422)
    await author.post(`${first['@id']}/withdraw`, { note: 'The job is over' })
    const next = (await author.post(`${first['@id']}/revise`, {})).body
    await author.post(`${next['@id']}/complete`)
    await author.post(`${next['@id']}/approve`, {})
    expect((await author.put(first['@id'], { retired: false })).body).toMatchObject({
      state: 'replaced',
      current: false,
    })
  })

  test("a deleted draft can't be restored while its number has another draft, individually or in bulk", async () => {
    const first = await current()
    const revised = async () => (await author.post(`${first['@id']}/revise`, {})).body
    const gone = await revised()
    await author.put(gone['@id'], { retired: true })
    const next = await revised()
    const refused = await author.put(gone['@id'], { retired: false })
    const said = `Revision ${next.revision} of ${first.documentNumber} is already being written by ${next.author}. Please continue with that draft.`
    expect([refused.status, refused.body.detail]).toEqual([409, said])
    const bulk = await author.post(`${ASSESSMENTS_URL}/bulk`, { ids: [gone.id], action: 'restore' })
    expect(bulk.text).toContain(said)
    await author.put(next['@id'], { retired: true })
    expect((await author.put(gone['@id'], { retired: false })).body).toMatchObject({ state: 'draft', retired: false })
  })

  test('a next revision can also be saved as a new record with a parent', async () => {
    const first = await current()
    const model = (await author.get(`${ASSESSMENTS_URL}/${first.id}/review`)).body
    expect(model).toMatchObject({ documentNumber: first.documentNumber, parent: first['@id'] })
    expect(model.controls[0]).not.toHaveProperty('@id')
    const { '@id': _, ...rest } = model
    const saved = await author.post(ASSESSMENTS_URL, { ...rest, complete: true })
    expect(saved.body).toMatchObject({ revision: 2, state: 'complete', parent: first['@id'], seal: expect.any(String) })
    const copy = (await author.get(`${ASSESSMENTS_URL}/${first.id}/copy`)).body
    expect(copy).toMatchObject({ documentNumber: null, parent: null })
  })
})

describe('a new document', () => {
  test('a new document starts with the default statements', async () => {
    await world()
    const model = (await author.get(`${ASSESSMENTS_URL}/create_new`)).body
    expect(model).toMatchObject({ complete: false, documentNumber: null })
    // People at risk have no default.
    expect(model.groupsAffected ?? []).toEqual([])
    const empty = await author.post(ASSESSMENTS_URL, { description: 'Ladders' })
    expect(empty.body.groupsAffected).toEqual([])
    expect((await author.put(empty.body['@id'], { groupsAffected: null })).body.groupsAffected).toEqual([])
    expect(model.methodStatement.defaultStatements.length).toBeGreaterThan(5)
    expect(model.methodStatement.defaultStatements[0]).toEqual({
      '@id': expect.stringMatching(/standard_statements/),
      title: expect.any(String),
      text: expect.stringContaining('<p>'),
    })
    const { '@id': _, ...body } = model
    expect((await author.post(ASSESSMENTS_URL, body)).body.methodStatement).toEqual(model.methodStatement)
    // Omitted statements are set to the defaults; an explicitly empty list stays empty.
    expect(empty.body.methodStatement).toEqual(model.methodStatement)
    const none = { defaultStatements: [], nonDefaultStatements: [], taskSelection: [] }
    expect(
      (await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ methodStatement: none }))).body.methodStatement,
    ).toEqual(none)
  })
})

describe("other clients' documents", () => {
  test("users of other clients can't see, change or sign a document", async () => {
    await world()
    const made = await current()
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    for (const path of ['', '/pdf', '/copy', '/review', `/${other.id}/copyTo`])
      expect([path, (await stranger.get(`${made['@id']}${path}`)).status]).toEqual([path, 404])
    expect((await stranger.put(made['@id'], { reviewed: true })).status).toBe(404)
    expect((await stranger.post(`${made['@id']}/revise`)).status).toBe(404)
    expect((await stranger.post(ASSESSMENTS_URL, { description: 'My views', parent: made['@id'] })).status).toBe(400)
    const signed = await stranger.post('/api/safety/signatures', {
      document: `/api/safety/documents/${made.id}`,
      name: 'X',
      method: 'typed',
    })
    expect(signed.status).toBe(400)
    const sent = await stranger.post('/api/safety/document/send', { document: made['@id'], to: 'a@b.example' })
    expect(sent.status).toBe(404)
  })

  test("clients can read and copy provider templates but can't change them", async () => {
    await world()
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const template = (
      await keeper.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true, complete: true, approved: true }))
    ).body
    expect(template).toMatchObject({ state: 'current', isTemplate: true })
    const listed = await author.get(`${ASSESSMENTS_URL}/templates?isTemplate=true&complete=true&client.id=0`)
    expect(listed.body['hydra:member'].map((m: { id: number }) => m.id)).toContain(template.id)
    expect((await author.put(template['@id'], { reviewed: true })).status).toBe(403)
    expect((await author.post(`${template['@id']}/revise`)).status).toBe(403)
    const model = (await author.get(`${template['@id']}/copy`)).body
    const { '@id': _, ...rest } = model
    expect((await author.post(ASSESSMENTS_URL, rest)).body).toMatchObject({
      documentNumber: 'RA-0001',
      isTemplate: false,
    })
    // A provider user copies the template to a client.
    const { '@id': __, ...theirs } = (await keeper.get(`${template['@id']}/${client.id}/copyTo`)).body
    const given = await keeper.post(ASSESSMENTS_URL, theirs)
    expect([given.status, given.body.client]).toEqual([201, client.iri])
    expect((await author.get(`${template['@id']}/0/copyTo`)).status).toBe(403)
  })
})
