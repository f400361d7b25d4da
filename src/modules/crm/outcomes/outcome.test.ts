import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { formatUkDate, londonDate, now, toUnixSeconds } from '#kernel/time.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { proposeCallbackDate, proposeCallbackTime } from './decide.ts'
import { getDefaultOutcome } from './outcome.server.ts'

const portal = await testPortal()
const OUTCOMES = '/api/crm/outcomes'
const RESULT = '/api/crm/last_results'
const MINE = { text: 'Wrong person', category: 'CB', effect: 'rest', interval: 3, notes: 'Wrong person. By {date}' }
let admin: TestApi
let caller: TestApi
let made: { '@id': string; id: number; key: number; version: number }[] = []

beforeAll(async () => {
  // Uses the provider, because only the provider can edit the list that all clients share.
  const client = portal.provider
  admin = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  caller = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
})
// Retires the outcomes that a test has added, because all tests share the list.
afterEach(async () => {
  for (const one of made) await admin.put(one['@id'], { retired: true })
  made = []
})
const make = async (more: Record<string, unknown> = {}) => {
  const answer = await admin.post(OUTCOMES, { ...MINE, ...more })
  if (answer.status === 201) made.push(answer.body)
  return answer
}
const lead = async (more: Record<string, unknown> = {}) =>
  (await caller.post('/api/crm/contacts', { companyName: 'Acme', ...more })).body
const end = (of: { '@id': string }, body: Record<string, unknown>) => caller.post(`${of['@id']}/outcomes`, body)

describe('call outcomes', () => {
  test('a new portal has the default outcomes, in the order of their shortcut keys', async () => {
    const { body } = await caller.get(`${OUTCOMES}?pagination=false&retired=false`)
    const keyed = body['hydra:member'].filter((row: { key: number | null; id: number }) => row.key && row.id < 1000)
    expect(keyed.map((row: { id: number }) => row.id)).toEqual([
      47, 31, 5, 30, 54, 3, 43, 18, 49, 4, 48, 11, 32, 46, 13,
    ])
    expect(keyed[0]).toMatchObject({ ...getDefaultOutcome(47), becomes: `${RESULT}/3`, version: 1, retired: false })
  })

  test('only lead administrators can change outcomes', async () => {
    const { status, body } = await make()
    expect([status, body.version, body.call, body.key]).toEqual([201, 1, true, 16])
    expect((await caller.post(OUTCOMES, MINE)).status).toBe(403)
    expect((await caller.put(body['@id'], { interval: 4 })).status).toBe(403)
    expect((await caller.post(`${OUTCOMES}/rehearsal`, { outcome: body['@id'] })).status).toBe(403)
    // The results endpoint also rejects the change.
    expect((await admin.put(`${RESULT}/${body.id}`, { text: 'Another' })).status).toBe(409)
  })

  test.each([
    [{ notes: 'By {name}' }, 'notes'],
    [{ notes: '' }, 'notes'],
    [{ effect: 'keep' }, 'notes'],
    [{ interval: null }, 'interval'],
    [{ interval: 25, unit: 'months' }, 'interval'],
    [{ effect: 'none' }, 'effect'],
    [{ effect: 'skip' }, 'effect'],
    [{ owner: 'tray' }, 'tray'],
    [{ key: 19 }, 'key'],
    [{ text: '' }, 'text'],
  ])('an outcome with %j is rejected on creation and on update', async (wrong, field) => {
    const fresh = await make(wrong)
    expect([fresh.status, fresh.body.violations?.[0]?.propertyPath]).toEqual([422, field])
    const { body } = await make()
    const changed = await admin.put(body['@id'], wrong)
    expect([changed.status, changed.body.violations?.[0]?.propertyPath]).toEqual([422, field])
    expect((await admin.get(body['@id'])).body).toMatchObject({ ...MINE, version: 1 })
  })

  test('each outcome has a unique shortcut key, and choosing a key in use swaps the keys of the two outcomes', async () => {
    const [one, two] = [(await make()).body, (await make({ text: 'Another' })).body]
    expect([one.key, two.key]).toEqual([16, 17])
    expect((await admin.put(two['@id'], { key: 16 })).body.key).toBe(16)
    expect((await admin.get(one['@id'])).body).toMatchObject({ key: 17, version: 1 })
    await admin.put(two['@id'], { retired: true })
    expect((await admin.get(two['@id'])).body).toMatchObject({ key: null, retired: true })
    expect((await admin.get(one['@id'])).body.key).toBe(17)
    expect((await make()).body.key).toBe(16)
    expect((await make()).body.key).toBe(18)
    expect((await make()).status).toBe(409)
  })

  test('outcomes have the configured effect, and their notes count as calls', async () => {
    const { body: rule } = await make({ becomes: `${RESULT}/3`, owner: 'caller' })
    const it = await lead()
    const { status, body } = await end(it, { result: `${RESULT}/${rule.id}`, version: 1 })
    const due = proposeCallbackTime(now(), { days: 3 })
    expect([status, body.note.notes]).toEqual([200, `Wrong person. By ${formatUkDate(due)}`])
    expect(body.contact).toMatchObject({
      lastResult: { '@id': `${RESULT}/3` },
      outcome: `${RESULT}/${rule.id}`,
      callbackDate: null,
    })
    expect(body.contact.owner).not.toBeNull()
    expect(Math.abs(body.contact.expiry - toUnixSeconds(due))).toBeLessThan(901)
    const calls = (await caller.get(`/api/crm/calls?contact=${it['@id']}`)).body['hydra:member']
    expect(calls.map((n: { id: number }) => n.id)).toEqual([body.note.id])
    // Notes with an outcome are still counted as calls after the outcome has been changed or retired.
    await admin.put(rule['@id'], { retired: true })
    expect((await caller.get(`/api/crm/calls?contact=${it['@id']}`)).body['hydra:totalItems']).toBe(1)
    expect((await caller.post(`${it['@id']}/undo`, { note: body.note.id })).body).toMatchObject({
      lastResult: null,
      owner: null,
      expiry: null,
    })
  })

  test('the callback date is not moved to a working day if the outcome allows any day', async () => {
    const { body: rule } = await make({ workingDays: false, interval: 1 })
    const it = await lead({ postcode: 'EH1 1YZ' })
    const { body } = await end(it, { result: `${RESULT}/${rule.id}` })
    const plain = proposeCallbackDate(now(), { days: 1 }, { workingDays: false }).at
    expect(body.note.notes).toBe(`Wrong person. By ${formatUkDate(plain)}`)
  })
})

describe('an outcome changed while a lead is open', () => {
  test('an outcome whose rule has changed is rejected with its new date, and is saved if the caller chooses it again', async () => {
    const { body: rule } = await make()
    const changed = await admin.put(rule['@id'], { interval: 5 })
    expect(changed.body.version).toBe(2)
    const it = await lead()
    const result = `${RESULT}/${rule.id}`
    const refused = await end(it, { result, version: 1, notes: 'Rang twice' })
    expect([refused.status, refused.body.code]).toEqual([409, 'rule_changed'])
    const due = formatUkDate(proposeCallbackTime(now(), { days: 5 }))
    expect(refused.body.detail).toContain(
      `“Wrong person” has changed since you opened the lead, and now sets the date ${due}`,
    )
    expect((await caller.get(`${it['@id']}/actions`)).body['hydra:totalItems']).toBe(0)
    expect((await end(it, { result, version: 2, notes: 'Rang twice' })).status).toBe(200)
  })

  test('a retired outcome is rejected; a request without a version uses the current rule', async () => {
    const { body: rule } = await make()
    const [one, two] = [await lead(), await lead()]
    expect((await end(one, { result: `${RESULT}/${rule.id}` })).status).toBe(200)
    await admin.put(rule['@id'], { retired: true })
    const refused = await end(two, { result: `${RESULT}/${rule.id}`, version: 1 })
    expect([refused.status, refused.body.code]).toEqual([409, 'rule_changed'])
    expect((await end(two, { result: `${RESULT}/${rule.id}` })).status).toBe(422)
  })

  test('changing only the label or meaning of an outcome does not increase its version', async () => {
    const { body: rule } = await make()
    expect((await admin.put(rule['@id'], { text: 'Other words', meaning: 'away' })).body.version).toBe(1)
  })
})

describe('an outcome simulation', () => {
  test('an outcome simulation recalculates recent calls by day and saves nothing', async () => {
    const { body: rule } = await make({ interval: 3, workingDays: false })
    for (let n = 0; n < 3; n++) await end(await lead(), { result: `${RESULT}/${rule.id}` })
    const { status, body } = await admin.post(`${OUTCOMES}/rehearsal`, {
      outcome: rule['@id'],
      interval: 10,
      unit: 'days',
      workingDays: false,
    })
    expect([status, body.concerned]).toEqual([200, 3])
    const total = (which: string) => body.days.reduce((n: number, d: Record<string, number>) => n + (d[which] ?? 0), 0)
    expect(total('before')).toBe(total('after'))
    expect(body.formula).toContain('Based on the last 500 calls')
    const on = (days: number) => {
      // A time that is rounded up just before midnight falls on the next day.
      const day = londonDate(proposeCallbackTime(now(), { days })).toString()
      return body.days.find((d: { day: string }) => d.day === day)
    }
    expect(on(3).before - on(3).after).toBe(3)
    expect(on(10).after - on(10).before).toBe(3)
    expect((await admin.get(rule['@id'])).body).toMatchObject({ interval: 3, version: 1 })
  })
})
