import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { createEngine } from '#server/engine/engine.ts'
import { registryOf } from '#server/engine/registry.ts'
import { readExport, writeExport } from '#server/exports/export.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { listExportJob } from '#server/jobs/batch-job-control.ts'
import { MAX_BLOCKING_MS, measureLongestBlock } from '#test/support/effort.ts'
import { CrashingDb } from '#test/support/ending.ts'
import { exportCsv, makeExportEngines } from '#test/support/exported.ts'
import { ladder, openLadderPortal } from '#test/support/ladders.ts'
import { grantPacks, type TestApi, type TestClient, type TestUser } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

const portal = await openLadderPortal()
const LIST = '/api/test/step_ladders'

async function makeClient(roles: readonly string[] = ['ROLE_YARDS']) {
  const client = await portal.client()
  const user = await client.user({ roles })
  return { client, user, api: client.as(user) }
}

/** Inserts ladders by raw SQL, so that they can contain values that forms no longer accept. */
const store = (client: TestClient, ...rows: readonly Record<string, unknown>[]) =>
  portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO test_ladder (client_id, name, grade, yard_id, height, price, helpline, notes, bought, checked_at, accident, margin)
       SELECT $1, name, grade, yard_id, height, price, helpline, notes, bought, checked_at, accident, margin
       FROM jsonb_populate_recordset(NULL::test_ladder, $2::jsonb)`,
      [client.id, JSON.stringify(rows)],
    ),
  )

/** Returns the lines of a CSV file, without its byte order mark. */
const lines = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter(Boolean)

async function sheet(user: TestUser, query: string) {
  const { token } = await portal.sessions.open(
    { clientId: user.clientId, userId: user.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  const answer = await portal.app.inject({
    url: `${LIST}/export.xlsx${query}`,
    headers: { authorization: `Bearer ${token}` },
  })
  const workbook = await readXlsx(answer.rawPayload)
  return { answer, rows: workbook.sheets[0]?.rows ?? [] }
}

const isShort = (milliseconds: number) => milliseconds < MAX_BLOCKING_MS

describe('exporting a list as CSV', () => {
  test('a CSV has headings, every column that the reader may see, and the titles of related records', async () => {
    const { client, api } = await makeClient()
    const { body: yard } = await api.post('/api/test/yards', { name: 'North yard' })
    await store(client, {
      name: 'Two metres, "wide"',
      grade: 'pro',
      yard_id: yard.id,
      height: 2.05,
      price: 12_345,
      notes: '<p>Stands <strong>inside</strong></p><ul><li>dry</li></ul>',
      bought: '2026-02-03',
      checked_at: '2026-07-01T08:30:00Z',
      accident: 'a fall',
      margin: '40%',
    })
    const answer = await api.get(`${LIST}/export.csv`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const today = Temporal.Now.plainDateISO('Europe/London').toString()
    expect(answer.headers['content-disposition']).toBe(`attachment; filename=step-ladders-${today}.csv`)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.text.startsWith('\uFEFF')).toBe(true)
    const [head, row] = lines(answer.text)
    expect(head).toBe('ID,Name,Grade,Yard,Height,Price,Helpline,Notes,Bought,Checked at,Serial,Holder,Retired')
    expect(row?.replace(/^\d+,/, '')).toBe(
      '"Two metres, ""wide""",Professional,North yard,2.05,123.45,,"Stands inside\n• dry",03/02/2026,01/07/2026 09:30,,,No',
    )
  })

  test('a CSV contains nothing that a spreadsheet would execute', async () => {
    const { client, api } = await makeClient()
    const evil = ['=1+1', '+1+1', '-2+3', '@SUM(A1)', '\tcmd', '\rcmd', ' =HYPERLINK("x")', '＝1+1']
    await store(
      client,
      ...evil.map((name) => ({ name })),
      { name: '+44 1632 960001' },
      { name: 'Good = fine', height: -5 },
    )
    const { text } = await api.get(`${LIST}/export.csv?columns=name,height`)
    for (const name of evil) expect(text).toContain(`'${name.replaceAll('"', '""')}`)
    expect(text.replace('\n+44 1632', '')).not.toMatch(/^\uFEFF?"?\s*[=+@＝-]/m)
    // Numbers are exported as numbers; telephone numbers, and text that starts with a word, are unchanged.
    expect(text).toContain('\n+44 1632 960001,')
    expect(text).toContain('\nGood = fine,-5\r\n')
  })

  test('a CSV has the same filters, order and columns as the list', async () => {
    const { client, api } = await makeClient()
    await store(
      client,
      { name: 'Attic', grade: 'home', price: 3 },
      { name: 'Barn', grade: 'pro', price: 2 },
      { name: 'Cellar', grade: 'pro', price: 9 },
    )
    const query = 'grade=pro&order[price]=desc&columns=price,name,nonsense,accident'
    expect(lines((await api.get(`${LIST}/export.csv?${query}`)).text)).toEqual([
      'Price,Name',
      '0.09,Cellar',
      '0.02,Barn',
    ])
    expect(lines((await api.get(`${LIST}/export.csv?q=att&columns=name`)).text)).toEqual(['Name', 'Attic'])
    // An export ignores paging parameters.
    expect(lines((await api.get(`${LIST}/export.csv?page=2&itemsPerPage=1&columns=name`)).text)).toHaveLength(4)
  })

  test('a CSV column that combines several fields shows the first non-empty field, as the list does', async () => {
    const { client, api } = await makeClient()
    await store(
      client,
      { name: 'Attic', helpline: '01632 960001', notes: '<p>Dry</p>' },
      { name: 'Barn', notes: '<p>Wet</p>' },
    )
    const query = 'columns=name,helpline;notes,notes;nonsense&titles=|Ask&order[name]=asc'
    expect(lines((await api.get(`${LIST}/export.csv?${query}`)).text)).toEqual([
      'Name,Ask',
      'Attic,01632 960001',
      'Barn,Wet',
    ])
  })

  test('a CSV contains dates and times in the API format if requested', async () => {
    const { client, api } = await makeClient()
    await store(client, { name: 'x', bought: '2026-02-03', checked_at: '2026-07-01T08:30:00Z' })
    const { text } = await api.get(`${LIST}/export.csv?columns=bought,checkedAt&dates=iso`)
    expect(lines(text)[1]).toBe('2026-02-03,2026-07-01T08:30:00+00:00')
  })

  test('a CSV without results has only headings', async () => {
    const { api } = await makeClient()
    expect(lines((await api.get(`${LIST}/export.csv?columns=name`)).text)).toEqual(['Name'])
  })
})

describe('CSV written by the database', () => {
  const [compiled, plain] = makeExportEngines(portal)
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }).map((s) => s.replaceAll('\0', '')),
    fc.string({
      unit: fc.constantFrom(
        ...'=+-@ \t\r\n"\',\\.$1aÉ'.split(''),
        '\u00a0',
        '\u0085',
        '\u180e',
        '\u2003',
        '\ufeff',
        '＝',
        '＠',
      ),
      maxLength: 6,
    }),
  )
  const cell = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 6 })
  const row = fc.record({
    name: word,
    grade: cell(fc.constantFrom('pro', 'home', 'other', '=1', '')),
    height: cell(fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1000)),
    price: cell(fc.integer({ min: -1e9, max: 1e9 })),
    helpline: cell(word),
    bought: cell(
      fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((d) => d.toISOString().slice(0, 10)),
    ),
    checked_at: cell(
      fc
        .date({ min: new Date('1800-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })
        .map((d) => d.toISOString()),
    ),
    holder: cell(word),
    retired: fc.boolean(),
  })

  test('a CSV written by the database equals a CSV written row by row, for arbitrary values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 20, maxLength: 60 }), async (rows) => {
        const { client, user, api } = await makeClient(['ROLE_YARDS', 'ROLE_KEEPER'])
        const yard = await api.post('/api/test/yards', { name: rows[0]?.helpline?.trim() || '@ home' })
        await store(client, ...rows.map((one, n) => ({ ...one, serial: null, yard_id: n % 3 ? yard.body.id : null })))
        for (const dates of ['uk', 'iso'])
          for (const roles of [['ROLE_YARDS'], []]) {
            const actor = {
              userId: user.id,
              clientId: client.id,
              username: user.username,
              name: 'x',
              roles,
              scopes: [],
              packs: { safety: 'active' as const },
            }
            const columns = 'id,name,grade,yard,height,price,helpline,bought,checkedAt,holder,retired,holder;helpline'
            const query = { columns, dates, 'order[id]': 'asc' }
            expect(await exportCsv(compiled, ladder, actor, query)).toBe(await exportCsv(plain, ladder, actor, query))
          }
      }),
      { numRuns: scaleRunCount(12) },
    )
  })
})

describe('exporting a list as a workbook', () => {
  test('a workbook stores text as text, numbers as numbers and dates as dates', async () => {
    const { client, user } = await makeClient()
    await store(client, {
      name: '=1+1',
      height: 2.5,
      price: 150,
      helpline: '01632 960001',
      bought: '2026-02-03',
      checked_at: '2026-07-01T08:30:00Z',
    })
    const { answer, rows } = await sheet(user, '?columns=name,height,price,helpline,bought,checkedAt')
    expect(answer.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=step-ladders-.*\.xlsx$/)
    expect(rows[0]).toEqual(['Name', 'Height', 'Price', 'Helpline', 'Bought', 'Checked at'])
    const [name, height, price, helpline, bought, checked] = rows[1] ?? []
    expect([name, height, price, helpline]).toEqual(['=1+1', 2.5, 1.5, '01632 960001'])
    // London is an hour ahead of UTC in summer.
    expect([bought, checked]).toEqual([new Date('2026-02-03T00:00:00Z'), new Date('2026-07-01T09:30:00Z')])
  })

  test('a workbook is valid, whatever characters it contains', async () => {
    const { client, user } = await makeClient()
    await store(client, { name: 'no \uFFFE\uFFFFcharacter' }, { name: 'no _x0041_ code' })
    const { rows } = await sheet(user, '?columns=name&order[id]=asc')
    expect(rows).toEqual([['Name'], ['no character'], ['no _x0041_ code']])
  })
})

describe('permissions and limits of exports', () => {
  test('an export contains no records of another client, whatever the filter', async () => {
    const { client } = await makeClient()
    await store(client, { name: 'Theirs' })
    const mine = await makeClient()
    await store(mine.client, { name: 'My views' })
    const { text } = await mine.api.get(`${LIST}/export.csv?client=${client.id}&columns=name`)
    expect(lines(text)).toEqual(['Name', 'My views'])
  })

  test("an export by staff with access to all clients contains every client's records, in the columns that staff may see", async () => {
    const { client } = await makeClient()
    await store(client, { name: `Anywhere ${client.id}`, margin: '40%' })
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const { text } = await staff.get(`${LIST}/export.csv?q=anywhere ${client.id}&columns=name,margin`)
    expect(lines(text)).toEqual(['Name,Margin', `Anywhere ${client.id},40%`])
  })

  test('an export shows a related record only by its number if the reader may not read that record', async () => {
    const { client, api } = await makeClient()
    const { body: yard } = await api.post('/api/test/yards', { name: 'Behind the wall' })
    await store(client, { name: 'x', yard_id: yard.id })
    const other = client.as(await client.user())
    expect(lines((await other.get(`${LIST}/export.csv?columns=yard`)).text)).toEqual(['Yard', String(yard.id)])
  })

  test('an export requires permission to read the list', async () => {
    const { client, api } = await makeClient()
    expect((await portal.anonymous.get(`${LIST}/export.csv`)).status).toBe(401)
    const other = client.as(await client.user())
    expect((await other.get('/api/test/yards/export.csv')).status).toBe(403)
    expect((await api.get('/api/test/yards/export.csv')).status).toBe(200)
    expect((await api.post(`${LIST}/export.csv`, {})).status).toBe(405)
  })

  test('a client whose pack has lapsed can still export, but a client that never had the pack cannot', async () => {
    const { client, user } = await makeClient()
    await store(client, { name: 'Kept' })
    const pack = (active: string[], lapsed: string[]) =>
      portal.db.tx('system', (tx) => grantPacks(tx, client.id, active, lapsed))
    const fresh = async () => {
      const { token } = await portal.sessions.open(
        { clientId: client.id, userId: user.id },
        { address: '127.0.0.1', agent: 'test', browser: false },
      )
      return portal.bearing(token)
    }
    await pack([], ['safety'])
    const lapsed = await (await fresh()).get(`${LIST}/export.csv?columns=name`)
    expect([lapsed.status, lines(lapsed.text)]).toEqual([200, ['Name', 'Kept']])
    await pack([], [])
    expect((await (await fresh()).get(`${LIST}/export.csv`)).status).toBe(403)
  })

  test('an export is recorded in the audit trail with the user, query and number of rows', async () => {
    const { client, user, api } = await makeClient()
    await store(client, { name: 'x' }, { name: 'y' })
    await api.get(`${LIST}/export.csv?order[name]=desc&columns=name`)
    const trail = await portal.db.tx('system', (tx) =>
      tx.rows("SELECT username, changes FROM audit WHERE client_id = $1 AND verb = 'export'", [client.id]),
    )
    expect(trail).toEqual([
      {
        username: user.username,
        changes: { format: 'csv', rows: 2, query: { 'order[name]': 'desc', columns: 'name' } },
      },
    ])
  })

  test('an export contains up to five thousand rows, each once and in order, and a longer export is refused with an error message', async () => {
    const { client, api } = await makeClient()
    const fill = (from: number, to: number) =>
      portal.db.tx('system', (tx) =>
        tx.rows(
          `INSERT INTO test_ladder (client_id, name, height) SELECT $1, 'L' || lpad(i::text, 5, '0'), i % 7 FROM generate_series($2::int, $3::int) i`,
          [client.id, from, to],
        ),
      )
    await fill(1, 5000)
    const [, ...rows] = lines((await api.get(`${LIST}/export.csv?columns=name,height&order[height]=asc`)).text)
    const expected = Array.from({ length: 5000 }, (_, i) => i + 1)
      .sort((a, b) => (a % 7) - (b % 7) || a - b)
      .map((i) => `L${String(i).padStart(5, '0')},${i % 7}`)
    expect(rows).toEqual(expected)
    await fill(5001, 6000)
    const refused = await api.get(`${LIST}/export.csv`)
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      413,
      'The list has more than 5,000 rows. Please narrow the list with filters.',
    ])
  })

  test('an export of long formatted texts blocks no other requests, whether it runs immediately or as a batch job', async () => {
    const { client, api } = await makeClient()
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "INSERT INTO test_ladder (client_id, name, notes) SELECT $1, 'L' || i, repeat('<p>x</p>', 24900) FROM generate_series(1, 60) i",
        [client.id],
      ),
    )
    const ways = {
      csv: () => api.get(`${LIST}/export.csv?columns=name,notes`),
      xlsx: () => api.get(`${LIST}/export.xlsx?columns=name,notes`),
      job: async () => {
        await api.post('/api/portal/exports', { from: `${LIST}?columns=name,notes`, format: 'csv' })
        await portal.drain()
      },
    }
    for (const [way, exportList] of Object.entries(ways))
      expect([way, await measureLongestBlock(exportList)]).toEqual([way, expect.toSatisfy(isShort)])
  })

  test('an export leaves no file behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'exports-test-'))
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    const { client, api } = await makeClient()
    const actor = {
      userId: 1,
      clientId: client.id,
      username: 'x',
      name: 'x',
      roles: [],
      scopes: [],
      packs: { safety: 'active' as const },
    }
    // A killed process could not delete its file, so no file is visible in the folder while the export is being written
    // and sent.
    const file = await writeExport(portal.engine, { resource: ladder, actor, query: {}, format: 'csv' })
    expect(readdirSync(folder)).toEqual([])
    readExport(file).destroy()
    expect((await api.get(`${LIST}/export.csv`)).status).toBe(200)
    expect((await api.get(`${LIST}/export.xlsx`)).status).toBe(200)
    await expect.poll(() => readdirSync(folder)).toEqual([])
  })
})

describe('exporting a long list', () => {
  const begin = (api: TestApi, from: string, format = 'csv') => api.post('/api/portal/exports', { from, format })
  async function longList() {
    const made = await makeClient()
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "INSERT INTO test_ladder (client_id, name, grade) SELECT $1, 'L' || lpad(i::text, 5, '0'), CASE WHEN i % 2 = 0 THEN 'pro' END FROM generate_series(1, 12000) i",
        [made.client.id],
      ),
    )
    return made
  }

  test('a long export is a batch job whose file only its requester can download, for a few days', async () => {
    const { client, api } = await longList()
    const begun = await begin(api, `${LIST}?grade=pro&columns=name&order[name]=desc`)
    expect([begun.status, begun.headers.location]).toEqual([202, begun.body['@id']])
    await portal.drain()
    const { body: run } = await api.get(begun.body['@id'])
    expect(run).toMatchObject({
      state: 'done',
      done: 6000,
      total: 6000,
      file: { name: expect.stringMatching(/^step-ladders-.*\.csv$/) },
    })
    const file = await api.get(run.file['@id'])
    expect(file.headers['content-disposition']).toContain(run.file.name)
    const [heading, first, ...rest] = lines(file.text)
    expect([heading, first, rest.length, rest.at(-1)]).toEqual(['Name', 'L12000', 5999, 'L00002'])

    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(begun.body['@id'])).status).toBe(200)
    expect((await admin.get(run.file['@id'])).status).toBe(404)
    expect((await (await makeClient()).api.get(run.file['@id'])).status).toBe(404)

    await moveClock(portal.engine, 4)
    onTestFinished(() => moveClock(portal.engine, 0))
    expect((await api.get(run.file['@id'])).status).toBe(404)
    await portal.runSchedule('runs.files')
    expect((await api.get(begun.body['@id'])).body.file).toBeNull()
    expect(await (await fileStoreFor(portal.engine.config)).exists(`${client.id}/run-${run.id}`)).toBe(false)
  })

  test('a long export applies all its filters, whatever other parameters the query contains', async () => {
    const { api } = await longList()
    const names = ['constructor=1', '__proto__=1', 'toString=1&toString=2', 'name=none?']
    for (const name of names) {
      const begun = await begin(api, `${LIST}?${name}&grade=pro&columns=name`)
      expect([name, begun.status]).toEqual([name, 202])
      await portal.drain()
      const { body: run } = await api.get(begun.body['@id'])
      expect([name, run.done]).toEqual([name, name === 'name=none?' ? 0 : 6000])
    }
  })

  test('a long export is restarted after its process was killed, and is complete', async () => {
    const { client, api } = await longList()
    const { body: begun } = await begin(api, `${LIST}?columns=name`, 'xlsx')
    for (const left of [4, 12, 30]) {
      const db = new CrashingDb(portal.db)
      db.left = left
      await listExportJob
        .work(createEngine(db, portal.engine.config, registryOf(portal.engine).modules), client.id, begun.id)
        .catch(() => {})
      db.left = 0
      // Lets the job's lease expire.
      await portal.db.tx('system', (tx) =>
        tx.rows("UPDATE run SET lease_until = now() - interval '1 second' WHERE id = $1 AND lease IS NOT NULL", [
          begun.id,
        ]),
      )
    }
    await portal.drain()
    const { body: run } = await api.get(begun['@id'])
    expect(run).toMatchObject({ state: 'done', done: 12_000 })
  })

  test('a long export starts only for a valid list URL that its requester may read', async () => {
    const { api } = await makeClient()
    expect((await begin(api, '/api/test/nothing')).status).toBe(400)
    expect((await begin(api, LIST, 'pdf')).status).toBe(400)
    expect((await begin(api, '/api/crm/contacts')).status).toBe(403)
    expect((await begin(portal.anonymous, LIST)).status).toBe(401)
  })
})
