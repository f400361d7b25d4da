import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { email, longText, phone, text } from '#kernel/fields.ts'
import { ApiError } from '../../api/client.ts'
import { changeRecordIfUnchanged, savedMeanwhile, selectValuesToCompare } from './change-if-unchanged.ts'

/**
 * Simulated record on the server. `race` is another person's change that happens after the record is read and before it
 * is written.
 */
let there: Record<string, unknown>
let race: (() => void) | undefined
let puts: Record<string, unknown>[]
let at = 0
const path = () => `/api/leads/${at}`

const partOf = 'contact person'
const fields = {
  name: text({ partOf }),
  jobTitle: text({ partOf }),
  mobile: phone({ partOf }),
  email: email({ partOf }),
  phone: phone({ partOf }),
  personNotes: longText({ partOf }),
  city: text(),
}
const BOB = { name: 'Bob Main', jobTitle: null, mobile: null, email: null, phone: '01632 960100', personNotes: null }
const GRACE = { ...BOB, name: 'Grace Two', mobile: '07700 900002' }

beforeEach(() => {
  at += 1
  there = { ...BOB, city: 'Leeds' }
  race = undefined
  puts = []
  vi.stubGlobal('fetch', async (_: string, { method, headers, body }: RequestInit) => {
    const etag = JSON.stringify(there)
    if (method === 'GET') {
      const answer = Response.json(there, { headers: { etag } })
      race?.()
      race = undefined
      return answer
    }
    if ((headers as Record<string, string>)['if-match'] !== etag) return Response.json({}, { status: 412 })
    const sent = JSON.parse(body as string) as Record<string, unknown>
    puts.push(sent)
    // Like the real server, the simulated server normalises typed values.
    there = { ...there, ...sent, ...(typeof sent.name === 'string' ? { name: sent.name.trim() } : {}) }
    return Response.json(there)
  })
})
afterEach(() => vi.unstubAllGlobals())

const shown = (names: readonly string[], record: Record<string, unknown> = { ...BOB, city: 'Leeds' }) =>
  selectValuesToCompare(fields, record, names)
const refused = async (change: Promise<unknown>) => {
  const error = await change.then(
    () => undefined,
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).message).toBe('Somebody else has changed this since you opened it. Nothing was saved.')
}

test('a field in a group is compared together with its group, and any other field alone', () => {
  expect(shown(['email'])).toEqual(BOB)
  expect(shown(['city'])).toEqual({ city: 'Leeds' })
})

test('a change to a group is rejected if the group was replaced before or during the save', async () => {
  there = { ...GRACE, city: 'Leeds' }
  await refused(changeRecordIfUnchanged(path(), { email: 'bob@acme.example' }, shown(['email'])))
  there = { ...BOB, city: 'Leeds' }
  race = () => {
    there = { ...GRACE, city: 'Leeds' }
  }
  await refused(changeRecordIfUnchanged(path(), { email: 'bob@acme.example' }, shown(['email'])))
  // The change must be rejected even if the other person happens to have entered the same value.
  there = { ...GRACE, email: 'office@acme.example' }
  await refused(changeRecordIfUnchanged(path(), { email: 'office@acme.example' }, shown(['email'])))
  expect(puts).toEqual([])
})

test("a rejected change returns the other user's value, and can then replace exactly that value", async () => {
  there = { ...there, city: 'York' }
  const base = { city: 'Leeds' }
  const refusal = await changeRecordIfUnchanged(path(), { city: 'Hull' }, base).catch((e: unknown) => e)
  const theirs = savedMeanwhile(refusal)
  expect(theirs).toEqual({ city: 'York' })
  await changeRecordIfUnchanged(path(), { city: 'Hull' }, { ...base, ...theirs })
  expect(there.city).toBe('Hull')
})

test("another user's change to an unrelated field does not block a save", async () => {
  race = () => {
    there = { ...there, city: 'York' }
  }
  await changeRecordIfUnchanged(path(), { email: 'bob@acme.example' }, shown(['email']))
  expect(there).toMatchObject({ name: 'Bob Main', email: 'bob@acme.example', city: 'York' })
})

test("successive changes by the same page are not mistaken for another user's, even if the server normalises the values", async () => {
  const typed = { ...BOB, name: ' Rob Main ' }
  await Promise.all([
    changeRecordIfUnchanged(path(), { name: ' Rob Main ' }, shown(['name'])),
    changeRecordIfUnchanged(path(), { email: 'rob@acme.example' }, shown(['email'])),
    changeRecordIfUnchanged(
      path(),
      { mobile: '07700 900001' },
      shown(['mobile'], { ...typed, email: 'rob@acme.example' }),
    ),
  ])
  expect(there).toMatchObject({ name: 'Rob Main', email: 'rob@acme.example', mobile: '07700 900001' })
  // The other person's change must be detected.
  there = { ...GRACE, city: 'Leeds' }
  await refused(changeRecordIfUnchanged(path(), { email: '' }, shown(['email'])))
})

test('a change that reached the server is not sent again if its response was lost', async () => {
  there = { ...there, email: 'bob@acme.example' }
  expect(await changeRecordIfUnchanged(path(), { email: 'bob@acme.example' }, shown(['email']))).toMatchObject({
    name: 'Bob Main',
  })
  expect(puts).toEqual([])
})
