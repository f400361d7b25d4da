import { beforeAll, describe, expect, test } from 'vitest'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

const TALKS = '/api/safety/toolbox_talks'

let made: AssessmentHelpers

let portal: TestPortal

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
})

describe("content that can't be stored unchanged", () => {
  test.each([
    [
      'a talking point above the maximum length',
      TALKS,
      { title: 'x', points: [{ text: 'x'.repeat(1001) }] },
      'points[0].text',
    ],
    [
      'a list of more than 30 talking points',
      TALKS,
      { title: 'x', points: Array.from({ length: 31 }, () => ({ text: 'x' })) },
      'points',
    ],
    ['text instead of a list of talking points', TALKS, { title: 'x', points: 'all' }, 'points'],
    [
      'a group of people above the maximum length',
      ASSESSMENTS_URL,
      makeCompleteAssessment({ groupsAffected: ['Staff', 'x'.repeat(256)] }),
      'groupsAffected[1]',
    ],
    ['a null equipment item', ASSESSMENTS_URL, makeCompleteAssessment({ ppeItems: [null] }), 'ppeItems[0]'],
    ['an equipment list with a letter', ASSESSMENTS_URL, makeCompleteAssessment({ ppe: '1,2,x' }), 'ppe'],
    [
      'text instead of a list of statements',
      ASSESSMENTS_URL,
      makeCompleteAssessment({ methodStatement: { defaultStatements: 'str' } }),
      'methodStatement.defaultStatements',
    ],
    [
      'a contact name above the maximum length',
      ASSESSMENTS_URL,
      makeCompleteAssessment({ emergencyContact: [{ name: 'x'.repeat(256), number: '999' }] }),
      'emergencyContact[0].name',
    ],
    [
      'a fourth emergency contact',
      ASSESSMENTS_URL,
      makeCompleteAssessment({ emergencyContact: Array.from({ length: 4 }, () => ({ name: 'x', number: '999' })) }),
      'emergencyContact',
    ],
    [
      'a file caption above the maximum length',
      ASSESSMENTS_URL,
      makeCompleteAssessment({
        uploadedDocuments: [{ '@id': '/api/safety/uploaded_documents/1', label: 'x'.repeat(201) }],
      }),
      'uploadedDocuments[0].label',
    ],
  ])('%s is rejected with its path', async (_, url, body, path) => {
    const answer = await made.author.post(url, body)
    expect([answer.status, answer.body.violations?.[0]?.propertyPath]).toEqual([422, path])
  })
})

test('completion rejects characters that no print font contains, and names them', async () => {
  const draft = await made.draft({ description: 'የጣራ ጥገና' })
  const answer = await made.author.post(`${draft['@id']}/complete`)
  expect([answer.status, answer.body.violations?.[0]]).toEqual([
    422,
    expect.objectContaining({
      propertyPath: 'description',
      message: expect.stringContaining('can’t show የ ጣ ራ ጥ ገ'),
    }),
  ])
})

describe('sanitising content on saving', () => {
  test('saving a method statement removes scripts, event handlers and unknown properties', async () => {
    const text = '<p>Stop.<img src=x onerror=alert(1)><script>alert(1)</script></p>'
    const methodStatement = { defaultStatements: [{ '@id': '/x', title: 'Stop', text, more: 'x' }], junk: 'x' }
    const { methodStatement: kept } = await made.draft({ methodStatement })
    expect(JSON.stringify(kept)).not.toMatch(/script|onerror|junk|more/)
    expect(kept.defaultStatements[0]).toMatchObject({ title: 'Stop', text: expect.stringContaining('Stop.') })
    expect(kept).toMatchObject({ nonDefaultStatements: [], taskSelection: [] })
  })

  test('equipment is stored as a list of numbers, and only the first five groups of people are stored', async () => {
    const groupsAffected = ['a', 'b', 'c', 'd', 'e', 'f']
    const draft = await made.draft({ ppe: '1,2', groupsAffected })
    expect(draft.ppe).toEqual([1, 2])
    expect(draft.groupsAffected).toEqual(groupsAffected.slice(0, 5))
  })
})

test('a document states who changed it last, and names the real person behind an impersonation', async () => {
  const { client, author } = made
  const users = {
    own: await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }),
    staff: await portal.provider.user({ roles: ['ROLE_STAFF'] }),
  }
  const { body: draft } = await author.post(ASSESSMENTS_URL, makeCompleteAssessment())
  const changed = await client.as(users.own).put(draft['@id'], { location: 'Leeds', lastEditBy: 'somebody' })
  expect(changed.body.lastEditBy).toBe(users.own.username)
  const way = new URLSearchParams({ username: users.own.username, client: String(client.id) })
  const visit = await portal.provider.as(users.staff).get(`/api/security/user/switch?${way}`)
  const visitor = portal.bearing(visit.body.token)
  expect((await visitor.post('/api/security/user/write', { reason: 'They asked for help' })).status).toBe(200)
  expect((await visitor.patch(draft['@id'], { location: 'York' })).status).toBe(200)
  expect((await author.get(draft['@id'])).body).toMatchObject({
    author: draft.author,
    lastEditBy: users.staff.username,
  })
})
