import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, makeAssessments } from '#test/support/assessments.ts'
import { withForgery } from '#test/support/forging.ts'
import { type TestApi, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { collectionMembers, documentApiUrl, openParts, sendSignature } from '#test/support/sign-offs.ts'

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

  test('a pack is downloaded as a single file: its own page, then the documents in order, each as sealed', async () => {
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
    const sign = () => sendSignature(firm.worker, pack)
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

describe('the documents of a pack', () => {
  const SIGNATURES = '/api/safety/signatures'
  const made = async () => {
    const deep = await firm.current()
    const paper = await method('Shutters', { associated: [referring(deep)] })
    const body = { description: 'Shutters', location: 'Yard', supervisor: 'Ann', papers: [referring(paper)] }
    return { deep, paper, pack: await inForce(ok(await author.post(LIST, body), 201)) }
  }
  const named = ({ documentNumber }: { documentNumber: string }) => `${documentNumber} revision 1`

  test('a pack can be signed only after everything in it has been opened to its end, whatever the kind of signature', async () => {
    const { deep, paper, pack } = await made()
    const parts = await openParts(firm.worker, pack)
    expect(parts.map(({ part }: { part: string }) => part)).toEqual([documentApiUrl(paper), documentApiUrl(deep)])
    const send = (who: TestApi, opened: unknown, more: object = {}) =>
      who.post(SIGNATURES, { document: documentApiUrl(pack), method: 'typed', opened, ...more })
    const [first, second] = parts
    for (const [opened, message] of [
      [undefined, `Please open ${named(paper)}, ${named(deep)} and read to the end before you sign`],
      [[first], `Please open ${named(deep)} and read to the end before you sign`],
      [[first, { ...second, seconds: -1 }], 'The time must be a whole number of seconds, from 0 to 86400'],
      [
        [first, second, { part: documentApiUrl(pack), seconds: 1 }],
        `“${documentApiUrl(pack)}” is not part of this document`,
      ],
      [[first, first, second], 'The opened documents must be a list of parts, each once, with seconds'],
      ['all', 'The opened documents must be a list of parts, each once, with seconds'],
    ] as const) {
      const refused = await send(firm.worker, opened)
      expect([refused.status, refused.body.violations]).toMatchObject([422, [{ propertyPath: 'opened', message }]])
    }
    const visitor = { name: 'Vera Visitor', visitor: true }
    expect((await send(firm.worker, [first], visitor)).status).toBe(422)
    expect((await send(author, [], { method: 'on behalf', name: 'Old Tom' })).status).toBe(422)
    const signed = ok(await send(firm.worker, [first, { ...second, seconds: 86_400 }]), 201)
    expect(signed.opened).toEqual([
      { part: documentApiUrl(paper), name: named(paper), seconds: 1 },
      { part: documentApiUrl(deep), name: named(deep), seconds: expect.any(Number) },
    ])
    // Nobody can have read a pack for longer than it has existed.
    expect(signed.opened[1].seconds).toBeLessThan(3600)
    ok(await send(firm.worker, parts, visitor), 201)
    expect((await firm.worker.patch(signed['@id'], { opened: [] })).status).not.toBe(200)
    expect((await verifyEvidence(portal.engine, firm.client.id)).broken).toEqual([])
    await withForgery(
      portal,
      firm.client.id,
      (tx) => tx.script(`UPDATE signature SET opened = '[]' WHERE id = ${signed.id}`),
      async () => expect((await verifyEvidence(portal.engine, firm.client.id)).broken).not.toEqual([]),
    )
  })

  test('a part opened for an earlier signature need not be opened again', async () => {
    const { paper, pack } = await made()
    ok(await sendSignature(firm.worker, pack), 201)
    const note = await method('Blinds')
    const papers = [referring(paper), referring(note)]
    const next = await inForce(ok(await author.put((await act(pack, 'revise'))['@id'], { papers })))
    const parts = collectionMembers(await firm.worker.get(`${documentApiUrl(next)}/parts`))
    expect(parts.map((part: { signedAt: string | null }) => part.signedAt !== null)).toEqual([true, false, true])
    const opened = [{ part: documentApiUrl(note), seconds: 1 }]
    expect(ok(await sendSignature(firm.worker, next, { opened }), 201).opened).toMatchObject(opened)
  })

  test('a reader opens each part of a pack as it was sealed, and nothing else', async () => {
    const { deep, paper, pack } = await made()
    const revised = await act(deep, 'revise')
    await inForce(revised)
    const at = (part: { id: number }, whole: { id: number } = pack) => `${documentApiUrl(whole)}/parts/${part.id}`
    const { record, form } = ok(await firm.worker.get(at(deep)))
    expect([record.documentNumber, record.revision, form.schema.steps.length > 0]).toEqual([
      deep.documentNumber,
      1,
      true,
    ])
    expect(collectionMembers(await firm.worker.get(`${documentApiUrl(pack)}/parts`))).toMatchObject([
      { name: named(paper), replaced: false },
      { name: named(deep), replaced: true },
    ])
    const text = await extractResponseText(await firm.worker.get(`${documentApiUrl(pack)}/pack`))
    for (const part of [paper, deep]) expect(text).toContain(part.documentNumber)
    const stranger = await firm.current()
    for (const wrong of [at(stranger), at(revised), at(pack), at(deep, deep)])
      expect([(await firm.worker.get(wrong)).status, wrong]).toEqual([404, wrong])
    const other = await portal.client()
    const spy = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    for (const path of [at(deep), `${documentApiUrl(pack)}/parts`]) expect((await spy.get(path)).status).toBe(404)
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
