import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, documentIri, makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'

const LIST = '/api/safety/method_statements'
const TASKS = '/api/safety/tasks'

let portal: TestPortal
let firm: AssessmentHelpers
let author: TestApi
let worker: TestApi

const JOB = {
  description: 'Re-roofing Unit 4',
  project: 'Kelham Works',
  location: 'Kelham Works, Sheffield',
  siteAddress: 'Kelham Island\nSheffield',
  startDate: '2026-12-01',
  duration: 'Three weeks',
  clientContact: 'Dana Whitfield',
  internalJobReference: 'BB-77',
  jobNumber: '1907',
  mainContractor: 'Northern Build plc',
  firstAider: 'Bethan Davies',
  equipment: 'Tower, hoist',
}
const whole = (more: object = {}) => ({
  description: 'Roof of Unit 4',
  location: 'Unit 4',
  supervisor: 'Rhys Ellis',
  sequence: [{ title: 'Arrive' }, { title: 'Strip the roof' }],
  ...more,
})

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
/** Returns the prefilled values for a new method statement, in the format that POST accepts. */
const modelOf = async (as: TestApi, query: string) => {
  const { '@id': _, '@context': __, ...model } = ok(await as.get(`${LIST}/${query}`))
  return model
}
const made = async (more: object = {}, as = author) => ok(await as.post(LIST, whole(more)), 201)
const act = async (one: { '@id': string }, action: string, body = {}) =>
  ok(await author.post(`${one['@id']}/${action}`, body))
const inForce = async (one: { '@id': string }) => act(await act(one, 'complete'), 'approve')
const titles = (all: readonly { title: string }[]) => all.map(({ title }) => title)

beforeAll(async () => {
  portal = await testPortal()
  firm = await makeAssessments(portal)
  author = firm.author
  worker = firm.worker
})

describe('a method statement started from an assessment', () => {
  test("a method statement started from an assessment copies the assessment's job, contacts and method content, and each links to the other", async () => {
    const contacts = [{ name: 'Site manager', number: '07700 900123' }]
    const tasks = [{ '@id': `${TASKS}/1`, title: 'Strip a roof', text: '<p>From the top</p>' }]
    const assessment = await firm.current()
    const next = await firm.act(assessment, 'revise')
    ok(
      await author.put(next['@id'], {
        ...JOB,
        emergencyContact: contacts,
        methodStatement: { defaultStatements: [], nonDefaultStatements: [], taskSelection: tasks },
      }),
    )
    const source = await firm.inForce(next)
    const model = await modelOf(author, `model?riskAssessment=${source.id}`)
    expect(model).toMatchObject({
      ...JOB,
      documentNumber: null,
      complete: false,
      riskAssessment: source['@id'],
      riskDocumentNumber: source.documentNumber,
      emergencyContact: contacts,
      methodStatement: { taskSelection: tasks },
      associated: [{ target: documentIri(source) }],
    })
    // The assessment has no statements, so the method statement contains the default statements.
    expect(model.methodStatement.defaultStatements.length).toBeGreaterThan(5)

    const begun = ok(await author.post(LIST, { ...model, supervisor: 'Rhys Ellis' }), 201)
    expect(begun).toMatchObject({
      ...JOB,
      documentNumber: expect.stringMatching(/^MS-\d{4}$/),
      riskAssessment: source['@id'],
      riskDocumentNumber: source.documentNumber,
      associated: [{ target: { documentNumber: source.documentNumber, revision: 2 } }],
      origin: documentIri(source),
      copiedFrom: `${source.documentNumber} revision 2`,
      // No answers need confirmation, because the method statement is for the same job.
      unconfirmed: [],
    })
    const used = ok(await author.get(`${documentIri(source)}/where_used`))
    expect(used['hydra:member'].map((d: { id: number }) => d.id)).toEqual([begun.id])
    for (const filter of [`riskAssessment=${source['@id']}`, `riskDocumentNumber=${source.documentNumber}`])
      expect(ok(await author.get(`${LIST}/list?${filter}`))['hydra:member'].map((d: { id: number }) => d.id)).toEqual([
        begun.id,
      ])
    const current = await inForce(begun)
    expect(current).toMatchObject({ state: 'current', seal: expect.any(String) })
    const words = await extractResponseText(await author.get(`${begun['@id']}/pdf`))
    for (const said of ['Kelham Works', 'Strip a roof', 'Site manager', source.documentNumber])
      expect(words).toContain(said)
    expect((await verifyEvidence(portal.engine, firm.client.id)).broken).toEqual([])
  })

  test("setting the assessment of a method statement by IRI also sets the assessment's document number", async () => {
    const [a, b] = [await firm.current(), await firm.current()]
    const begun = await made({ riskAssessment: a['@id'] })
    expect(begun).toMatchObject({ riskAssessment: a['@id'], riskDocumentNumber: a.documentNumber })
    expect(begun.associated).toMatchObject([{ target: { documentNumber: a.documentNumber } }])
    // Setting another assessment removes the reference to the previous one.
    const other = ok(await author.put(begun['@id'], { riskAssessment: b['@id'], riskDocumentNumber: 'RA-9999' }))
    expect(other).toMatchObject({ riskAssessment: b['@id'], riskDocumentNumber: b.documentNumber })
    expect(other.associated).toHaveLength(1)
    // The list takes precedence. If the list omits an assessment, the reference is removed even if other fields still
    // name that assessment.
    const without = ok(await author.put(begun['@id'], { ...other, associated: [] }))
    expect([without.riskAssessment, without.riskDocumentNumber, without.associated]).toEqual([null, '', []])
    const added = ok(await author.put(begun['@id'], { associated: [{ target: documentIri(a) }] }))
    expect(added.riskAssessment).toBe(a['@id'])
    expect(ok(await author.put(begun['@id'], { riskAssessment: null })).associated).toEqual([])
    for (const nobodys of ['/api/safety/risk_assessments/987654', 'x', begun['@id']])
      expect((await author.post(LIST, whole({ riskAssessment: nobodys }))).status).toBe(400)
  })

  test("a method statement can't refer to another client's assessment", async () => {
    const theirs = await (await makeAssessments(portal)).current()
    expect((await author.get(`${LIST}/model?riskAssessment=${theirs.id}`)).status).toBe(400)
    expect((await author.post(LIST, whole({ riskAssessment: theirs['@id'] }))).status).toBe(400)
  })

  test("a method statement can't be completed while its assessment is a replaced revision", async () => {
    const first = await firm.current()
    const begun = await made({ riskAssessment: first['@id'] })
    const next = await firm.inForce(await firm.act(first, 'revise'))
    const refused = await author.post(`${begun['@id']}/complete`)
    expect([refused.status, refused.body.violations[0].message]).toEqual([
      422,
      expect.stringContaining('was replaced: revision 2 is in force'),
    ])
    ok(await author.post(`${documentIri(begun)}/take_newer`))
    expect(ok(await author.get(begun['@id']))).toMatchObject({ riskAssessment: next['@id'] })
    await act(begun, 'complete')
  })
})

describe('method statement API routes', () => {
  test("document authors can read the form and list of method statements, and other readers' lists omit drafts", async () => {
    const schema = ok(await author.get(`${LIST}/schema`))
    expect(schema.steps.map((s: { name: string }) => s.name)).toEqual([
      'job',
      'sequence',
      'method',
      'plant',
      'people',
      'emergency',
      'files',
    ])
    const draft = await made()
    const listed = async (as: TestApi) =>
      ok(await as.get(`${LIST}/list?itemsPerPage=100`))['hydra:member'].map((d: { id: number }) => d.id)
    expect(await listed(author)).toContain(draft.id)
    expect(await listed(worker)).not.toContain(draft.id)
    expect((await worker.get(draft['@id'])).status).toBe(404)
    expect((await worker.post(LIST, whole())).status).toBe(403)
    await inForce(draft)
    expect(await listed(worker)).toContain(draft.id)
    expect(ok(await worker.get(draft['@id'])).current).toBe(true)
    expect((await worker.put(draft['@id'], { reviewed: true })).status).toBe(403)
  })

  test("another client can't read, change or copy a method statement", async () => {
    const draft = await made()
    const { author: stranger, client } = await makeAssessments(portal)
    for (const path of ['', '/copy', '/review', '/pdf', '/form', `/${client.id}/copyTo`])
      expect([path, (await stranger.get(`${draft['@id']}${path}`)).status]).toEqual([path, 404])
    expect((await stranger.put(draft['@id'], { description: 'My views' })).status).toBe(404)
    expect(ok(await stranger.get(`${LIST}/list`))['hydra:member']).toEqual([])
  })

  test("the provider's method statement template can be copied but not changed", async () => {
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const template = await made({ isTemplate: true, complete: true, approved: true }, keeper)
    expect(template).toMatchObject({ state: 'current', isTemplate: true })
    expect(ok(await author.get(`${LIST}/templates`))['hydra:member'].map((d: { id: number }) => d.id)).toContain(
      template.id,
    )
    expect((await author.put(template['@id'], { description: 'My views' })).status).toBe(403)
    const model = await modelOf(author, `${template.id}/copy`)
    expect(model).toMatchObject({ documentNumber: null, parent: null, isTemplate: false })
    const copy = ok(await author.post(LIST, model), 201)
    expect(copy).toMatchObject({ documentNumber: expect.stringMatching(/^MS-/), author: expect.any(String) })
    expect(copy.sequence).toHaveLength(2)
    // Answers about another place or other people must be confirmed.
    expect(copy.unconfirmed).toEqual(expect.arrayContaining(['location', 'supervisor']))
  })

  test('no route can complete a copied method statement until its copied content is confirmed', async () => {
    const task = { '@id': `${TASKS}/1`, title: 'Dig', text: '<p>By hand</p>' }
    const said = {
      equipment: 'Tower, hoist',
      plant: [{ name: 'Hoist' }],
      permits: [{ name: 'Hot work' }],
      people: [{ name: 'Rhys Ellis', tickets: ['CSCS'] }],
      methodStatement: { defaultStatements: [], nonDefaultStatements: [], taskSelection: [task] },
    }
    const source = await made(said)
    const copy = ok(await author.post(LIST, await modelOf(author, `${source.id}/copy`)), 201)
    const open = ['location', 'equipment', 'sequence', 'methodStatement', 'plant', 'permits', 'supervisor', 'people']
    expect(new Set(copy.unconfirmed)).toEqual(new Set(open))
    for (const refused of [
      await author.post(`${copy['@id']}/complete`),
      await author.put(copy['@id'], { complete: true, approved: true }),
    ]) {
      expect(refused.status).toBe(422)
      expect(new Set(refused.body.violations.map((v: { propertyPath: string }) => v.propertyPath))).toEqual(
        new Set(open),
      )
    }
    // An answer is confirmed explicitly, or by changing it.
    const changed = ok(await author.put(copy['@id'], { plant: [{ name: 'Crane' }] }))
    expect(changed.unconfirmed).not.toContain('plant')
    const left = ok(await author.put(copy['@id'], { unconfirmed: [] }))
    expect(Object.keys(left.confirmed).sort()).toEqual([...open].sort())
    await act(copy, 'complete')
  })

  test("templates for the company's industry are listed first, unless another sort order is requested", async () => {
    const { author: fresh } = await makeAssessments(portal)
    const listed = async (query = ''): Promise<{ id: number; industry: { '@id': string } | null }[]> =>
      ok(await fresh.get(`${LIST}/templates?complete=true&itemsPerPage=100${query}`))['hydra:member']
    const trades = async (query?: string) => (await listed(query)).map(({ industry }) => JSON.stringify(industry))
    const before = await trades()
    const other = before.find((trade) => trade !== before[0] && trade !== 'null') ?? ''
    const industry = (await listed()).find((t) => JSON.stringify(t.industry) === other)?.industry
    for (const description of ['One', 'Two'])
      await made({ description, industry: industry?.['@id'] ?? industry }, fresh)
    const after = await trades()
    const mine = after.filter((trade) => trade === other).length
    expect([after.slice(0, mine), new Set(after.slice(mine)).has(other)]).toEqual([Array(mine).fill(other), false])
    expect(after.toSorted()).toEqual(before.toSorted())
    expect(await trades('&order[documentNumber]=desc')).toEqual(
      (await listed('&order[documentNumber]=desc')).map((t) => JSON.stringify(t.industry)),
    )
    // Pages neither overlap nor leave out records.
    const ids = async (page: number) =>
      (
        ok(await fresh.get(`${LIST}/templates?complete=true&itemsPerPage=2&page=${page}`))['hydra:member'] as {
          id: number
        }[]
      ).map(({ id }) => id)
    expect([...(await ids(1)), ...(await ids(2))]).toEqual((await listed()).slice(0, 4).map(({ id }) => id))
  })

  test("a completed method statement can't be changed, and its next revision is a draft with the same number", async () => {
    const one = await inForce(await made())
    expect((await author.put(one['@id'], { description: 'Else' })).status).toBe(409)
    const next = await act(one, 'revise')
    expect(next).toMatchObject({ revision: 2, documentNumber: one.documentNumber, state: 'draft' })
    const review = await modelOf(author, `${one.id}/review`)
    expect(review).toMatchObject({ documentNumber: one.documentNumber, parent: one['@id'] })
  })

  test("a method statement with neither a step nor a task can't be completed", async () => {
    const none = await made({ sequence: [] })
    const refused = await author.post(`${none['@id']}/complete`)
    expect([refused.status, refused.body.violations]).toEqual([
      422,
      [expect.objectContaining({ propertyPath: 'sequence', message: expect.stringContaining('add a step') })],
    ])
    const unnamed = ok(await author.put(none['@id'], { sequence: [{ title: ' ', text: 'Manual' }] }))
    expect((await author.post(`${unnamed['@id']}/complete`)).body.violations[0]).toMatchObject({
      propertyPath: 'sequence[0].title',
      message: 'Field required, please enter text',
    })
    const task = { '@id': `${TASKS}/1`, title: 'Dig', text: '<p>By hand</p>' }
    ok(await author.put(none['@id'], { sequence: [], methodStatement: { taskSelection: [task] } }))
    await act(none, 'complete')
  })

  test('tasks chosen for a method statement are saved with their formatted text sanitised', async () => {
    const task = (title: string, text = '') => ({ '@id': `${TASKS}/${title.length}`, title, text })
    const { methodStatement } = await made({
      methodStatement: { taskSelection: [task('Arrive', '<p onclick="x()">In <b>time</b></p>'), task('Pour')] },
    })
    expect(titles(methodStatement.taskSelection)).toEqual(['Arrive', 'Pour'])
    expect(methodStatement.taskSelection[0].text).not.toContain('onclick')
    const wrong = await author.post(LIST, whole({ methodStatement: { taskSelection: 'Dig' } }))
    expect([wrong.status, wrong.body.violations[0].propertyPath]).toEqual([422, 'methodStatement.taskSelection'])
    expect((await author.post(LIST, whole({ sequence: 'Dig' }))).status).toBe(422)
  })
})

describe('pictures of a step in a method statement', () => {
  const upload = async (name: string) => {
    const { headers, body } = makeUploadForm(await makePicture(40, 30).png().toBuffer(), name)
    return ok(await author.send('POST', `/api/safety/uploads/${firm.client.id}`, { headers, body }), 201)
  }

  test("a step's pictures are printed with their labels, readable by the document's readers and not copied to other clients", async () => {
    const [hook, plan] = [await upload('hook.png'), await upload('plan.png')]
    const one = await made({
      sequence: [{ title: 'Sling the load', pictures: [{ '@id': hook['@id'], label: 'The hook, closed' }] }],
      uploadedDocuments: [plan['@id']],
    })
    expect(one.sequence[0].pictures).toEqual([{ '@id': hook['@id'], label: 'The hook, closed' }])
    const words = await extractResponseText(await author.get(`${one['@id']}/pdf`))
    expect(words).toContain('The hook, closed')
    expect(words).toContain('Appendix')
    await inForce(one)
    expect((await worker.get(hook['@id'])).status).toBe(200)
    expect((await author.put(hook['@id'], { retired: true })).status).toBe(409)
    const nobodys = { sequence: [{ title: 'x', pictures: ['/api/safety/uploaded_documents/987654'] }] }
    expect((await author.post(LIST, whole(nobodys))).status).toBe(400)

    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const other = await portal.client()
    const assessment = await firm.current()
    const linked = await inForce(await made({ riskAssessment: assessment['@id'], sequence: one.sequence }))
    const away = await modelOf(keeper, `${linked.id}/${other.id}/copyTo`)
    expect(away.sequence).toMatchObject([{ title: 'Sling the load', pictures: [] }])
    expect([away.associated, away.riskAssessment, away.riskDocumentNumber]).toEqual([[], null, null])
  })
})
