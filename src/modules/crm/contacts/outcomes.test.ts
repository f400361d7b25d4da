import { beforeAll, describe, expect, test } from 'vitest'
import { now, toUnixSeconds } from '#kernel/time.ts'
import {
  decideLegacyOutcome,
  findLegacyOutcome,
  LEGACY_OUTCOMES,
  type LegacyOutcome,
} from '#test/support/former-outcomes.ts'
import { type TestApi, type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const RESULT = '/api/crm/last_results'
const DAY = 86_400
const soon = () => toUnixSeconds(now()) + 3 * DAY
let client: TestClient
let caller: TestUser
let as: TestApi

type Lead = Record<string, never> & { '@id': string; id: number }
interface LeadBody {
  owner: { username: string } | null
  lastResult: { '@id': string } | null
  expiry: number | null
  callbackDate: number | null
  doNotCall: boolean
}

beforeAll(async () => {
  client = await portal.client()
  caller = await client.user({ roles: ['ROLE_STAFF'], name: 'Jane Caller' })
  as = client.as(caller)
})
/** Each lead gets its own telephone number, because an opt-out applies to every lead with the same number. */
let number = 960_000
const lead = async (more: Record<string, unknown> = {}) =>
  (
    await as.post('/api/crm/contacts', {
      companyName: 'Acme',
      phone: `01632 ${++number}`,
      expiry: soon(),
      callbackDate: soon(),
      ...more,
    })
  ).body as Lead
const finish = (it: Lead, body: Record<string, unknown>, query = '') => as.post(`${it['@id']}/outcomes${query}`, body)
const notes = async (it: Lead) => (await as.get(`${it['@id']}/actions`)).body['hydra:member']
const stands = (c: LeadBody) => ({
  owner: c.owner?.username ?? null,
  lastResult: c.lastResult && Number(c.lastResult['@id'].split('/').at(-1)),
  expiry: c.expiry,
  callbackDate: c.callbackDate,
})
const near = (a: unknown, b: unknown) =>
  typeof a === 'number' && typeof b === 'number' ? expect(Math.abs(a - b)).toBeLessThan(5) : expect(a).toBe(b)

describe.each(LEGACY_OUTCOMES.map((o) => [o.result, o] as const))(
  'call outcome %i',
  (result, outcome: LegacyOutcome) => {
    test.each([
      ['without a date', undefined],
      ['with a date', toUnixSeconds(now()) + 40 * DAY],
    ])('an outcome %s updates the lead, its note and its owner in one request', async (_, date) => {
      const it = await lead()
      const decided = decideLegacyOutcome(outcome, now(), date)
      const { status, body } = await finish(it, {
        result: `${RESULT}/${result}`,
        notes: ' Spoke to reception. ',
        minutes: 4,
        ...(date ? { date } : {}),
      })
      expect(status).toBe(200)
      const got = stands(body.contact)
      expect(got.lastResult).toBe(decided.lastResult ?? null)
      expect(got.owner).toBe(decided.tray ?? null)
      near(got.expiry, decided.expiry === undefined ? (it as unknown as LeadBody).expiry : decided.expiry)
      near(
        got.callbackDate,
        decided.callbackDate === undefined ? (it as unknown as LeadBody).callbackDate : decided.callbackDate,
      )
      expect(body.contact.doNotCall).toBe(result === 4)
      expect(body.contact.lastEditBy).toBe(caller.username)
      expect(body.note).toMatchObject({
        contact: it['@id'],
        notes: `${decided.note}\nSpoke to reception.`,
        minutes: 4,
        author: caller.username,
        user: { username: caller.username, name: 'Jane Caller' },
        lastResult: { '@id': `${RESULT}/${result}` },
        retired: false,
      })
      expect(body.note).not.toHaveProperty('before')
      expect((await as.get(it['@id'])).body).toEqual({ '@context': '/api/contexts/Contact', ...body.contact })
      expect((await notes(it)).map((n: { id: number }) => n.id)).toEqual([body.note.id])
    })

    test('an outcome has the same result as separate PUT and POST requests', async () => {
      const [one, other] = [await lead(), await lead()]
      await finish(one, { result: `${RESULT}/${result}` })
      const { lastResult, expiry, callbackDate, tray, note } = decideLegacyOutcome(outcome, now())
      const change = {
        '@id': other['@id'],
        ...(lastResult === undefined ? {} : { lastResult: `/last_results/${lastResult}` }),
        ...(expiry === undefined ? {} : { expiry }),
        ...(callbackDate === undefined ? {} : { callbackDate }),
        ...(tray ? { owner: `/api/crm/staff/${tray}` } : {}),
      }
      expect((await as.put(other['@id'], change)).status).toBe(200)
      const posted = await as.post('/api/crm/actions', {
        contact: other['@id'],
        user: `/staff/${caller.username}`,
        notes: note,
        lastResult: `${RESULT}/${result}`,
      })
      expect(posted.status).toBe(201)
      const [a, b] = [stands((await as.get(one['@id'])).body), stands((await as.get(other['@id'])).body)]
      expect({ ...b, expiry: 0, callbackDate: 0 }).toEqual({ ...a, expiry: 0, callbackDate: 0 })
      near(b.expiry, a.expiry)
      near(b.callbackDate, a.callbackDate)
      const said = (n: Record<string, unknown>[]) =>
        n.filter((x) => (x.lastResult as { '@id': string })['@id'] === `${RESULT}/${result}`)
      expect(said(await notes(other)).map((n) => n.notes)).toEqual(said(await notes(one)).map((n) => n.notes))
    })
  },
)

describe('recording an outcome', () => {
  test.each([
    [{}, 422],
    [{ result: null }, 422],
    [{ result: `${RESULT}/40` }, 422],
    [{ result: `${RESULT}/9999` }, 422],
    [{ result: '/api/crm/contacts/1' }, 400],
    [{ result: 'nonsense' }, 400],
    [{ result: `${RESULT}/3`, minutes: -1 }, 422],
    [{ result: `${RESULT}/3`, minutes: 1441 }, 422],
    [{ result: `${RESULT}/3`, minutes: 'many' }, 400],
    [{ result: `${RESULT}/3`, date: 'tomorrow' }, 400],
    [{ result: `${RESULT}/3`, date: 1e15 }, 400],
    [{ result: `${RESULT}/3`, notes: 'x'.repeat(20_001) }, 422],
    [{ result: `${RESULT}/3`, notes: 5 }, 400],
  ])('an outcome with %j is rejected and changes nothing', async (body, expected) => {
    const it = await lead()
    expect((await finish(it, body)).status).toBe(expected)
    expect(await notes(it)).toEqual([])
    expect(stands((await as.get(it['@id'])).body)).toEqual(stands(it as unknown as LeadBody))
  })

  test('an outcome stores typed text unchanged, without interpreting HTML or SQL', async () => {
    const it = await lead()
    const typed = `<script>alert(1)</script> '; DROP TABLE note; -- 👷 ${'é'.repeat(200)}`
    const { body } = await finish(it, { result: `${RESULT}/49`, notes: `${typed}\u0000` })
    expect(body.note.notes).toBe(`Skipped this lead.\n${typed}`)
  })

  test('an outcome is recorded in the audit trail as “outcome”', async () => {
    const it = await lead()
    await finish(it, { result: `${RESULT}/47` })
    const trail = await portal.db.tx('system', (tx) =>
      tx.rows(
        `SELECT type, verb, username FROM audit WHERE client_id = $1 AND (type, row_id) = ('Contact', $2) ORDER BY id`,
        [client.id, it.id],
      ),
    )
    expect(trail).toEqual([
      { type: 'Contact', verb: 'create', username: caller.username },
      { type: 'Contact', verb: 'outcome', username: caller.username },
    ])
  })

  test("an outcome for an unknown lead or another client's lead returns 404", async () => {
    const it = await lead()
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_STAFF'] }))
    expect((await stranger.post(`${it['@id']}/outcomes`, { result: `${RESULT}/3` })).status).toBe(404)
    expect((await as.post('/api/crm/contacts/99999999/outcomes', { result: `${RESULT}/3` })).status).toBe(404)
    expect(await notes(it)).toEqual([])
  })

  test('an outcome returns the next lead of the requested list, leased and with its notes', async () => {
    const { as: mine } = await desk()
    const make = async (companyName: string, category?: number) =>
      (
        await mine.post('/api/crm/contacts', {
          companyName,
          ...(category ? { lastResult: `${RESULT}/${category}` } : {}),
        })
      ).body as Lead
    const [first, other, second] = [await make('A'), await make('B', 2), await make('C')]
    await mine.post('/api/crm/actions', { contact: second['@id'], notes: 'Rang before' })
    const { body } = await mine.post(`${first['@id']}/outcomes?lastResult.category=NEW`, { result: `${RESULT}/47` })
    expect([body.next.id, body.next.actions.map((n: { notes: string }) => n.notes)]).toEqual([
      second.id,
      ['Rang before'],
    ])
    const downloaded = await mine.post(`${second['@id']}/outcomes?lastResult.category=DOWNL`, {
      result: `${RESULT}/47`,
    })
    expect(downloaded.body.next.id).toBe(other.id)
    const last = await mine.post(`${other['@id']}/outcomes?lastResult.category=DOWNL`, { result: `${RESULT}/47` })
    expect(last.body.next).toBeNull()
  })
})

describe('a call result set by PUT', () => {
  test('a result set by PUT is rejected while a colleague is working the lead, just as an outcome would be', async () => {
    const it = await lead()
    const colleague = client.as(await client.user({ roles: ['ROLE_STAFF'], name: 'Tom Other' }))
    await colleague.post(`${it['@id']}/lease`, {})
    for (const refused of [
      await finish(it, { result: `${RESULT}/47` }),
      await as.put(it['@id'], { lastResult: `${RESULT}/3` }),
    ])
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Tom Other')])
    expect((await as.put(it['@id'], { city: 'Leeds' })).status).toBe(200)
    expect((await colleague.put(it['@id'], { lastResult: `${RESULT}/3` })).status).toBe(200)
  })

  test('a lead set to “Dead” is flagged as do not call, and a later edit does not clear the flag', async () => {
    const it = await lead()
    expect((await as.put(it['@id'], { lastResult: `${RESULT}/4` })).body.doNotCall).toBe(true)
    expect((await as.put(it['@id'], { city: 'Leeds' })).body.doNotCall).toBe(true)
    expect(
      (await as.post('/api/crm/contacts', { companyName: 'Gone', lastResult: `${RESULT}/4` })).body.doNotCall,
    ).toBe(true)
  })
})

describe('undoing an outcome', () => {
  const undo = (api: TestApi, it: Lead, note: number) => api.post(`${it['@id']}/undo`, { note })

  test.each(LEGACY_OUTCOMES.map((o) => o.result))('undoing outcome %i restores all previous values', async (result) => {
    const it = await lead({ lastResult: `${RESULT}/5` })
    const before = (await as.get(it['@id'])).body
    const { body } = await finish(it, { result: `${RESULT}/${result}` })
    const undone = await undo(as, it, body.note.id)
    expect(undone.status).toBe(200)
    const after = (await as.get(it['@id'])).body
    const timeless = (c: Record<string, unknown>) => ({ ...c, updatedAt: null })
    expect(timeless(after)).toEqual(timeless(before))
    expect(await notes(it)).toEqual([])
    expect((await undo(as, it, body.note.id)).status).toBe(404)
    expect(findLegacyOutcome(result)).toBeTruthy()
  })

  test('an outcome can be undone only by its author and only for one minute', async () => {
    const it = await lead()
    const { body } = await finish(it, { result: `${RESULT}/47` })
    const colleague = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
    expect((await undo(colleague, it, body.note.id)).status).toBe(404)
    await portal.db.tx('system', (tx) =>
      tx.rows(`UPDATE note SET timestamp = timestamp - interval '61 seconds' WHERE id = $1`, [body.note.id]),
    )
    const late = await undo(as, it, body.note.id)
    expect([late.status, late.body.detail]).toEqual([
      409,
      'It is too late to undo this outcome. Please record the correct outcome instead.',
    ])
  })

  test("undo returns 404 for a note that is not an outcome and for another lead's outcome", async () => {
    const [it, other] = [await lead(), await lead()]
    const plain = (await as.post('/api/crm/actions', { contact: it['@id'], notes: 'Hello' })).body
    const { body } = await finish(other, { result: `${RESULT}/47` })
    for (const note of [plain.id, body.note.id, 0, 99_999_999]) expect((await undo(as, it, note)).status).toBe(404)
    expect((await as.post(`${it['@id']}/undo`, {})).status).toBe(422)
  })

  test('only the last outcome of a lead can be undone', async () => {
    const it = await lead()
    const first = (await finish(it, { result: `${RESULT}/31` })).body.note.id
    const second = (await finish(it, { result: `${RESULT}/4` })).body.note.id
    expect((await undo(as, it, first)).status).toBe(409)
    expect((await as.get(it['@id'])).body.doNotCall).toBe(true)
    expect((await undo(as, it, second)).status).toBe(200)
    expect((await undo(as, it, first)).status).toBe(200)
    expect(stands((await as.get(it['@id'])).body)).toEqual(stands(it as unknown as LeadBody))
  })

  test('undoing an outcome does not take the lead away from a colleague who is working it', async () => {
    const it = await lead()
    const { body } = await finish(it, { result: `${RESULT}/49` })
    const colleague = client.as(await client.user({ roles: ['ROLE_STAFF'], name: 'Tom Other' }))
    expect((await colleague.post(`${it['@id']}/lease`, {})).body.contact.id).toBe(it.id)
    const refused = await undo(as, it, body.note.id)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Tom Other')])
    expect((await colleague.post(`${it['@id']}/outcomes`, { result: `${RESULT}/47` })).status).toBe(200)
  })
})

/** Creates a separate tenant with a caller, so that no other test adds leads to the queue. */
async function desk() {
  const own = await portal.client()
  const user = await own.user({ roles: ['ROLE_STAFF'] })
  return { client: own, user, as: own.as(user) }
}

describe('one outcome per call', () => {
  test('an outcome is rejected and saves nothing if another one has been recorded in another window', async () => {
    const it = await lead()
    const seen = { outcomes: 0 }
    expect((await finish(it, { result: `${RESULT}/47`, ...seen })).status).toBe(200)
    const { status, body } = await finish(it, { result: `${RESULT}/43`, notes: 'Typed', ...seen })
    expect(status).toBe(409)
    expect(body['hydra:description']).toMatch(
      /^This lead has had another outcome since you opened it: No answer, by you at .*\. Nothing was saved\.$/,
    )
    expect(await notes(it)).toHaveLength(1)
    const again = await finish(it, { result: `${RESULT}/43`, outcomes: 1 })
    expect(again.status).toBe(200)
    // An undone outcome no longer counts towards the lead's outcomes.
    await as.post(`${it['@id']}/undo`, { note: again.body.note.id })
    expect((await as.get(it['@id'])).body).toMatchObject({ outcomes: 1, outcome: `${RESULT}/47` })
    expect((await finish(it, { result: `${RESULT}/3`, outcomes: 1 })).status).toBe(200)
  })

  test('an outcome sent without the expected number of outcomes is accepted', async () => {
    const it = await lead()
    for (const result of [47, 43]) expect((await finish(it, { result: `${RESULT}/${result}` })).status).toBe(200)
  })
})

test('a lead stores the chosen outcome even if that outcome sets a different result', async () => {
  const it = await lead()
  await finish(it, { result: `${RESULT}/43` })
  expect((await as.get(it['@id'])).body).toMatchObject({
    outcome: `${RESULT}/43`,
    lastResult: { '@id': `${RESULT}/3`, text: 'Not at this time' },
  })
  await as.put(it['@id'], { lastResult: `${RESULT}/5` })
  expect((await as.get(it['@id'])).body).toMatchObject({ outcome: null, outcomes: 1 })
})

describe('the “do not call” flag', () => {
  test('“do not call” can be lifted only with a reason, and the timeline shows the reason', async () => {
    const admin = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
    const it = await lead({ doNotCall: true })
    expect((await as.put(it['@id'], { doNotCall: false, callAgainReason: 'They rang us.' })).status).toBe(403)
    for (const { status, body } of [
      await admin.put(it['@id'], { doNotCall: false }),
      await admin.put(it['@id'], { doNotCall: false, callAgainReason: ' ' }),
      await admin.patch(it['@id'], { doNotCall: false }),
    ]) {
      expect(status).toBe(422)
      expect(body.violations[0]).toMatchObject({ propertyPath: 'callAgainReason' })
    }
    const lifted = await admin.put(it['@id'], { doNotCall: false, callAgainReason: 'They rang us.' })
    expect(lifted.body.doNotCall).toBe(false)
    expect((await notes(it))[0].notes).toBe(
      'Do not call: yes → no\nWhy this lead may be called again: blank → They rang us.',
    )
    // Lifting a later opt-out requires a new reason.
    await as.put(it['@id'], { doNotCall: true })
    expect((await admin.put(it['@id'], { doNotCall: false })).status).toBe(422)
    expect((await admin.put(it['@id'], { doNotCall: false, callAgainReason: 'They rang us.' })).status).toBe(200)
  })

  test('“do not call” set by an outcome is lifted when the outcome is undone', async () => {
    const it = await lead()
    const { body } = await finish(it, { result: `${RESULT}/4` })
    expect((await as.post(`${it['@id']}/undo`, { note: body.note.id })).body.doNotCall).toBe(false)
  })
})
