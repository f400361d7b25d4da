import { beforeAll, describe, expect, test } from 'vitest'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { expectOk } from '#test/support/attendances.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

// A user must not gain access to an inaccessible record by referring to it in their own document.

let portal: TestPortal
let made: AssessmentHelpers
/** An author who can't approve. */
let writer: TestApi

const MANAGEMENT = ['ROLE_CLIENT_ADMIN']

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
  writer = made.client.as(await made.client.user({ roles: ['ROLE_SAFETY_AUTHOR'], name: 'Wendy Writer' }))
})

describe('a file in a folder without access', () => {
  let file: { '@id': string; id: number }

  beforeAll(async () => {
    const { author, client } = made
    const folder = expectOk(await author.post('/api/safety/document_folders', { name: 'Board', audience: MANAGEMENT }))
    const upload = makeUploadForm('Bonus\n100\n', 'bonus.csv', { folder: folder['@id'] })
    file = expectOk(await author.send('POST', `/api/safety/uploads/${client.id}`, upload))
  })

  const asUpload = (iri: string) => ({ uploadedDocuments: [iri] })
  const ways: readonly (readonly [string, (iri: string) => Record<string, unknown>])[] = [
    ['an upload', asUpload],
    ['an upload with a caption', (iri) => ({ uploadedDocuments: [{ '@id': iri, label: 'My views' }] })],
    ['the picture', (image) => ({ image })],
    ['a reference', (iri) => ({ associated: [{ file: iri }] })],
    ['the words of an answer', (location) => ({ location })],
    ['words in a short form', (iri) => ({ location: iri.replace('/api/safety', '') })],
  ]

  test.each(ways)("an inaccessible file can't be used as %s by any route", async (_name, naming) => {
    expect((await writer.get(file['@id'])).status).toBe(404)
    const draft = expectOk(await writer.post(ASSESSMENTS_URL, makeCompleteAssessment()))
    const given = naming(file['@id'])
    const refused = [
      await writer.post(ASSESSMENTS_URL, makeCompleteAssessment(given)),
      await writer.put(draft['@id'], given),
      await writer.patch(draft['@id'], given),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([400, 'unknown_target']))
    expect((await writer.get(`${file['@id']}/file`)).status).toBe(404)
  })

  test('a user with access to a file can use it only by its exact URL, and readers of the document can then open the file', async () => {
    const { author } = made
    const written = file['@id'].replace(/\d$/, (digit) => `%3${digit}`)
    expect((await author.post(ASSESSMENTS_URL, makeCompleteAssessment(asUpload(written)))).status).toBe(400)
    const paper = expectOk(await author.post(ASSESSMENTS_URL, makeCompleteAssessment(asUpload(file['@id']))))
    await made.inForce(paper)
    expect((await writer.get(`${file['@id']}/file`)).text).toBe('Bonus\n100\n')
    expect((await writer.post(ASSESSMENTS_URL, makeCompleteAssessment(asUpload(file['@id'])))).status).toBe(201)
  })
})

test('an inaccessible newer revision of a referenced document is neither listed nor used', async () => {
  const { author, draft, current, act, inForce } = made
  const target = await current()
  const paper = await inForce(await draft({ associated: [{ target: documentIri(target) }] }))
  const next = await act(target, 'revise')
  expectOk(await author.put(next['@id'], { description: 'Redundancies', audience: MANAGEMENT }))
  await act(await act(next, 'complete'), 'approve')
  expect((await writer.get(next['@id'])).status).toBe(404)
  const newer = `${documentIri(paper)}/newer`
  expect([
    expectOk(await writer.get(newer))['hydra:totalItems'],
    expectOk(await author.get(newer))['hydra:totalItems'],
  ]).toEqual([0, 1])
  const taken = await writer.post(`${documentIri(paper)}/take_newer`)
  expect([taken.status, taken.text.includes('Redundancies')]).toEqual([409, false])
  const draftOf = expectOk(await author.post(`${documentIri(paper)}/take_newer`))
  expect(draftOf.associated).toMatchObject([{ target: { title: 'Redundancies' } }])
})

test('client users can read a provider document only if they belong to its audience', async () => {
  const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const { author, worker } = made
  const inForceFor = async (audience: readonly string[]) => {
    const paper = expectOk(await keeper.post(ASSESSMENTS_URL, makeCompleteAssessment({ audience })))
    expectOk(await keeper.post(`${paper['@id']}/complete`))
    return expectOk(await keeper.post(`${paper['@id']}/approve`))
  }
  const reads = async (paper: { '@id': string; id: number }) => {
    const doors = [paper['@id'], documentIri(paper), `${paper['@id']}/copy`, `${paper['@id']}/pdf`]
    const answers = await Promise.all(doors.map(async (url) => (await author.get(url)).status))
    const listed = expectOk(await author.get(`${ASSESSMENTS_URL}?itemsPerPage=200`))['hydra:member'].some(
      (one: { id: number }) => one.id === paper.id,
    )
    return [...answers, listed, (await worker.get(paper['@id'])).status]
  }
  expect(await reads(await inForceFor(['ROLE_SAFETY_ADMIN']))).toEqual([404, 404, 404, 404, false, 404])
  expect(await reads(await inForceFor(MANAGEMENT))).toEqual([200, 200, 200, 200, true, 404])
})
