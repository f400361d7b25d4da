import { beforeAll, describe, expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { expectOk } from '#test/support/attendances.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let made: AssessmentHelpers
let consultant: TestApi
let boss: TestApi
let paper: { readonly '@id': string; readonly id: number }

const OPENINGS = '/api/safety/document_openings'
const ADVICE = '/api/safety/advice_requests'

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
  boss = made.client.as(await made.client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: 'boss@opened.example' }))
  const person = { roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'], name: 'Connie Consultant', username: 'connie' }
  consultant = portal.provider.as(await portal.provider.user(person))
  paper = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
})

const openings = async (id: number) =>
  (await boss.get(`${OPENINGS}?document=${id}`)).body['hydra:member'] as { name: string; username: string }[]

describe("a client's document opened by a provider user", () => {
  test("a search across clients is not logged, but opening a document found by the search is logged for the document's company", async () => {
    const found = await consultant.get(`/api/safety/documents?client=${made.client.id}`)
    expect(found.body['hydra:member'].map((d: { id: number }) => d.id)).toContain(paper.id)
    expect(await openings(paper.id)).toEqual([])
    const template = expectOk(await consultant.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true })))
    const list = async (isTemplate: boolean) =>
      (await consultant.get(`/api/safety/documents?id=${template.id}&isTemplate=${isTemplate}`)).body[
        'hydra:totalItems'
      ]
    expect([await list(true), await list(false)]).toEqual([1, 0])
    expect((await consultant.get(paper['@id'])).status).toBe(200)
    expect(await openings(paper.id)).toMatchObject([{ name: 'Connie Consultant', username: 'connie' }])
    // Opening a document's page and then its PDF is logged as one opening.
    expect((await consultant.get(`${paper['@id']}/pdf`)).status).toBe(200)
    expect(await openings(paper.id)).toHaveLength(1)
  })

  test.each([
    ['as plain JSON', (url: string) => consultant.get(url, { accept: 'application/json' })],
    ['as a PDF', (url: string) => consultant.get(`${url}/pdf`)],
  ])('opening a document %s is logged', async (_, open) => {
    const other = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
    expect((await open(other['@id'])).status).toBe(200)
    expect(await openings(other.id)).toHaveLength(1)
  })

  test('an action repeated with its Idempotency-Key logs only one opening', async () => {
    const other = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
    const once = { 'idempotency-key': `use new form ${other.id}` }
    const first = await consultant.post(`${other['@id']}/use_new_form`, {}, once)
    expect([first.status, first.body.id]).toEqual([200, other.id])
    expect(await openings(other.id)).toMatchObject([{ name: 'Connie Consultant', username: 'connie' }])
    const again = await consultant.post(`${other['@id']}/use_new_form`, {}, once)
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body])
    expect(await openings(other.id)).toHaveLength(1)
  })

  test("a provider user can't list, count or export the rows in a client's documents, but can read them within the document", async () => {
    const other = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
    const lines = (await made.author.get(`/api/safety/risk_items?document=${other.id}`)).body['hydra:member']
    expect(lines.length).toBeGreaterThan(0)
    for (const asked of [
      `document=${other.id}`,
      `client=${made.client.id}`,
      `client.id=${made.client.id}&documentNumber=${other.documentNumber}`,
    ])
      expect((await consultant.get(`/api/safety/risk_items?${asked}`)).body['hydra:member']).toEqual([])
    expect((await consultant.get(`/api/safety/risk_items/export.csv?document=${other.id}`)).text.trim()).not.toContain(
      '\n',
    )
    expect((await consultant.get(lines[0]['@id'])).status).toBe(404)
    expect(await openings(other.id)).toEqual([])
    expect((await consultant.get(other['@id'])).body.controls).toHaveLength(lines.length)
    expect(await openings(other.id)).toHaveLength(1)
    const template = expectOk(await consultant.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true })))
    expect((await consultant.get(`/api/safety/risk_items?document=${template.id}`)).body['hydra:member']).toHaveLength(
      lines.length,
    )
  })

  test("every URL that returns a document's content logs an opening", async () => {
    const routes = registryOf(portal.engine).modules.flatMap((module) => module.routes ?? [])
    const ofKind = routes
      .filter((r) => r.method === 'GET' && r.path.startsWith(`${ASSESSMENTS_URL}/`))
      .map((r) => r.path)
    const paths = [...ofKind, '/api/safety/documents/{id}/pack', '/api/safety/documents/{id}/improvements']
    const left: Record<string, number> = {}
    for (const path of paths.filter((one) => one.includes('{id}') && !one.includes('revision/'))) {
      const other = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
      const { status } = await consultant.get(path.replace('{id}', `${other.id}`).replace('{clientId}', '0'))
      if (status === 200) left[path.replace(ASSESSMENTS_URL, '')] = (await openings(other.id)).length
    }
    expect(Object.keys(left).length).toBeGreaterThan(5)
    expect(left).toEqual(Object.fromEntries(Object.keys(left).map((path) => [path, 1])))
  })

  test("opening one's own document or a provider template is not logged", async () => {
    const other = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
    await boss.get(other['@id'])
    expect(await openings(other.id)).toEqual([])
    const template = expectOk(await consultant.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true })))
    await consultant.get(template['@id'])
    expect((await consultant.get(`${OPENINGS}?document=${template.id}`)).body['hydra:member']).toEqual([])
  })

  test("access log entries can't be changed or deleted, and employees can't read them", async () => {
    const [one] = (await boss.get(OPENINGS)).body['hydra:member']
    for (const as of [boss, consultant]) {
      expect((await as.put(one['@id'], { name: 'No clients to show' })).status).toBe(405)
      expect((await as.delete(one['@id'])).status).toBe(405)
    }
    const worker = made.client.as(await made.client.user({ roles: ['ROLE_EMPLOYEE'] }))
    expect((await worker.get(OPENINGS)).status).toBe(403)
    const caller = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await caller.get(OPENINGS)).status).toBe(403)
    expect((await caller.get(`/api/safety/documents?client=${made.client.id}`)).body['hydra:member']).toEqual([])
    await expect(
      portal.db.tx('system', (tx) => tx.rows('DELETE FROM document_opening WHERE id = $1', [one.id])),
    ).rejects.toThrow('permission denied')
  })
})

describe('a question to the consultant', () => {
  test('a document can have only one open question, and its answer is sent by e-mail and as a notification', async () => {
    const asked = expectOk(await boss.post(ADVICE, { document: documentIri(paper), question: 'Is the ladder right?' }))
    expect(asked).toMatchObject({ state: 'asked', answer: '', document: { id: paper.id } })
    const again = await boss.post(ADVICE, { document: documentIri(paper), question: 'And the rope?' })
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('already have an open question')])
    const waiting = await consultant.get(`${ADVICE}?state=asked&client=${made.client.id}`)
    expect(waiting.body['hydra:member']).toHaveLength(1)
    expect((await consultant.post(`${asked['@id']}/take`)).body).toMatchObject({ consultantName: 'Connie Consultant' })
    expect((await consultant.post(`${asked['@id']}/take`)).status).toBe(409)
    expect((await consultant.post(`${asked['@id']}/answer`, {})).status).toBe(422)
    const answer = 'Yes, for less than thirty minutes.'
    expect((await consultant.post(`${asked['@id']}/answer`, { answer })).body).toMatchObject({
      state: 'answered',
      answer,
    })
    await portal.drain()
    const [letter] = (await portal.db.tx('system', (tx) =>
      tx.rows("SELECT recipient, body FROM message WHERE template = 'consultant-answer' AND client_id = $1", [
        made.client.id,
      ]),
    )) as { recipient: string; body: string }[]
    expect(letter?.recipient).toBe('boss@opened.example')
    expect(letter?.body).toContain(answer)
    const bell = (await boss.get('/api/portal/notices/inbox')).body['hydra:member']
    expect(bell.map((n: { words: string }) => n.words).join()).toContain('Connie Consultant has answered')
    expect((await boss.post(ADVICE, { document: documentIri(paper), question: 'And the rope?' })).status).toBe(201)
  })

  test("a question can be withdrawn by its author, and the company's own users can't answer it", async () => {
    const other = expectOk(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment()))
    const asked = expectOk(await made.author.post(ADVICE, { document: documentIri(other), question: 'Enough?' }))
    for (const path of ['take', 'answer']) {
      expect((await boss.post(`${asked['@id']}/${path}`, { answer: 'Yes' })).status).toBe(403)
    }
    expect((await made.author.post(`${asked['@id']}/withdraw`)).body.state).toBe('withdrawn')
    expect((await consultant.post(`${asked['@id']}/answer`, { answer: 'Yes' })).status).toBe(409)
  })

  test("a question about another company's document is rejected, and other companies' questions can't be found", async () => {
    const stranger = await portal.client({ packs: ['safety'] })
    const theirs = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await theirs.post(ADVICE, { document: documentIri(paper), question: 'Mine?' })).status).toBe(400)
    const [one] = (await boss.get(ADVICE)).body['hydra:member']
    expect((await theirs.get(one['@id'])).status).toBe(404)
    expect((await theirs.post(`${one['@id']}/withdraw`)).status).toBe(404)
  })
})
