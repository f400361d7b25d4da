import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { documentIri, makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { withForgery } from '#test/support/forging.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'
import type { ReadingProof } from './reading-questions.ts'

const portal = await testPortal()
const { client, author, draft, act, inForce } = await makeAssessments(portal)
const will = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Reader' })
const worker = client.as(will)
const SIGNATURES = '/api/safety/signatures'

const hazards = (controls: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(controls).flatMap(([name, all]) => {
    const [hazard, control] = makeHazards(name)
    return [hazard, ...all.map((controlName) => ({ ...control, controlName }))]
  })
const CONTROLS = {
  'Falling from the edge': ['Guard rails', 'Scaffold inspected every seven days'],
  'Hot work': ['Extinguisher within five metres', 'Hot work permit'],
  Dust: ['Wet cutting'],
  Noise: ['Ear defenders above 85 dB'],
}
const made = (controls: Readonly<Record<string, readonly string[]>> = CONTROLS) =>
  draft({ controls: hazards(controls) }).then(inForce)

interface Signable {
  readonly '@id': string
  readonly id: number
}
const request = (on: Signable, more: object = {}) =>
  author.post('/api/safety/sign_offs', {
    document: documentIri(on),
    people: [will.id],
    due: '2099-01-01',
    proof: true,
    ...more,
  })
const ask = async (on: Signable) => {
  const asked = await request(on)
  expect([asked.status, asked.text]).toEqual([201, expect.anything()])
}
const questionsOf = async (on: Signable, person = worker): Promise<ReadingProof> =>
  (await person.get(`${documentIri(on)}/questions`)).body
const sign = (on: Signable, more: object = {}, person = worker) =>
  person.post(SIGNATURES, { document: documentIri(on), method: 'typed', ...more })
const read = (on: Signable) => ({ opened: [{ part: documentIri(on), seconds: 5 }] })
const rightAnswers = ({ questions }: ReadingProof) =>
  questions.map(({ question, options, right }) => ({ question, chosen: [options[right]] }))
const refusal = ({ status, body }: TestResponse) => [
  status,
  ...(body.violations ?? []).map((v: { propertyPath: string; message: string }) => `${v.propertyPath}: ${v.message}`),
]

test('a person asked for proof of reading signs only after reading to the end and answering the questions', async () => {
  const on = await made()
  await ask(on)
  const proof = await questionsOf(on)
  expect(proof).toMatchObject({ asked: true, since: null })
  expect(proof.questions).toHaveLength(3)
  const answers = rightAnswers(proof)

  expect(refusal(await sign(on))).toEqual([
    422,
    expect.stringMatching(/^opened: Please open RA-\d+ revision 1 and read to the end before you sign/),
  ])
  expect(refusal(await sign(on, { ...read(on) }))).toEqual([
    422,
    'questions: This signature needs proof of reading. Please answer all questions about the document before you sign (3 of 3 not answered)',
  ])
  expect(refusal(await sign(on, { ...read(on), questions: answers.slice(1) }))).toEqual([
    422,
    expect.stringContaining('(1 of 3 not answered)'),
  ])
  const [first, ...rest] = proof.questions
  const wrong = first?.options.find((_, n) => n !== first.right)
  const given = (chosen: unknown) => [{ question: first?.question, chosen }, ...answers.slice(1)]
  for (const chosen of [[wrong], [answers[0]?.chosen[0], wrong], ['Something else'], [], 'yes', null])
    expect((await sign(on, { ...read(on), questions: given(chosen) })).status).toBe(422)
  expect((await sign(on, { ...read(on), questions: [...answers, { question: 'More?', chosen: ['x'] }] })).status).toBe(
    422,
  )
  expect((await sign(on, { ...read(on), questions: 'none' })).status).toBe(422)

  const signed = await sign(on, { ...read(on), questions: given([wrong, answers[0]?.chosen[0]]) })
  expect(signed.status).toBe(201)
  expect(signed.body.questions).toEqual([
    { question: first?.question, options: first?.options, chosen: [wrong, first?.options[first.right]] },
    ...rest.map(({ question, options, right }) => ({ question, options, chosen: [options[right]] })),
  ])
  expect(signed.body.opened).toMatchObject([{ part: documentIri(on) }])
  expect((await questionsOf(on)).asked).toBe(false)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a document with two hazards asks two questions about one of them, and both are answered', async () => {
  const on = await made({ 'Hot work': ['Hot work permit', 'Fire watch'], Dust: ['Wet cutting', 'FFP3 masks'] })
  await ask(on)
  const proof = await questionsOf(on)
  expect(proof.questions).toHaveLength(3)
  expect(new Set(proof.questions.map(({ topic }) => topic)).size).toBe(2)
  const signed = await sign(on, { ...read(on), questions: rightAnswers(proof) })
  expect([signed.status, signed.body.questions]).toEqual([
    201,
    proof.questions.map(({ question, options, right }) => ({ question, options, chosen: [options[right]] })),
  ])
})

test('changed answers of a sealed signature are detected', async () => {
  const on = await made()
  await ask(on)
  expect((await sign(on, { ...read(on), questions: rightAnswers(await questionsOf(on)) })).status).toBe(201)
  const { broken } = await withForgery(
    portal,
    client.id,
    (tx) =>
      tx.rows(`UPDATE signature SET questions = '[]' WHERE client_id = $1 AND document_id = $2`, [client.id, on.id]),
    () => verifyEvidence(portal.engine, client.id),
  )
  expect(JSON.stringify(broken)).toContain('the signature of \\"Will Reader\\" has been changed (questions)')
})

test('questions differ between people, and a signature on behalf of a person answers none of theirs', async () => {
  const on = await made()
  const zoe = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Zoe Zimmer' }))
  await ask(on)
  expect((await questionsOf(on, zoe)).asked).toBe(false)
  expect((await sign(on, {}, zoe)).status).toBe(201)
  // A signature on behalf is not the person's own, so it asks nothing and leaves the request open.
  expect((await sign(on, { name: 'Will Reader', method: 'on behalf' }, author)).status).toBe(201)
  expect((await questionsOf(on)).asked).toBe(true)
  expect(refusal(await sign(on, { questions: rightAnswers(await questionsOf(on)) }, author))).toEqual([
    422,
    expect.stringContaining('Some of these questions are not asked'),
  ])
})

test('after a material change, the questions are only about the change', async () => {
  const first = await made()
  await ask(first)
  expect((await sign(first, { ...read(first), questions: rightAnswers(await questionsOf(first)) })).status).toBe(201)
  const next = await act(first, 'revise', { reason: 'Asbestos found' })
  const body = (await author.get(next['@id'])).body
  const added = hazards({ Asbestos: ['Licensed contractor removes it'] })
  expect((await author.put(next['@id'], { controls: [...body.controls, ...added] })).status).toBe(200)
  const second = await inForce(next)
  const proof = await questionsOf(second)
  expect(proof).toMatchObject({ asked: true, since: 1, questions: [{ topic: 'Asbestos' }] })
  expect(proof.questions).toHaveLength(1)
  expect((await sign(second, { ...read(second), questions: rightAnswers(proof) })).status).toBe(201)
})

test('proof of reading is refused for a document without enough controls, and stays as requested', async () => {
  const on = await made({ Dust: ['Wet cutting'] })
  expect(refusal(await request(on))).toEqual([
    422,
    expect.stringMatching(/^proof: No questions can be asked about RA-/),
  ])
  const talk = await author.post('/api/safety/toolbox_talks', {
    title: 'Ladders',
    points: [{ text: 'Tie it' }],
    complete: true,
    approved: true,
  })
  expect(refusal(await request(talk.body))).toEqual([422, expect.stringMatching(/^proof: /)])
  const other = await made()
  const asked = await request(other)
  expect((await author.put(asked.body['@id'], { proof: false })).status).toBe(409)
  expect((await author.post(`${asked.body['@id']}/cancel`)).status).toBe(200)
  expect((await questionsOf(other)).asked).toBe(false)
  expect((await sign(other)).status).toBe(201)
})

test('a second request that asks for proof of reading also applies to people of the first', async () => {
  const on = await made()
  expect((await request(on, { proof: false })).status).toBe(201)
  expect((await questionsOf(on)).asked).toBe(false)
  expect((await request(on, { people: [], everybody: true })).status).toBe(201)
  expect((await questionsOf(on)).asked).toBe(true)
  expect((await sign(on)).status).toBe(422)
})

test('the questions of another company’s document are not found', async () => {
  const on = await made()
  const other = await portal.client({ company: 'Elsewhere Ltd' })
  const stranger = other.as(await other.user({ roles: ['ROLE_EMPLOYEE'] }))
  expect((await stranger.get(`${documentIri(on)}/questions`)).status).toBe(404)
})

const inForceAt = async (url: string, values: Readonly<Record<string, unknown>>) => {
  const { status, text, body } = await author.post(url, values)
  expect([status, text]).toEqual([201, expect.anything()])
  return inForce(body)
}
const METHOD = {
  description: 'Roof repairs',
  location: 'Unit 4',
  supervisor: 'Ada Admin',
  sequence: [
    { title: 'Fence the area', text: 'Barriers two metres out' },
    { title: 'Raise the sheets', text: 'With the hoist, never by hand' },
    { title: 'Fix the sheets', text: 'Clip on to the line first' },
  ],
}

test('method statements and toolbox talks ask for proof of reading before a signature', async () => {
  const points = ['Clean up a spill at once', 'Keep stairs clear', 'Report a broken step', 'Wear good footwear']
  const talk = await inForceAt('/api/safety/toolbox_talks', {
    title: 'Trips',
    points: points.map((text) => ({ text })),
  })
  const method = await inForceAt('/api/safety/method_statements', METHOD)
  for (const on of [talk, method]) {
    await ask(on)
    const proof = await questionsOf(on)
    expect(proof.questions).toHaveLength(3)
    expect((await sign(on, read(on))).status).toBe(422)
    const signed = await sign(on, { ...read(on), questions: rightAnswers(proof) })
    expect(signed.status, signed.text).toBe(201)
  }
})

test('the proof for a pack is about those of its documents that the person may read', async () => {
  const open = await made({ Noise: ['Ear defenders'], Dust: ['Wet cutting'], Falls: ['Guard rails'] })
  const closed = await draft({
    controls: hazards({ Fire: ['Extinguisher'], Asbestos: ['Survey'], Lead: ['Gloves'] }),
    audience: ['ROLE_CLIENT_ADMIN'],
  }).then(inForce)
  const pack = await inForceAt('/api/safety/rams_packs', {
    description: 'Roof repairs',
    location: 'Unit 4',
    supervisor: 'Ada Admin',
    papers: [open, closed].map((one) => ({ target: documentIri(one) })),
  })
  await ask(pack)
  const proof = await questionsOf(pack)
  expect(proof.questions.map(({ topic }) => topic).toSorted()).toEqual(
    ['Dust', 'Falls', 'Noise'].map((topic) => `${open.documentNumber}: ${topic}`),
  )
  const opened = [pack, open].map((one) => ({ part: documentIri(one), seconds: 5 }))
  expect(refusal(await sign(pack, { opened }))).toEqual([422, expect.stringContaining('(3 of 3 not answered)')])
  const signed = await sign(pack, { opened, questions: rightAnswers(proof) })
  expect(signed.status, signed.text).toBe(201)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})
