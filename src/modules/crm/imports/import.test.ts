import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'
import { listFailedJobs } from '#server/jobs/schedules.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { cleanUpImport, importEnded } from './decide.server.ts'

const SAMPLE = readFileSync(join(import.meta.dirname, '../../../../samples/companies-house-sample.csv'))
const folder = mkdtempSync(join(tmpdir(), 'import-test-'))
const portal = await (await testPortal()).with({ DATA_DIR: folder })
afterAll(() => rmSync(folder, { recursive: true }))

async function office(): Promise<{ client: TestClient; api: TestApi }> {
  const client = await portal.client()
  return { client, api: client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })) }
}

const BOUNDARY = 'xxBOUNDARYxx'
const upload = (api: TestApi, content: string | Buffer, name = 'leads.csv', headers: Record<string, string> = {}) =>
  api.send('POST', '/api/crm/imports', {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
    body: Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]),
  })

const done = () => portal.drain()
const put = async (api: TestApi, iri: string, verb: string, body: Record<string, unknown> = {}) => {
  const answer = await api.post(`${iri}/${verb}`, body)
  expect(answer.text).not.toContain('hydra:Error')
  await done()
  return (await api.get(iri)).body
}
/** Uploads a file, starts its import, and returns the import's final state. */
async function bring(api: TestApi, content: string | Buffer, body: Record<string, unknown> = {}) {
  const up = await upload(api, content)
  expect(up.status).toBe(201)
  return put(api, up.body['@id'], 'start', body)
}
const counts = (b: Record<string, unknown>) => [b.rowsRead, b.rowsAdded, b.rowsDuplicate, b.rowsRefused]
const leads = async (api: TestApi, query = '') =>
  (await api.get(`/api/crm/contacts?retired=false&itemsPerPage=100&${query}`)).body
const lines = async (api: TestApi, id: number) =>
  (await api.get(`/api/crm/import_lines?importBatch=${id}&itemsPerPage=100`)).body['hydra:member']

describe('a file of companies', () => {
  test('a file of companies is imported, a second upload finds its rows to be duplicates, and the import can be undone', async () => {
    const { client, api } = await office()
    const up = await upload(api, SAMPLE, 'C:\\fakepath\\companies.csv')
    expect(up.status).toBe(201)
    expect(up.headers.location).toBe(up.body['@id'])
    expect(up.body).toMatchObject({ state: 'waiting', fileName: 'companies.csv', rowsTotal: 800 })
    expect(up.body.sample).toHaveLength(5)
    expect(up.body.mapping).toMatchObject({
      CompanyName: 'companyName',
      CompanyNumber: 'companyNumber',
      'RegAddress.PostTown': 'city',
      'RegAddress.PostCode': 'postcode',
      'SICCode.SicText_1': 'sic',
    })
    expect(up.body).not.toHaveProperty('fileKey')

    const dry = await put(api, up.body['@id'], 'start', { dryRun: true })
    expect([dry.state, ...counts(dry)]).toEqual(['checked', 800, 800, 0, 0])
    expect((await leads(api))['hydra:totalItems']).toBe(0)

    const first = await put(api, up.body['@id'], 'start', { mapping: up.body.mapping })
    expect([first.state, ...counts(first)]).toEqual(['finished', 800, 800, 0, 0])
    expect((await api.get('/api/crm/contacts/count')).body.count).toBe(800)
    expect(readdirSync(join(folder, 'uploads'))).not.toContain(expect.stringContaining('.csv'))
    const [plumber] = (await leads(api, 'companyNumber=07405600'))['hydra:member']
    expect(plumber).toMatchObject({
      companyName: "A' RATED EFFICIENCY HEATING & PLUMBING LTD".replace(/^/, "'"),
      city: 'ROTHERHAM',
      businessType: { name: 'Engineering and fabrication' },
    })

    const again = await bring(api, SAMPLE)
    expect(counts(again)).toEqual([800, 0, 800, 0])
    expect(again.report).toEqual([
      { outcome: 'duplicate', reason: 'Same company number as an existing lead', rows: 800 },
    ])
    const [line] = await lines(api, again.id)
    expect(line).toMatchObject({ line: 2, outcome: 'duplicate', contact: { companyName: '! LTD' } })

    // One lead has an outcome and another is leased, so the undo must retain both.
    await api.post(`${plumber['@id']}/outcomes`, { result: '/api/crm/last_results/31', notes: 'Rang' })
    const undone = await put(api, first['@id'], 'undo')
    expect(undone).toMatchObject({ state: 'undone', rowsRemoved: 798, rowsKept: 2 })
    expect((await api.get('/api/crm/contacts/count')).body.count).toBe(2)
    expect((await leads(api))['hydra:totalItems']).toBe(2)
    const kept = await lines(api, first.id)
    expect(kept.find((l: { contact: { id: number } }) => l.contact.id === plumber.id)).toMatchObject({
      outcome: 'kept',
      reason: 'This lead has been worked on',
    })
    expect(kept.map((l: { reason: string }) => l.reason)).toContain('This lead is being worked on at the moment')
    const audit = await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows<{ verb: string }>("SELECT verb FROM audit WHERE type = 'ImportBatch' AND row_id = $1 ORDER BY id", [
        first.id,
      ]),
    )
    expect(audit.map((a) => a.verb)).toEqual(['create', 'start', 'start', 'finished', 'undo', 'undone'])
  })
})

test('leads without a telephone number are reported by the dry run, keep the "not asked" defaults and can be filtered by import', async () => {
  const { api } = await office()
  const up = await upload(api, 'Company,Phone,Mobile\nAcme,01632 960001,\nBeta,,\nGamma,,07700 900001\nDelta,,\n')
  const reasons = [{ outcome: 'incomplete', reason: 'No phone number: the lead can’t be called', rows: 2 }]
  const dry = await put(api, up.body['@id'], 'start', { dryRun: true })
  expect([counts(dry), dry.report]).toEqual([[4, 4, 0, 0], reasons])
  const done = await put(api, up.body['@id'], 'start')
  expect([counts(done), done.report]).toEqual([[4, 4, 0, 0], reasons])
  const brought = (await leads(api, `importBatch=${done.id}`))['hydra:member']
  expect(brought.map((l: { employees: string; subContractors: string }) => [l.employees, l.subContractors])).toEqual(
    Array.from({ length: 4 }, () => ["I didn't ask", "I didn't ask"]),
  )
  expect((await leads(api, `importBatch=${done.id + 1}`))['hydra:totalItems']).toBe(0)
})

describe('uploaded files', () => {
  test.each<[string, string | Buffer, number[]]>([
    ['semicolons and a byte order mark', '\ufeffCompany;Phone\nAcme Ltd;01632 960001\n', [1, 1, 0, 0]],
    ['UTF-16', Buffer.from('\ufeffCompany\tPhone\r\nCafé Zoë\t01632 960001\r\n', 'utf16le'), [1, 1, 0, 0]],
    ['Windows-1252', Buffer.from('Company,Phone\nCaf\xe9 Zo\xeb,01632 960001\n', 'latin1'), [1, 1, 0, 0]],
    [
      'rows with missing or extra cells',
      'Company,Phone,City\nAcme\nBeta,1,2,3\nGamma,01632 960003,Leeds,,\n',
      [3, 2, 0, 1],
    ],
    ['rows without a name or contact details', 'Company,Phone,City\n,,Leeds\nAcme,,\n', [2, 1, 0, 1]],
    ['values that are too long', `Company,Phone\n${'x'.repeat(300)},1\nAcme,${'1'.repeat(60)}\n`, [2, 0, 0, 2]],
    [
      'the same telephone number twice in a file',
      'Company,Phone\nAcme,+44 (0)1632 960123\nAcme Two,01632-960 123\n',
      [2, 1, 1, 0],
    ],
    ['blank and "no" e-mail addresses, which match no other row', 'Company,Email\nA,no\nB,no\nC,\nD,\n', [4, 4, 0, 0]],
    ['a telephone number truncated by a spreadsheet', 'Company,Phone\nAcme,4.41632E+11\n', [1, 0, 0, 1]],
    ['an unknown owner', 'Company,Owner\nAcme,nobody.here\n', [1, 0, 0, 1]],
  ])(
    'rows of an uploaded file are counted as read, added, duplicate and rejected: %s',
    async (_, content, expected) => {
      const { api } = await office()
      expect(counts(await bring(api, content))).toEqual(expected)
    },
  )

  test('cleaning up after an import of many rows leaves no failed job', async () => {
    const { client } = await office()
    await portal.db.tx('system', (tx) =>
      writeOutboxEvent(portal.engine, tx, client.id, importEnded, { file: null, grown: true }),
    )
    await done()
    expect((await listFailedJobs(portal.db)).filter((f) => f.job === cleanUpImport.name)).toEqual([])
  })

  test('formulas in uploaded files are imported as plain text and escaped in the report', async () => {
    const { api } = await office()
    const batch = await bring(
      api,
      `Company,Phone,Notes,Email\n=HYPERLINK("http://x"),+44 1632 960005,'=1+1,a@b.example\n@SUM(1),,"=""007""",nonsense\n`,
    )
    expect(counts(batch)).toEqual([2, 1, 0, 1])
    const [lead] = (await leads(api))['hydra:member']
    expect(lead).toMatchObject({ companyName: '=HYPERLINK("http://x")', phone: '+44 1632 960005' })
    const [note] = (await api.get(`${lead['@id']}/actions`)).body['hydra:member']
    expect(note).toMatchObject({ notes: '=1+1', reason: `Import ${batch.id}` })
    const file = await api.get(`${batch['@id']}/report.csv`)
    expect(file.headers['content-type']).toContain('text/csv')
    expect(file.text).toContain(`'@SUM(1),,"'=""007""",nonsense,3,Rejected,Email: Please enter an e-mail address`)
  })

  test('the reason for rejecting a row names the column and the error', async () => {
    const { api } = await office()
    const batch = await bring(api, `Firm,Post Code\nAcme,${'x'.repeat(40)}\nBeta,LS1 1AA,extra\n`)
    expect((await lines(api, batch.id)).map((l: { reason: string }) => l.reason)).toEqual([
      'Post Code: Postcode can have at most 12 characters; this text has 40',
      'This row has 3 values under 2 headings',
    ])
  })

  test('duplicates are added and reported if the user chooses to add them', async () => {
    const { api } = await office()
    const batch = await bring(api, 'Company,Phone\nAcme,01632 960123\nBeta,01632 960123\n', { duplicates: 'add' })
    expect(counts(batch)).toEqual([2, 2, 0, 0])
    expect(await lines(api, batch.id)).toMatchObject([
      { line: 3, outcome: 'added', contact: { companyName: 'Acme' }, reason: expect.stringContaining('(line 2)') },
    ])
  })

  test('imported leads are assigned to the chosen staff, with the chosen source and a custom column mapping', async () => {
    const { api } = await office()
    for (const username of ['ann', 'bob']) await api.post('/api/crm/staff', { username, name: username })
    const [source] = (await api.get('/api/crm/came_froms')).body['hydra:member']
    const content = `Wer,Rufnummer\n${Array.from({ length: 6 }, (_, k) => `Firm ${k},01632 96000${k}`).join('\n')}\n`
    const up = await upload(api, content)
    const wrong = await api.post(`${up.body['@id']}/start`, { mapping: { Wer: 'owner' }, owners: ['ann'] })
    expect(wrong.status).toBe(422)
    expect(wrong.body.violations[0].message).toContain('choose the column with the company')
    const mapping = { Wer: 'companyName', Rufnummer: 'phone' }
    expect((await api.post(`${up.body['@id']}/start`, { mapping, owners: ['carol'] })).status).toBe(422)
    const batch = await put(api, up.body['@id'], 'start', {
      mapping,
      owners: ['/api/crm/staff/ann', 'bob'],
      cameFrom: source['@id'],
    })
    expect(counts(batch)).toEqual([6, 6, 0, 0])
    const got = (await leads(api))['hydra:member']
    expect(got.filter((l: { owner: { username: string } }) => l.owner.username === 'ann')).toHaveLength(3)
    expect(got.every((l: { cameFrom: string }) => l.cameFrom === source['@id'])).toBe(true)
    expect((await upload(api, content)).body.mapping).toEqual(mapping)
  })
})

describe('rejected imports', () => {
  test('import requests are rejected from unauthorised users, from other clients and in the wrong status', async () => {
    const { client, api } = await office()
    const other = (await office()).api
    const plain = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
    const up = (await upload(api, 'Company\nAcme\n')).body
    expect((await upload(plain, 'Company\nAcme\n')).status).toBe(403)
    expect((await upload(portal.anonymous, 'Company\nAcme\n')).status).toBe(401)
    for (const path of ['', '/report.csv']) {
      expect((await other.get(up['@id'] + path)).status).toBe(404)
      expect((await plain.get(up['@id'] + path)).status).toBe(403)
    }
    for (const verb of ['start', 'cancel', 'undo']) {
      expect((await other.post(`${up['@id']}/${verb}`, {})).status).toBe(404)
      expect((await plain.post(`${up['@id']}/${verb}`, {})).status).toBe(403)
    }
    expect((await api.post(`${up['@id']}/undo`, {})).status).toBe(409)
    expect((await other.get(`/api/crm/import_lines?importBatch=${up.id}`)).body['hydra:member']).toEqual([])
    const cancelled = await put(api, up['@id'], 'cancel')
    expect(cancelled.state).toBe('cancelled')
    expect((await api.post(`${up['@id']}/start`, {})).status).toBe(409)
  })

  test('an upload that is not a table is rejected with a one-sentence error, and its file is removed', async () => {
    const { api } = await office()
    const before = readdirSync(join(folder, 'uploads')).length
    for (const [content, says] of [
      ['', 'empty'],
      ['Company,Phone\n', 'no rows'],
      ['\u0000\u0001\u0002\u0003'.repeat(500), 'not a text file'],
      ['01632 960001,x\n', 'headings'],
    ] as const) {
      const answer = await upload(api, content)
      expect(answer.status).toBe(422)
      expect(answer.body['hydra:description']).toContain(says)
    }
    expect((await api.post('/api/crm/imports', { file: 'x' })).status).toBe(415)
    expect(readdirSync(join(folder, 'uploads'))).toHaveLength(before)
  })

  test('an upload deletes an old partial upload left by a killed process, but not a recent one', async () => {
    const { api } = await office()
    const parts = ['killed.csv.part', 'coming.csv.part'].map((name) => join(folder, 'uploads', name))
    for (const path of parts) writeFileSync(path, 'Company,Phone\n')
    const [killed = '', coming = ''] = parts
    const before = new Date(statSync(killed).mtimeMs - 2 * 3_600_000)
    utimesSync(killed, before, before)
    expect((await upload(api, 'Company\nAcme\n')).status).toBe(201)
    expect(parts.map((path) => existsSync(path))).toEqual([false, true])
    rmSync(coming)
  })

  test('import files of more than 200 MB are rejected', async () => {
    const { api } = await office()
    const answer = await upload(api, Buffer.alloc(200 * 1024 * 1024 + 1, 'Company\nAcme Ltd\n'))
    expect(answer.status).toBe(413)
    expect(answer.body['hydra:description']).toContain('larger than 200 MB')
  })
})

describe("an import's stored file", () => {
  const files = () => readdirSync(join(folder, 'uploads')).length

  test.each(['cancel', 'undo'])(
    "an import's file remains if the import's %s is rolled back, and is removed after the commit",
    async (verb) => {
      const { api } = await office()
      const { '@id': iri } = (await upload(api, 'Company\nAcme\n')).body
      if (verb === 'undo')
        await portal.db.tx('system', (tx) =>
          tx.rows("UPDATE import_batch SET state = 'failed' WHERE file_key IS NOT NULL AND id = $1", [
            Number(iri.split('/').at(-1)),
          ]),
        )
      const before = files()
      const real = portal.db.tx.bind(portal.db)
      portal.db.tx = ((as: never, work: never) =>
        real(as, (tx) => {
          const arrays: typeof tx.arrays = (query, values) => {
            if (query.text.startsWith('UPDATE idempotency')) throw new Error('killed')
            return tx.arrays(query, values)
          }
          return (work as (t: typeof tx) => Promise<never>)({ ...tx, arrays })
        })) as typeof real
      const headers = { 'idempotency-key': `${verb} ${iri}`, 'content-type': 'application/json' }
      const broken = await api.send('POST', `${iri}/${verb}`, { headers, body: '{}' })
      portal.db.tx = real
      expect(broken.status).toBe(500)
      await portal.drain()
      expect(files()).toBe(before)
      expect((await api.send('POST', `${iri}/${verb}`, { headers, body: '{}' })).status).toBe(200)
      await portal.drain()
      expect(files()).toBe(before - 1)
    },
  )

  test('an upload retried with the same idempotency key returns the same import; a different file with that key is rejected', async () => {
    const { api } = await office()
    const key = { 'idempotency-key': 'one upload' }
    const first = await upload(api, 'Company\nAcme\n', 'leads.csv', key)
    const before = files()
    const again = await upload(api, 'Company\nAcme\n', 'leads.csv', key)
    expect([again.status, again.body['@id'], again.headers['idempotency-replayed']]).toEqual([
      201,
      first.body['@id'],
      'true',
    ])
    expect((await upload(api, 'Company\nOther\n', 'leads.csv', key)).status).toBe(422)
    expect(files()).toBe(before)
  })
})

/** Expires the job's lease and runs the recovery schedule. */
async function later(clientId: number, interval: string): Promise<void> {
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE run SET lease_until = lease_until - $2::interval, due_at = due_at - $2::interval WHERE client_id = $1 AND kind = 'crm.import'",
      [clientId, interval],
    ),
  )
  // Makes delayed retries due immediately.
  await portal.db.tx('owner', (tx) => tx.rows("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'"))
  await portal.runSchedule('runs.recover')
  await portal.drain()
}

describe('an interrupted import', () => {
  test("an interrupted import resumes after its last step and doesn't add any lead twice", async () => {
    const { client, api } = await office()
    const rows = Array.from({ length: 1300 }, (_, k) => `Firm ${k},01632 ${String(500_000 + k)}`)
    const up = (await upload(api, `Company,Phone\n${rows.join('\n')}\n`)).body
    // The second step never reaches the database, as if the process had been killed.
    const real = portal.db.tx.bind(portal.db)
    let writes = 0
    portal.db.tx = ((as: never, work: never) =>
      real(as, async (tx) => {
        const rows: typeof tx.rows = (text, values) => {
          if (text.startsWith('INSERT INTO contact') && ++writes > 1) throw new Error('killed')
          return tx.rows(text, values)
        }
        if (writes > 1) throw new Error('gone')
        return (work as (t: typeof tx) => Promise<never>)({ ...tx, rows })
      })) as typeof real
    await api.post(`${up['@id']}/start`, {})
    await done().catch(() => {})
    portal.db.tx = real
    const half = (await api.get(up['@id'])).body
    expect(half.state).toBe('running')
    expect(half.rowsRead > 0 && half.rowsRead < 1300).toBe(true)
    await later(client.id, '2 minutes')
    const whole = (await api.get(up['@id'])).body
    expect([whole.state, ...counts(whole)]).toEqual(['finished', 1300, 1300, 0, 0])
    expect((await api.get('/api/crm/contacts/count')).body.count).toBe(1300)
  })

  test('an interrupted import whose file is missing reports the missing file and can be undone', async () => {
    const { client, api } = await office()
    const up = (await upload(api, 'Company\nAcme\n')).body
    for (const name of readdirSync(join(folder, 'uploads'))) rmSync(join(folder, 'uploads', name))
    await put(api, up['@id'], 'start')
    // With a database server, the file may be on another machine, so the job waits for a while before it fails.
    await later(client.id, '11 minutes')
    const failed = (await api.get(up['@id'])).body
    expect(failed.state).toBe('failed')
    expect(failed.error).toContain('Choose the file again')
    expect((await put(api, up['@id'], 'undo')).state).toBe('undone')
    expect(existsSync(join(folder, 'uploads'))).toBe(true)
  })
})
