import { beforeAll, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'

const TALKS = '/api/safety/toolbox_talks'
const SIGN = '/api/safety/documents/to_sign'
const FINISH = '/api/safety/documents/to_finish'

let portal: TestPortal
let client: TestClient
let author: TestApi
let worker: TestApi

beforeAll(async () => {
  portal = await testPortal()
  client = await portal.client({ company: 'Own Work Ltd' })
  author = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin' }))
  worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Worker' }))
})

const ok = (answer: TestResponse) => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const titles = async (who: TestApi, url: string) =>
  ok(await who.get(url))['hydra:member'].map((d: { title: string }) => d.title)
const draft = async (title: string, more: Record<string, unknown> = {}) =>
  ok(await author.post(TALKS, { title, points: [{ text: 'Look up before you lift.' }], ...more }))
const complete = async (title: string, more: Record<string, unknown> = {}) => {
  const made = await draft(title, more)
  ok(await author.post(`${made['@id']}/complete`))
  return made
}
const current = async (title: string, more: Record<string, unknown> = {}) => {
  const made = await complete(title, more)
  return ok(await author.post(`${made['@id']}/approve`, {}))
}
const documentOf = (record: { id: number }) => `/api/safety/documents/${record.id}`

test("a current document is in each person's list of documents to sign until that person has signed", async () => {
  const talk = await current('Ladders')
  await complete('Not approved yet')
  await draft('Still being written')
  await current('A template of ours', { isTemplate: true })
  expect(await titles(worker, SIGN)).toEqual(['Ladders'])
  expect(await titles(author, SIGN)).toEqual(['Ladders'])
  ok(
    await worker.post('/api/safety/signatures', {
      document: documentOf(talk),
      method: 'typed',
    }),
  )
  expect(await titles(worker, SIGN)).toEqual([])
  expect(await titles(author, SIGN)).toEqual(['Ladders'])
})

test('a person on whose behalf another user signed is still asked to sign, and the next revision asks that person again', async () => {
  const talk = await current('Dust')
  const sign = { document: documentOf(talk), name: 'will worker' }
  ok(await author.post('/api/safety/signatures', { ...sign, method: 'on behalf' }))
  expect(await titles(worker, SIGN)).toContain('Dust')
  ok(await worker.post('/api/safety/signatures', { ...sign, method: 'typed' }))
  expect(await titles(worker, SIGN)).not.toContain('Dust')
  const next = ok(await author.post(`${talk['@id']}/revise`, { reason: 'New masks' }))
  expect(await titles(worker, SIGN)).not.toContain('Dust')
  ok(await author.post(`${next['@id']}/complete`))
  ok(await author.post(`${next['@id']}/approve`, {}))
  expect((await titles(worker, SIGN)).filter((t: string) => t === 'Dust')).toHaveLength(1)
})

test("an author's list contains their drafts, and rejected documents until a new draft is started", async () => {
  const other = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'], name: 'Olive Other' }))
  expect(await titles(other, FINISH)).toEqual([])
  const made = ok(await other.post(TALKS, { title: 'Noise', points: [{ text: 'Wear them.' }] }))
  expect(await titles(other, FINISH)).toEqual(['Noise'])
  expect(await titles(author, FINISH)).not.toContain('Noise')
  ok(await other.post(`${made['@id']}/complete`))
  expect(await titles(other, FINISH)).toEqual([])
  ok(await author.post(`${made['@id']}/reject`, { note: 'Say which ear defenders' }))
  expect(ok(await other.get(FINISH))['hydra:member']).toMatchObject([
    { title: 'Noise', state: 'rejected', decisionNote: 'Say which ear defenders' },
  ])
  ok(await author.post(`${made['@id']}/revise`, {}))
  expect(await titles(other, FINISH)).toEqual([])
})

test("other companies' documents are not in a user's work lists, and users without access to documents get an error", async () => {
  const far = await portal.client({ company: 'Elsewhere Ltd' })
  const stranger = far.as(await far.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  await current('Here only')
  expect(await titles(stranger, SIGN)).toEqual([])
  expect(await titles(stranger, FINISH)).toEqual([])
  const guest = client.as(await client.user({ roles: ['ROLE_RESELLER'] }))
  expect((await guest.get(SIGN)).status).toBe(403)
  expect((await worker.get(FINISH)).status).toBe(403)
})
