import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
let client: TestClient
let api: TestApi

beforeAll(async () => {
  client = await portal.client()
  api = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
})

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}
let n = 0
const lead = async (more: Record<string, unknown> = {}): Promise<CreatedRecord> => {
  const { status, body } = await api.post(CONTACTS, { companyName: `Updated ${++n} Ltd`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const read = async (it: CreatedRecord) => (await api.get(it['@id'])).body
const number = () => `01632 96${String(4000 + ++n)}`

const HEADINGS = ['Company', 'Phone', 'Mobile', 'Email', 'Town', 'Owner']
const upload = async (rows: readonly (readonly string[])[], headings = HEADINGS) => {
  const file = [headings, ...rows].map((r) => r.join(',')).join('\n')
  return (await api.send('POST', '/api/crm/imports', makeUploadForm(`${file}\n`, 'leads.csv'))).body
}
const start = async (up: CreatedRecord, body: Record<string, unknown>) => {
  const answer = await api.post(`${up['@id']}/start`, body)
  expect(answer.status, answer.text).toBe(200)
  await portal.drain()
  return (await api.get(up['@id'])).body
}
const lines = async (up: CreatedRecord) =>
  (await api.get(`/api/crm/import_lines?importBatch=${up.id}&itemsPerPage=100`)).body['hydra:member']

describe('an import that updates existing leads', () => {
  test('a trial run shows values before and after, and the import makes exactly these changes, with an audit row', async () => {
    const phone = number()
    const it = await lead({ phone, city: 'Leeds' })
    const up = await upload([['', phone.replace(' ', '-'), '07700 900801', 'new@update.example', 'York', '']])
    const early = await api.post(`${up['@id']}/start`, { duplicates: 'fill' })
    expect([early.status, early.body.code]).toEqual([409, 'preview_outdated'])

    const fill = await start(up, { duplicates: 'fill', dryRun: true })
    expect([fill.state, fill.rowsAdded, fill.rowsUpdated, fill.rowsDuplicate]).toEqual(['checked', 0, 1, 0])
    expect((await lines(up))[0]).toMatchObject({
      outcome: 'updated',
      contact: { '@id': it['@id'] },
      changes: { mobile: [null, '07700 900801'], email: [null, 'new@update.example'] },
    })
    expect(await read(it)).toMatchObject({ mobile: null, email: null })
    expect((await api.post(`${up['@id']}/start`, { duplicates: 'replace' })).status).toBe(409)

    await start(up, { duplicates: 'replace', dryRun: true })
    expect((await lines(up))[0].changes).toMatchObject({ city: ['Leeds', 'York'] })
    const done = await start(up, { duplicates: 'replace' })
    expect([done.state, done.rowsUpdated]).toEqual(['finished', 1])
    const after = { phone, mobile: '07700 900801', email: 'new@update.example', city: 'York' }
    expect(await read(it)).toMatchObject(after)
    const audit = await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows<{ verb: string; changes: object; username: string }>(
        "SELECT verb, changes, username FROM audit WHERE type = 'Contact' AND row_id = $1 ORDER BY id",
        [it.id],
      ),
    )
    expect(audit.at(-1)).toMatchObject({ verb: 'import', changes: { city: ['Leeds', 'York'] } })
    expect(audit.at(-1)?.username).toBe(audit[0]?.username)
    const [note] = (await api.get(`${it['@id']}/actions`)).body['hydra:member']
    expect(note.notes).toContain(`Import ${up.id}\nMobile: blank → 07700 900801`)
  })

  test('a row that matches several leads changes none of them', async () => {
    const [one, two] = [number(), number()]
    const leads = [await lead({ phone: one }), await lead({ phone: two })]
    const up = await upload([['', one, two, '', 'York', '']])
    expect(await start(up, { duplicates: 'replace', dryRun: true })).toMatchObject({ rowsUpdated: 0, rowsDuplicate: 1 })
    expect((await lines(up))[0].reason).toContain('Matches several existing leads')
    for (const it of leads) expect(await read(it)).toMatchObject({ city: null })
  })

  test('do-not-call numbers, suppressed and refused addresses, and owners stay unchanged', async () => {
    const [barred, suppressed, refused] = [number(), number(), number()]
    const address = `stop${n}@update.example`
    const ids = [
      await lead({ phone: barred, doNotCall: true }),
      await lead({ phone: suppressed, email: address }),
      await lead({ phone: refused, email: 'no' }),
    ]
    await portal.db.tx('system', (tx) =>
      tx.rows("INSERT INTO email_suppression (client_id, address, reason) VALUES ($1, $2, 'unsubscribed')", [
        client.id,
        address.toUpperCase(),
      ]),
    )
    await api.post('/api/crm/staff', { username: 'olga', name: 'Olga' })
    const up = await upload([
      ['', barred, '07700 900811', '', 'York', 'olga'],
      ['', suppressed, '', 'other@update.example', 'York', 'olga'],
      ['', refused, '', 'third@update.example', 'York', 'olga'],
    ])
    await start(up, { duplicates: 'replace', dryRun: true })
    expect(await start(up, { duplicates: 'replace' })).toMatchObject({ rowsUpdated: 3 })
    expect(await read(ids[0] as CreatedRecord)).toMatchObject({
      city: 'York',
      mobile: null,
      owner: null,
      doNotCall: true,
    })
    expect(await read(ids[1] as CreatedRecord)).toMatchObject({ city: 'York', email: address, owner: null })
    expect(await read(ids[2] as CreatedRecord)).toMatchObject({ city: 'York', email: 'no', owner: null })
  })

  test('a lead that was changed after the trial run, or that is being worked on, stays unchanged', async () => {
    const [edited, leased, free] = [number(), number(), number()]
    const leads = [await lead({ phone: edited }), await lead({ phone: leased }), await lead({ phone: free })]
    const up = await upload([edited, leased, free].map((phone) => ['', phone, '', '', 'York', '']))
    expect(await start(up, { duplicates: 'replace', dryRun: true })).toMatchObject({ rowsUpdated: 3 })
    await api.put((leads[0] as CreatedRecord)['@id'], { city: 'Bath' })
    await api.post(`${leads[1]?.['@id']}/lease`, {})
    expect(await start(up, { duplicates: 'replace' })).toMatchObject({ rowsUpdated: 1, rowsDuplicate: 2 })
    const towns = await Promise.all(leads.map(async (it) => (await read(it)).city))
    expect(towns).toEqual(['Bath', null, 'York'])
    expect((await lines(up)).map((l: { reason: string }) => l.reason.split(', which ')[1])).toEqual([
      'has been changed since the trial run, so it was left as it is',
      'is being worked on at the moment, so it was left as it is',
      undefined,
    ])
  })

  test('undoing an import restores changed values in the name of the user who undoes it, except those changed since', async () => {
    const [one, two] = [number(), number()]
    const leads = [await lead({ phone: one, city: 'Leeds' }), await lead({ phone: two, city: 'Leeds' })]
    const fresh = number()
    const up = await upload([
      ['', one, '', '', 'York', ''],
      ['', two, '', 'mine@update.example', 'York', ''],
      ['Fresh Ltd', fresh, '', '', 'York', ''],
    ])
    await start(up, { duplicates: 'replace', dryRun: true })
    expect(await start(up, { duplicates: 'replace' })).toMatchObject({ rowsUpdated: 2, rowsAdded: 1 })
    await api.put((leads[1] as CreatedRecord)['@id'], { city: 'Bath' })
    const other = await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })
    await client.as(other).post(`${up['@id']}/undo`, {})
    await portal.drain()
    expect((await api.get(up['@id'])).body).toMatchObject({ state: 'undone', rowsRemoved: 1, rowsKept: 1 })
    const audit = await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows<{ type: string; username: string }>(
        "SELECT type, username FROM audit WHERE type IN ('Contact', 'ImportBatch') AND verb IN ('import undone', 'undone') AND row_id = ANY($1::bigint[]) ORDER BY type, id",
        [[up.id, ...leads.map((it) => it.id)]],
      ),
    )
    expect(audit.map(({ type, username }) => [type, username])).toEqual([
      ['Contact', other.username],
      ['Contact', other.username],
      ['ImportBatch', other.username],
    ])
    const [note] = (await api.get(`${leads[0]?.['@id']}/actions`)).body['hydra:member']
    expect([note.author, note.notes]).toEqual([other.username, expect.stringContaining(`Import ${up.id} undone`)])
    expect(await read(leads[0] as CreatedRecord)).toMatchObject({ city: 'Leeds' })
    expect(await read(leads[1] as CreatedRecord)).toMatchObject({ city: 'Bath', email: null })
  })

  test('an import leaves a legal form and its need for consent unchanged, unless the file states another form', async () => {
    const email = () => `form${++n}@update.example`
    const sole = () => lead({ phone: number(), email: email(), legalForm: 'sole trader' })
    const leads = [await sole(), await sole(), await sole(), await lead({ phone: number(), legalForm: 'limited' })]
    const stated = await sole()
    const phones = await Promise.all([...leads, stated].map(async (it) => (await read(it)).phone))
    const none = await upload([[phones[0], '06734420', 'York']], ['Phone', 'Company number', 'Town'])
    const forms = ['', 'Alien', 'Limited', 'Unknown']
    const all = await upload(
      forms.map((form, k) => [[phones[1], phones[2], phones[4], phones[3]][k], `0673442${k + 1}`, 'York', form]),
      ['Phone', 'Company number', 'Town', 'Legal form'],
    )
    for (const up of [none, all]) {
      await start(up, { duplicates: 'replace', dryRun: true })
      await start(up, { duplicates: 'replace' })
    }
    const after = await Promise.all([...leads, stated].map(read))
    expect(after.map((it) => [it.city, it.legalForm, it.marketingBar])).toEqual([
      ...Array.from({ length: 3 }, () => ['York', 'sole trader', 'consent']),
      ['York', 'limited', null],
      ['York', 'limited', null],
    ])
  })

  test('an unknown legal form is filled in from the file, and a known one is not replaced', async () => {
    const [unknown, known] = [number(), number()]
    const leads = [await lead({ phone: unknown }), await lead({ phone: known, legalForm: 'partnership' })]
    const up = await upload(
      [unknown, known].map((phone) => [phone, 'Sole trader', 'York']),
      ['Phone', 'Legal form', 'Town'],
    )
    await start(up, { duplicates: 'fill', dryRun: true })
    await start(up, { duplicates: 'fill' })
    expect((await Promise.all(leads.map(read))).map((it) => it.legalForm)).toEqual(['sole trader', 'partnership'])
  })

  test('consent and a wrong e-mail address of an existing lead are not imported, and the report says so', async () => {
    const [filled, blank, wrong] = [number(), number(), number()]
    for (const phone of [filled, blank, wrong]) await lead({ phone, city: 'Leeds' })
    const consent = ['2026-01-05', 'form', 'Yes please']
    const up = await upload(
      [
        [filled, 'known@update.example', 'York', ...consent],
        [blank, '', 'York', '2026-01-05', '', 'Yes please'],
        [wrong, 'bob@dot..example', '', '', '', ''],
      ],
      ['Phone', 'Email', 'Town', 'Consent date', 'Consent how', 'Consent wording'],
    )
    await start(up, { duplicates: 'fill', dryRun: true })
    await start(up, { duplicates: 'fill' })
    const same = 'Same telephone number as an existing lead'
    expect((await lines(up)).map((l: { outcome: string; reason: string }) => [l.outcome, l.reason])).toEqual([
      ['updated', `${same}. Consent not imported: the lead already exists. Record the consent on the lead`],
      ['duplicate', expect.stringMatching(/no values to change\. Consent not imported: its date/)],
      ['duplicate', expect.stringMatching(/no values to change\. Email: not an e-mail address/)],
    ])
    expect((await api.get('/api/crm/marketing_consents?address=known@update.example')).body['hydra:member']).toEqual([])
  })

  test('a lead that occurs twice in a file is updated once, and a lead added by the file is not updated by a later row', async () => {
    const [known, fresh] = [number(), number()]
    await lead({ phone: known })
    const up = await upload([
      ['', known, '', '', 'York', ''],
      ['', known, '', '', 'Bath', ''],
      ['Fresh Two Ltd', fresh, '', '', '', ''],
      ['Fresh Two Ltd', fresh, '', '', 'Bath', ''],
    ])
    await start(up, { duplicates: 'fill', dryRun: true })
    expect(await start(up, { duplicates: 'fill' })).toMatchObject({ rowsUpdated: 1, rowsAdded: 1, rowsDuplicate: 2 })
  })
})

test("only lead administrators can see an import's changes", async () => {
  const caller = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  expect((await caller.get('/api/crm/import_lines')).status).toBe(403)
})
