import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
  makeHazards,
} from '#test/support/assessments.ts'
import { type TestApi, type TestClient, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let client: TestClient
let author: TestApi
let draft: AssessmentHelpers['draft']
let current: AssessmentHelpers['current']

beforeAll(async () => {
  portal = await testPortal()
  ;({ client, author, draft, current } = await makeAssessments(portal))
})

interface ControlLine {
  readonly '@id': string
  readonly unconfirmed: boolean
  readonly [name: string]: unknown
}

const ASSESSMENT_INPUT = {
  startDate: '2026-03-02',
  firstAider: 'Bethan Davies',
  controls: [...makeHazards('Falls'), ...makeHazards('Noise')],
}
const copyOf = async (source: { '@id': string }, more: Record<string, unknown> = {}) => {
  const { '@id': _, ...model } = (await author.get(`${source['@id']}/copy`)).body
  return author.post(ASSESSMENTS_URL, { ...model, description: 'A copy', ...more })
}
/** Inserts a minimal uploaded file of a client. */
const upload = async (clientId: number) => {
  const [row] = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      "INSERT INTO uploaded_document (client_id, name, type, size, checksum, author, user_id, file_key) VALUES ($1, 'a.png', 'image/png', 1, 'x', 'ada', 1, 'k') RETURNING id",
      [clientId],
    ),
  )
  return { '@id': `/api/safety/uploaded_documents/${row?.id}` }
}
const hazardBy = async (sql: string, values: readonly unknown[] = []) => {
  const [row] = await portal.db.tx('owner', (tx) => tx.rows<{ id: number }>(sql, values))
  return `/api/safety/hazards/${row?.id}`
}
const hazardOf = (clientId: number) =>
  hazardBy(
    `WITH g AS (INSERT INTO hazard_group (client_id, name) VALUES ($1, 'Height') RETURNING id)
     INSERT INTO hazard (client_id, name, description, group_id) SELECT $1, 'Falls', '', g.id FROM g RETURNING id`,
    [clientId],
  )
/** Finds a hazard in the shared library, because a client's own hazard would appear in other tests. */
const hazardOfAll = () => hazardBy('SELECT id FROM hazard WHERE client_id = 0 ORDER BY id LIMIT 1')
const missing = (answer: { body: { violations?: { propertyPath: string }[] } }) =>
  answer.body.violations?.map((v) => v.propertyPath)
/** Includes `methodStatement`, because every new document contains the default statements. */
const OPEN = ['location', 'startDate', 'groupsAffected', 'firstAider', 'methodStatement']
const ALL_MISSING_PATHS = ['controls[0].unconfirmed', 'controls[2].unconfirmed', ...OPEN]

describe('a copied document', () => {
  test('a copy starts with unconfirmed place, date, people and ratings, regardless of the request', async () => {
    const source = await draft(ASSESSMENT_INPUT)
    const { body } = await copyOf(source, { unconfirmed: [], confirmed: { location: { by: 'me' } } })
    expect(body).toMatchObject({
      origin: `/api/safety/documents/${source.id}`,
      copiedFrom: `${source.documentNumber} revision 1`,
    })
    const template = await copyOf(await draft({ ...ASSESSMENT_INPUT, isTemplate: true }))
    expect(template.body.copiedFrom).toBe('the template “Roof repairs”')
    expect([body.unconfirmed, body.confirmed]).toEqual([OPEN, {}])
    expect(body.controls.map((l: ControlLine) => l.unconfirmed)).toEqual([true, true, true, true])
    const own = await draft(ASSESSMENT_INPUT)
    expect((await author.put(body['@id'], { origin: `/api/safety/documents/${own.id}` })).status).toBe(409)
    expect([own.unconfirmed, own.copiedFrom, own.controls[0].unconfirmed]).toEqual([[], '', false])
  })

  test("a copy with unconfirmed answers can't be completed by any route, and the error names them", async () => {
    const source = await draft(ASSESSMENT_INPUT)
    const { body: made } = await copyOf(source)
    const action = await author.post(`${made['@id']}/complete`)
    expect([action.status, missing(action)?.sort()]).toEqual([422, [...ALL_MISSING_PATHS].sort()])
    expect(action.body.violations).toContainEqual(
      expect.objectContaining({
        propertyPath: 'controls[2].unconfirmed',
        message: `Noise: copied from ${source.documentNumber} revision 1: is this still correct?`,
      }),
    )
    for (const answer of [
      await author.put(made['@id'], { complete: true }),
      await author.put(made['@id'], { complete: true, approved: true }),
      await copyOf(source, { complete: true }),
      await copyOf(source, { complete: true, approved: true }),
    ])
      expect([answer.status, missing(answer)?.sort()]).toEqual([422, [...ALL_MISSING_PATHS].sort()])
  })

  test('copied answers and hazards are confirmed individually, either explicitly or by a change', async () => {
    const { body: made } = await copyOf(await draft(ASSESSMENT_INPUT))
    const put = async (body: Record<string, unknown>) => (await author.put(made['@id'], body)).body
    expect((await put({ location: 'Unit 9' })).unconfirmed).toEqual(OPEN.slice(1))
    // Confirmed answers stay confirmed.
    expect((await put({ unconfirmed: ['location', 'startDate', 'groupsAffected'] })).unconfirmed).toEqual([
      'startDate',
      'groupsAffected',
    ])
    const done = await put({ unconfirmed: [] })
    expect(done.unconfirmed).toEqual([])
    expect(Object.keys(done.confirmed).sort()).toEqual([...OPEN].sort())
    expect(done.confirmed.location).toEqual({ by: expect.any(String), at: expect.any(String) })
    // One hazard is confirmed by changing its text, the other by changing its rating. Other changes confirm nothing.
    const lines: ControlLine[] = done.controls
    const worded = await put({ controls: lines.map((l) => ({ ...l, persons: 'Everyone' })) })
    expect(worded.controls.every((l: ControlLine) => l.unconfirmed)).toBe(true)
    const judged = await put({
      controls: lines.map((l, i) => (i < 2 ? { ...l, unconfirmed: false } : { ...l, probability: 5 })),
    })
    expect(judged.controls.map((l: ControlLine) => l.unconfirmed)).toEqual([false, false, false, false])
    expect(judged.controls[0]).toMatchObject({ confirmedBy: expect.any(String), confirmedAt: expect.any(String) })
    expect((await author.post(`${made['@id']}/complete`)).status).toBe(200)
    expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  })

  test('a copy with statements, tasks or equipment asks its author to confirm them', async () => {
    const words = (title: string) => ({ '@id': `/api/safety/standard_statements/${title.length}`, title, text: title })
    const none = { defaultStatements: [], nonDefaultStatements: [], taskSelection: [] }
    const said = { methodStatement: { ...none, taskSelection: [words('Mobile tower')] }, ppe: [3], ppeItems: [] }
    const { body: made } = await copyOf(await draft(said))
    expect(made.unconfirmed).toEqual(['location', 'groupsAffected', 'ppe', 'methodStatement'])
    const changed = await author.put(made['@id'], { methodStatement: { ...none, taskSelection: [words('Ladder')] } })
    expect(changed.body.unconfirmed).toEqual(['location', 'groupsAffected', 'ppe'])
    const bare = await copyOf(await draft({ methodStatement: none, ppe: [] }))
    expect(bare.body.unconfirmed).toEqual(['location', 'groupsAffected'])
  })

  test('copied rows are confirmed individually, but a hazard is confirmed together with its controls', async () => {
    const { body: made } = await copyOf(await draft(ASSESSMENT_INPUT))
    const [head, control, other] = made.controls as ControlLine[]
    expect((await author.put(head?.['@id'] as string, { unconfirmed: false })).body).toMatchObject({
      unconfirmed: false,
      confirmedBy: expect.any(String),
    })
    expect((await author.get(control?.['@id'] as string)).body.unconfirmed).toBe(false)
    expect((await author.put(other?.['@id'] as string, { severity: 4 })).body.unconfirmed).toBe(false)
    expect((await author.put(other?.['@id'] as string, { unconfirmed: true })).body.unconfirmed).toBe(false)
  })

  test("a copy for another client omits the source client's pictures, files, references and library items", async () => {
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const other = await portal.client()
    const file = async (of: number) => (await upload(of))['@id']
    const [own, providers] = [await file(client.id), await file(0)]
    const [ours, shared] = [await hazardOf(client.id), await hazardOfAll()]
    const associated = [{ target: documentIri(await draft()) }]
    const controls = makeHazards().map((line, i) => ({ ...line, hazard: i ? shared : ours }))
    const full = await draft({ image: own, uploadedDocuments: [own], associated, controls })
    expect([full.image, full.uploadedDocuments, full.associated.length]).toEqual([own, [own], 1])
    for (const [door, whose] of [
      [`${other.id}/copyTo`, other.iri],
      ['0/copyTo', '/api/portal/clients/0'],
      ['copy', '/api/portal/clients/0'],
    ]) {
      const { '@id': _, ...model } = (await keeper.get(`${full['@id']}/${door}`)).body
      const given = await keeper.post(ASSESSMENTS_URL, model)
      expect([door, given.status, given.text]).toEqual([door, 201, expect.anything()])
      expect(given.body).toMatchObject({ client: whose, image: null, uploadedDocuments: [], associated: [] })
      expect(given.body.controls.map((l: ControlLine) => [l.hazard, l.hazardName])).toEqual([
        [null, 'Falling from the edge'],
        [shared, 'Falling from the edge'],
      ])
    }
    // The provider's files may be copied, because all clients share them.
    const template = (
      await keeper.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true, image: providers }))
    ).body
    const { '@id': _, ...model } = (await keeper.get(`${template['@id']}/${other.id}/copyTo`)).body
    expect((await keeper.post(ASSESSMENTS_URL, model)).body).toMatchObject({ client: other.iri, image: providers })
    const again = await copyOf(full)
    expect(again.body).toMatchObject({ image: own, uploadedDocuments: [own] })
    const unread = await author.put(again.body['@id'], { image: { name: 'x.png' } })
    expect([unread.status, missing(unread)]).toEqual([422, ['image']])
  })

  test('copying a document to a client that does not exist is rejected', async () => {
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const { '@id': source } = await draft()
    for (const odd of ['*', '__proto__', 'abc', '1.5', '%00', '99999999'])
      expect([odd, (await keeper.get(`${source}/${odd}/copyTo`)).status]).toEqual([odd, 404])
  })

  test('a copy for another client starts unconfirmed and does not disclose its source', async () => {
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const source = await current()
    const other = await portal.client()
    const { '@id': _, ...model } = (await keeper.get(`${source['@id']}/${other.id}/copyTo`)).body
    const given = await keeper.post(ASSESSMENTS_URL, model)
    expect(given.body).toMatchObject({
      client: other.iri,
      unconfirmed: ['location', 'groupsAffected', 'methodStatement'],
      copiedFrom: '',
    })
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect(
      (await stranger.post(ASSESSMENTS_URL, makeCompleteAssessment({ origin: `/api/safety/documents/${source.id}` })))
        .status,
    ).toBe(400)
  })
})

describe('a template with placeholders', () => {
  test("template placeholders are empty in a copy and don't count as answers", async () => {
    const location = 'To be completed for each site'
    const template = (
      await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true, complete: true, location }))
    ).body
    expect(template.state).toBe('complete')
    const model = (await author.get(`${template['@id']}/copy`)).body
    expect([model.location, model.isTemplate]).toEqual([null, false])
    const { body: made } = await copyOf(template, { location })
    expect([made.location, made.unconfirmed]).toEqual([null, ['groupsAffected', 'methodStatement']])
    const typed = await draft()
    await author.put(typed['@id'], { location })
    expect(missing(await author.post(`${typed['@id']}/complete`))).toEqual(['location'])
  })
})

describe('the next revision of an old document', () => {
  test('the next revision asks its author to confirm copied answers if the previous revision is a year old or due for review', async () => {
    const fresh = await current()
    const next = (await author.post(`${fresh['@id']}/revise`, {})).body
    expect(next).toMatchObject({ unconfirmed: [], parentDocumentNumber: fresh.documentNumber, copiedFrom: '' })
    const due = await current()
    await author.put(due['@id'], { reviewDue: '2020-01-31' })
    const asked = (await author.post(`${due['@id']}/revise`, {})).body
    expect([asked.unconfirmed, asked.copiedFrom]).toEqual([
      ['location', 'groupsAffected', 'methodStatement'],
      `${due.documentNumber} revision 1`,
    ])
    expect(missing(await author.post(`${asked['@id']}/complete`))).toEqual(
      ['location', 'groupsAffected', 'controls[0].unconfirmed', 'methodStatement'].toSorted(
        (a, b) => ALL_MISSING_PATHS.indexOf(a) - ALL_MISSING_PATHS.indexOf(b),
      ),
    )
  })
})
