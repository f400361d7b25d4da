import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'

const LIST = '/api/safety/rams_packs'
const METHODS = '/api/safety/method_statements'

let portal: TestPortal
let firm: AssessmentHelpers
let author: TestApi

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
const act = async (one: { '@id': string }, action: string, body = {}) =>
  ok(await author.post(`${one['@id']}/${action}`, body))
const inForce = async (one: { '@id': string }) => act(await act(one, 'complete'), 'approve')
const referring = (of: { id: number }) => ({ target: `/api/safety/documents/${of.id}`, notes: '' })
const begun = async (query: string) => {
  const { '@id': _, '@context': __, ...model } = ok(await author.get(`${LIST}/model?${query}`))
  return model
}
const method = async (title: string, more = {}) =>
  inForce(
    ok(
      await author.post(METHODS, {
        description: title,
        location: 'Unit 4',
        supervisor: 'Rhys Ellis',
        sequence: [{ title: 'Strip the roof' }],
        ...more,
      }),
      201,
    ),
  )

beforeAll(async () => {
  portal = await testPortal()
  firm = await makeAssessments(portal)
  author = firm.author
})

describe("a job's RAMS pack", () => {
  test('a pack started from a method statement contains its job details, the method statement and its assessments', async () => {
    const assessment = await firm.current()
    const statement = await method('Roof of Unit 4', {
      mainContractor: 'Northern Build',
      associated: [referring(assessment)],
    })
    const model = await begun(`methodStatement=${statement.id}`)
    expect(model).toMatchObject({
      description: 'Roof of Unit 4',
      mainContractor: 'Northern Build',
      supervisor: 'Rhys Ellis',
    })
    const made = ok(await author.post(LIST, model), 201)
    expect(made.documentNumber).toMatch(/^RP-\d{4}$/)
    expect(made.papers.map((p: { target: { documentNumber: string } }) => p.target.documentNumber)).toEqual([
      statement.documentNumber,
      assessment.documentNumber,
    ])
  })

  test('a pack without documents is refused', async () => {
    const empty = ok(await author.post(LIST, { description: 'Empty', location: 'Unit 4', supervisor: 'Ann' }), 201)
    const refused = await author.post(`${empty['@id']}/complete`, {})
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('choose the documents for the pack')])
  })

  test("a pack is downloaded as a single file: the pack's own page, then the documents in order, each as sealed", async () => {
    const [first, second] = [await method('Scaffold'), await method('Slates')]
    const papers = [referring(second), referring(first)]
    const pack = await inForce(
      ok(await author.post(LIST, { description: 'Whole roof', location: 'Unit 4', supervisor: 'Ann', papers }), 201),
    )
    const words = await extractResponseText(await author.get(`/api/safety/documents/${pack.id}/pack`))
    const places = ['Whole roof', 'Slates', 'Scaffold'].map((title) => words.indexOf(title))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(words).toContain(second.documentNumber)
    expect((await verifyEvidence(portal.engine, firm.client.id)).broken).toEqual([])
  })
})

describe('a pack with a withdrawn document', () => {
  test('a withdrawn document blocks completion and approval of its pack', async () => {
    const paper = await method('Gutters')
    const body = { description: 'Gutters', location: 'Yard', supervisor: 'Ann', papers: [referring(paper)] }
    const [draft, complete] = [ok(await author.post(LIST, body), 201), ok(await author.post(LIST, body), 201)]
    await act(complete, 'complete')
    await act(paper, 'withdraw', { note: 'Wrong ladder' })
    const said = `${paper.documentNumber} revision 1 has been withdrawn. Please remove the reference.`
    for (const door of [
      () => author.post(`${draft['@id']}/complete`, {}),
      () => author.put(draft['@id'], { complete: true, approved: true }),
      () => author.post(`${complete['@id']}/approve`, {}),
      () => author.put(complete['@id'], { approved: true }),
      () => author.patch(complete['@id'], { approved: true }),
    ]) {
      const refused = await door()
      expect([refused.status, refused.body.violations]).toMatchObject([
        422,
        [{ propertyPath: 'papers[0]', message: said }],
      ])
    }
    expect(ok(await author.get(complete['@id'])).state).toBe('complete')
  })
})

describe('a pack in force with a withdrawn document', () => {
  test("a pack can't be signed while one of its documents, or a document referred to by one of them, is withdrawn", async () => {
    const deep = await firm.current()
    const paper = await method('Gutters', { associated: [referring(deep)] })
    const body = { description: 'Gutters', location: 'Yard', supervisor: 'Ann', papers: [referring(paper)] }
    const pack = await inForce(ok(await author.post(LIST, body), 201))
    const sign = () => firm.worker.post('/api/safety/signatures', { document: referring(pack).target, method: 'typed' })
    for (const gone of [paper, deep]) {
      await act(gone, 'withdraw', { note: 'Wrong ladder' })
      const refused = await sign()
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining(`Part of this pack has been withdrawn: ${gone.documentNumber} revision 1`),
      ])
      ok(await author.put(gone['@id'], { retired: false }))
    }
    ok(await sign(), 201)
  })
})

describe('a pack with a replaced document', () => {
  test("a draft pack with a replaced document can't be completed, and a sealed pack retains the old revision", async () => {
    const former = await method('Trench')
    const body = { description: 'Drains', location: 'Yard', supervisor: 'Ann', papers: [referring(former)] }
    const sealed = await inForce(ok(await author.post(LIST, body), 201))
    const draft = ok(await author.post(LIST, body), 201)
    const revised = await act(former, 'revise')
    const newer = await inForce(revised)
    const refused = await author.post(`${draft['@id']}/complete`, {})
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(`revision ${newer.revision}`)])
    ok(await author.post(`/api/safety/documents/${draft.id}/take_newer`, {}))
    await act(draft, 'complete')
    expect(ok(await author.get(sealed['@id'])).papers[0].target.revision).toBe(former.revision)
  })
})
