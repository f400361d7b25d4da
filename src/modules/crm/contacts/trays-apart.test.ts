import { describe, expect, test } from 'vitest'
import { now, toUnixSeconds } from '#kernel/time.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const namesOf = ({ body }: TestResponse): string[] =>
  body['hydra:member'].map((m: { companyName: string }) => m.companyName)

async function desk() {
  const client = await portal.client()
  const as = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  const make = async (companyName: string, more: object = {}) =>
    (await as.post(CONTACTS, { companyName, ...more })).body as { '@id': string; id: number }
  return { as, make }
}

describe('leads in a tray', () => {
  test('leads in a tray are excluded from lists and counts of all leads and of due leads unless requested', async () => {
    const { as, make } = await desk()
    const overdue = toUnixSeconds(now()) - 90 * 86_400
    const put = await make('Put away', { callbackDate: overdue })
    await make('Overdue', { callbackDate: overdue + 60 })
    await make('New')
    expect((await as.post(`${put['@id']}/outcomes`, { result: 48 })).status).toBe(200)
    const due = `order[callbackDate]=asc&callbackDate[lte]=${toUnixSeconds(now())}`
    for (const query of ['', '?retired=false&order[callbackDate]=asc', `?${due}`, '?lastResult.category=NEW'])
      expect([query, namesOf(await as.get(`${CONTACTS}${query}`)).includes('Put away')]).toEqual([query, false])
    expect(namesOf(await as.get(`${CONTACTS}?${due}`))).toEqual(['Overdue'])
    expect((await as.get(`${CONTACTS}/counts`)).body.ALL).toBe(2)
    expect((await as.get(CONTACTS)).body['hydra:totalItems']).toBe(2)
    expect((await as.get(`${CONTACTS}/export.csv`)).text).not.toContain('Put away')
    for (const query of [
      'owner=/api/crm/staff/baddetails',
      'owner.tray=true',
      'q=Put away',
      'companyName=Put',
      `id=${put.id}`,
    ])
      expect([query, namesOf(await as.get(`${CONTACTS}?${query}`))]).toEqual([query, ['Put away']])
    expect((await as.get(`${CONTACTS}/counts?owner=/api/crm/staff/baddetails`)).body.ALL).toBe(1)
    expect((await as.get(put['@id'])).status).toBe(200)
  })
})

describe('sorting leads by due date', () => {
  test('leads without a due date are listed last in ascending and in descending order', async () => {
    const { as, make } = await desk()
    const soon = toUnixSeconds(now()) + 3600
    await make('No clients to show')
    await make('Later', { callbackDate: soon + 60, expiry: soon + 60 })
    await make('Soon', { callbackDate: soon, expiry: soon })
    for (const field of ['callbackDate', 'expiry']) {
      expect(namesOf(await as.get(`${CONTACTS}?order[${field}]=desc`))).toEqual(['Later', 'Soon', 'No clients to show'])
      expect(namesOf(await as.get(`${CONTACTS}?order[${field}]=asc`))).toEqual(['Soon', 'Later', 'No clients to show'])
    }
    expect(namesOf(await as.get(`${CONTACTS}?order[callbackDate]=desc&itemsPerPage=2&page=2`))).toEqual([
      'No clients to show',
    ])
    expect(namesOf(await as.get(`${CONTACTS}?q=o&order[callbackDate]=desc`))).toEqual(['Soon', 'No clients to show'])
  })

  test('the API returns the time of the last note for each lead on a page', async () => {
    const { as, make } = await desk()
    const [one, other] = [await make('One'), await make('Other')]
    await as.post('/api/crm/actions', { contact: one['@id'], notes: 'Rang' })
    const { body } = await as.get(`${CONTACTS}/held?leads=${one.id},${other.id}`)
    expect(body.noted).toEqual([{ id: one.id, at: expect.any(Number) }])
    expect(Math.abs(body.noted[0].at - toUnixSeconds(now()))).toBeLessThan(120)
  })
})
