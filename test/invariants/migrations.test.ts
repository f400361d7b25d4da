import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MigratingDatabase, openMigratingDatabase } from '#test/support/old-database.ts'

// Tests data migrations on earlier data. One database passes through all migrations, and each test inserts rows just
// before its migration. Each new data migration gets a test at the end.

let old: MigratingDatabase
const valuesOf = async (query: string) => (await old.rows(query)).map((row) => Object.values(row))

beforeAll(async () => {
  old = await openMigratingDatabase()
  await old.before(14)
  await old.rows("INSERT INTO client (id, company) VALUES (0, 'Provider'), (1, 'Brick'), (2, 'Care')")
  await old.rows(
    `INSERT INTO user_account (client_id, id, username, name) VALUES (1, 1, 'ann', 'Ann'), (2, 2, 'Bob', 'Bob')`,
  )
  await old.rows(
    `INSERT INTO customer (client_id, id, email, retired) VALUES (1, 1, 'a@b.example', false), (1, 2, 'c@d.example', true), (2, 3, 'e@f.example', false)`,
  )
})
afterAll(() => old.close())

test('migration 0014 makes existing leads searchable by full text', async () => {
  await old.rows(
    "INSERT INTO contact (client_id, id, company_name, phone) VALUES (1, 1, 'Ashby Roofing', '01632 960001')",
  )
  await old.to(14)
  expect(await valuesOf('SELECT client_id, contact_id, company_name, search_text FROM contact_search')).toEqual([
    [1, 1, 'ashby roofing', expect.stringContaining('1632960001')],
  ])
})

test('migration 0020 relays pending e-mails again, but not those already sent or abandoned', async () => {
  await old.rows(
    `INSERT INTO outbox (client_id, id, kind, payload, done_at, attempts) VALUES
       (1, 1, 'mail', '{}', now(), 1), (1, 2, 'mail', '{}', NULL, 8), (2, 3, 'mail', '{}', NULL, 7)`,
  )
  await old.to(20)
  expect(await valuesOf('SELECT id FROM outbox WHERE relayed_at IS NULL')).toEqual([[3]])
})

test('migration 0022 does not cause reminders to be sent a second time', async () => {
  await old.rows(
    `INSERT INTO document (client_id, id, kind, number, review_due, reminded) VALUES
       (1, 1, 'risk-assessment', 'RA-1', '2026-03-01', 2), (1, 2, 'risk-assessment', 'RA-2', '2026-03-01', 0)`,
  )
  await old.rows(
    `INSERT INTO quote (client_id, id, number, customer_id, tax_percent, status_id, expires_at, reminders_sent) VALUES
       (1, 1, 7, 1, 20, 2, '2026-03-31T23:30:00Z', 1), (2, 2, 123456, 3, 20, 2, '2026-03-01T12:00:00Z', 2), (2, 3, 4, 3, 20, 3, '2026-03-01T12:00:00Z', 1)`,
  )
  await old.to(22)
  expect(await valuesOf('SELECT client_id, name, row_id, due, days FROM reminder ORDER BY name, row_id')).toEqual([
    [1, 'document.review', 1, '2026-03-01', 7],
    [1, 'quote.expiry', 1, '2026-04-01', 7],
    [2, 'quote.expiry', 2, '2026-03-01', 1],
  ])
})

test('migration 0024 turns batches of customers into batch jobs with the same numbers, and new jobs continue the numbering', async () => {
  await old.before(24)
  await old.rows(
    `INSERT INTO customer_batch (client_id, id, state, dry_run, clients_total, created, refused, last_client, author) VALUES
       (0, 3, 'finished', false, 9, 8, 1, 9, 'Ann'), (0, 5, 'running', false, 9, 2, 0, 2, 'Ann')`,
  )
  await old.rows(
    "INSERT INTO customer_batch_line (client_id, batch_id, client, company, message) VALUES (0, 3, 2, 'Care', 'No address')",
  )
  await old.to(24)
  expect(await valuesOf('SELECT id, kind, state, done, refused, place, begun FROM run ORDER BY id')).toEqual([
    [3, 'billing.customer-batch', 'done', 8, 1, 9, true],
    [5, 'billing.customer-batch', 'stopped', 2, 0, 2, true],
  ])
  expect(await valuesOf('SELECT run_id, line, about, reason FROM run_refusal')).toEqual([[3, 2, 'Care', 'No address']])
  const [made] = await old.rows<{ id: number }>(
    "INSERT INTO run (client_id, kind, input) VALUES (0, 'x', '{}') RETURNING id",
  )
  expect(made?.id).toBe(6)
  await old.rows('DELETE FROM run WHERE id = 6')
})

test('migration 0026 continues the numbering of documents and quotes without a gap', async () => {
  await old.before(26)
  await old.rows("INSERT INTO document_counter VALUES (1, 'risk-assessment', 41), (2, 'policy', 3)")
  await old.to(26)
  expect(await valuesOf('SELECT client_id, name, year, last FROM sequence_counter ORDER BY 1, 2')).toEqual([
    [1, 'quote', 0, 7],
    [1, 'risk-assessment', 0, 41],
    [2, 'policy', 0, 3],
    [2, 'quote', 0, 123456],
  ])
})

test('migration 0031 links each person to only one staff record, matched by name as a last resort', async () => {
  await old.before(31)
  await old.rows(
    `INSERT INTO staff (client_id, id, username, name, user_id, tray) VALUES
       (1, 1, 'x', 'Ann', 1, false), (1, 2, 'ann', 'Ann', 1, false), (2, 3, 'BOB', 'Bob', NULL, false), (1, 4, 'bob', 'Bob', NULL, false)`,
  )
  await old.to(31)
  expect(await valuesOf('SELECT id, user_id FROM staff ORDER BY id')).toEqual([
    [1, 1],
    [2, null],
    [3, 2],
    [4, null],
  ])
})

test('migration 0033 preserves all digits of long quote numbers', async () => {
  await old.to(33)
  expect(await valuesOf('SELECT reference, search_text FROM quote ORDER BY id')).toEqual([
    ['Q-00007', 'q-00007  '],
    ['Q-123456', 'q-123456  '],
    ['Q-00004', 'q-00004  '],
  ])
})

test('migration 0042 marks complete reference data as loaded, so that only possibly incomplete data is loaded again', async () => {
  await old.before(42)
  await old.rows("INSERT INTO reference_version (name, version) VALUES ('base', 2), ('billing', 1)")
  await old.rows("INSERT INTO last_result (id, text, category) VALUES (47, 'Sold', 'WON')")
  await old.to(42)
  expect(await valuesOf('SELECT name, version FROM reference_version ORDER BY name')).toEqual([
    ['billing', 1],
    ['leads', 1],
    ['provider', 1],
    ['roles', 1],
  ])
  const [made] = await old.rows("INSERT INTO last_result (text, category) VALUES ('Own', 'WON') RETURNING id")
  expect(made).toEqual({ id: 1000 })
})

test('migration 0050 turns finished and unfinished uploads of lead files into batch jobs', async () => {
  await old.rows(
    `INSERT INTO import_batch (client_id, id, file_name, author, state, settings, rows_read, rows_added, rows_total) VALUES
       (1, 1, 'a.csv', 'Ann', 'finished', '{"by": {"userId": 1}}', 10, 8, 10),
       (1, 2, 'b.csv', 'Ann', 'running', '{"by": {"userId": 1}}', 4, 4, 10),
       (1, 3, 'c.csv', 'Ann', 'undone', '{"by": {"userId": 1}}', 10, 0, 10),
       (1, 4, 'd.csv', 'Ann', 'waiting', '{}', 0, 0, NULL)`,
  )
  await old.to(50)
  expect(
    await valuesOf(
      'SELECT b.id, r.state, r.back, r.place, r.done, r.user_id, r.lease FROM import_batch b LEFT JOIN run r ON r.client_id = b.client_id AND r.id = b.run_id ORDER BY b.id',
    ),
  ).toEqual([
    [1, 'done', false, 10, 8, 1, null],
    [2, 'running', false, 4, 4, 1, 'earlier'],
    [3, 'undone', true, null, 0, 1, null],
    [4, null, null, null, null, null, null],
  ])
})

test('migration 0052 turns company imports into batch jobs that the import command continues', async () => {
  await old.before(52)
  await old.rows(
    `INSERT INTO company_import (fingerprint, file_name, bytes, header, next_byte, next_line, rows_read, rows_added, rows_refused, refusals, finished_at) VALUES
       ('f1', 'a.csv', 9, '[]', 900, 31, 30, 28, 2, '[{"line": 3, "reason": "no number"}, {"line": 9, "reason": "no name"}]', now()),
       ('f2', 'b.csv', 9, '[]', 400, 11, 10, 10, 0, '[]', NULL), ('f3', 'c.csv', 9, '[]', 0, 1, 0, 0, 0, '[]', NULL)`,
  )
  await old.to(52)
  expect(
    await valuesOf(
      "SELECT input ->> 'fingerprint', state, done, refused, place, foreground, (SELECT count(*)::int FROM run_refusal f WHERE f.run_id = r.id) FROM run r WHERE kind = 'companies.import' ORDER BY 1",
    ),
  ).toEqual([
    ['f1', 'done', 28, 2, { byte: 900, line: 31 }, true, 2],
    ['f2', 'stopped', 10, 0, { byte: 400, line: 11 }, true, 0],
    ['f3', 'stopped', 0, 0, null, true, 0],
  ])
})

test('migration 0060 preserves the wording of existing signatures, and classifies them by what they prove', async () => {
  await old.before(60)
  await old.rows(
    `INSERT INTO signature (client_id, id, document_id, name, user_id, mine, method, by_name, author) VALUES
       (1, 1, 1, 'Ann', 1, true, 'typed', NULL, 'ann'),
       (1, 2, 1, 'A. Carter', 1, true, 'typed', NULL, 'ann'),
       (1, 3, 1, 'Sam Staff', NULL, true, 'typed', NULL, 'staff'),
       (1, 4, 1, 'Vic', NULL, false, 'typed', NULL, 'ann'),
       (1, 5, 2, ' ANN', NULL, false, 'typed', NULL, 'ann'),
       (1, 6, 2, 'Pat', NULL, false, 'on behalf', 'A. C.', 'ANN')`,
  )
  await old.rows(
    "INSERT INTO talk_presented (client_id, id, talk_id, presenter, date) VALUES (1, 1, 1, 'Ann', '2026-01-02')",
  )
  await old.rows(
    `INSERT INTO talk_attendee (client_id, id, presented_id, name, method, signed_at) VALUES
       (1, 1, 1, 'Ann', 'typed', now()), (1, 2, 1, 'ann', NULL, NULL), (1, 3, 1, 'Vic', NULL, NULL)`,
  )
  await old.rows('UPDATE talk_presented SET complete = true')
  const words = 'SELECT name, user_id, mine, method, by_name, author, signed_at FROM signature ORDER BY id'
  const before = await old.rows(words)
  await old.to(60)

  expect(await old.rows(words)).toEqual(before)
  expect(await valuesOf('SELECT signer_id, visitor, again FROM signature ORDER BY id')).toEqual([
    [1, false, false],
    // This is the same account under another name, which earlier versions allowed.
    [1, false, true],
    // This record was signed during impersonation.
    [null, false, false],
    [null, true, false],
    [null, false, false],
    [1, true, false],
  ])
  expect(await valuesOf('SELECT user_id, signer_id, visitor FROM talk_attendee ORDER BY id')).toEqual([
    [null, null, false],
    [1, null, false],
    [null, null, true],
  ])
  for (const statement of ["UPDATE signature SET name = 'x'", 'UPDATE talk_attendee SET visitor = false'])
    await expect(old.rows(statement)).rejects.toThrow(/signature|closed talk/)
})

test('migration 0061 sets empty choices to the default of a new record, except in sealed records', async () => {
  await old.before(61)
  const nothing = ["''", "' '", "E'\\t'"]
  const add = async (table: string, columns: string, row: (n: number, nothing: string) => string) => {
    const rows = [...nothing, 'chosen'].map((said, i) => `(${row(900 + i, said)})`)
    await old.rows(`INSERT INTO ${table} (client_id, id, ${columns}) VALUES ${rows.join(', ')}`)
  }
  const or = (chosen: string) => (said: string) => (said === 'chosen' ? `'${chosen}'` : said)
  const [euro, year, forever, main, many] = ['EUR', 'year', 'forever', 'main', '50'].map(or)
  await old.rows("INSERT INTO product (client_id, id, name) VALUES (1, 900, 'Pack')")
  await old.rows("INSERT INTO hazard_group (client_id, id, name) VALUES (1, 900, 'Work')")
  await old.rows("INSERT INTO hazard (client_id, id, name, description, group_id) VALUES (1, 900, 'Heights', '', 900)")
  await old.rows(
    "INSERT INTO document (client_id, id, kind, number) VALUES (1, 900, 'risk-assessment', 'RA-900'), (1, 901, 'risk-assessment', 'RA-901')",
  )
  await old.rows(
    "INSERT INTO talk_presented (client_id, id, talk_id, presenter, date) VALUES (1, 900, 1, 'Ann', '2026-01-02'), (1, 901, 1, 'Ann', '2026-01-02')",
  )
  await add('customer', 'email, currency', (n, said) => `1, ${n}, 'e@f.example', ${euro?.(said)}`)
  await add(
    'plan',
    'product_id, name, currency, "interval"',
    (n, said) => `1, ${n}, 900, 'Plan', ${euro?.(said)}, ${year?.(said)}`,
  )
  await add('sku', 'name, currency', (n, said) => `1, ${n}, 'Folder', ${euro?.(said)}`)
  await add(
    'price',
    'sku_id, version, currency, "interval"',
    (n, said) => `1, ${n}, 900, ${n}, ${euro?.(said)}, ${year?.(said)}`,
  )
  await add('coupon', 'name, currency, duration', (n, said) => `1, ${n}, 'Half', ${euro?.(said)}, ${forever?.(said)}`)
  await add(
    'quote',
    'number, customer_id, tax_percent, status_id, currency',
    (n, said) => `1, ${n}, ${n}, 1, 20, 1, ${euro?.(said)}`,
  )
  await add(
    'quote_line',
    'quote_id, kind, quantity, unit_amount, currency, "interval"',
    (n, said) => `1, ${n}, 900, ${main?.(said)}, 1, 1, ${euro?.(said)}, ${year?.(said)}`,
  )
  await add('contact', 'sub_contractors, employees', (n, said) => `2, ${n}, ${many?.(said)}, ${many?.(said)}`)
  await add('hazard_control', 'hazard_id, name, tier', (n, said) => `1, ${n}, 900, 'Rail', ${or('ppe')(said)}`)
  await add(
    'risk_item',
    'document_id, tier, implemented',
    (n, said) => `1, ${n}, 900, ${or('ppe')(said)}, ${or('no')(said)}`,
  )
  await add('talk_attendee', 'presented_id, name, method', (n, said) => `1, ${n}, 900, 'Vic', ${or('typed')(said)}`)
  await old.rows(
    "INSERT INTO insurance_sale (client_id, id, contact_id, policy_type, price, currency) VALUES (1, 900, 1, 'Tools', 1, '')",
  )
  await old.rows("INSERT INTO risk_item (client_id, id, document_id, tier, implemented) VALUES (1, 990, 901, '', ' ')")
  await old.rows(
    "INSERT INTO talk_attendee (client_id, id, presented_id, name, method) VALUES (1, 990, 901, 'Vic', '')",
  )
  await old.rows("UPDATE document SET seal = 'sealed' WHERE id = 901")
  await old.rows('UPDATE talk_presented SET complete = true WHERE id = 901')
  await old.to(61)

  const found = (table: string, columns: string) =>
    valuesOf(`SELECT DISTINCT ON (id = 903) ${columns} FROM ${table} WHERE id BETWEEN 900 AND 903 ORDER BY id = 903`)
  for (const [table, columns, before, chosen] of [
    ['customer', 'currency', ['GBP'], ['EUR']],
    ['plan', 'currency, "interval"', ['GBP', 'month'], ['EUR', 'year']],
    ['sku', 'currency', ['GBP'], ['EUR']],
    ['price', 'currency, "interval"', ['GBP', null], ['EUR', 'year']],
    ['coupon', 'currency, duration', ['GBP', 'once'], ['EUR', 'forever']],
    ['quote', 'currency', ['GBP'], ['EUR']],
    ['quote_line', 'kind, currency, "interval"', ['additional', null, null], ['main', 'EUR', 'year']],
    ['contact', 'sub_contractors, employees', ['10', '10'], ['50', '50']],
    ['hazard_control', 'tier', ['administrative'], ['ppe']],
    ['risk_item', 'tier, implemented', [null, 'yes'], ['ppe', 'no']],
    ['talk_attendee', 'method', [null], ['typed']],
  ] as const) {
    expect([table, ...(await found(table, columns))]).toEqual([table, before, chosen])
    const [kinds] = await old.rows(
      `SELECT count(DISTINCT ROW(${columns})::text)::int AS n FROM ${table} WHERE id BETWEEN 900 AND 903`,
    )
    expect([table, kinds]).toEqual([table, { n: 2 }])
  }
  expect(await valuesOf('SELECT currency FROM insurance_sale')).toEqual([['GBP']])
  expect(await valuesOf('SELECT tier, implemented FROM risk_item WHERE id = 990')).toEqual([['', ' ']])
  expect(await valuesOf('SELECT method FROM talk_attendee WHERE id = 990')).toEqual([['']])
  await old.rows('DELETE FROM contact WHERE id >= 900')
})

test('migration 0065 limits existing sessions to half a day', async () => {
  await old.before(65)
  await old.rows(
    "INSERT INTO session (client_id, id, user_id, cookie_hash, expires_at) VALUES (1, 1, 1, 'hash', now() + interval '30 days'), (2, 2, 2, NULL, now())",
  )
  await old.to(65)
  expect(
    await valuesOf(
      "SELECT s.id, c.hash, c.used_at, s.ends_at <= now() + interval '12 hours' FROM session s LEFT JOIN session_secret c ON c.session_id = s.id ORDER BY s.id",
    ),
  ).toEqual([
    [1, 'hash', null, true],
    [2, null, null, true],
  ])
})

test("migration 0071 links copies to their originals, and limits clients' existing folders to authors", async () => {
  await old.before(71)
  await old.rows(
    `INSERT INTO document (client_id, id, kind, number, seal, complete, state, content) VALUES
       (1, 700, 'talk', 'TT-7', 'abc', true, 'complete', '{"copyOf": "/api/safety/toolbox_talks/70", "said": "as it was"}'),
       (1, 701, 'talk', 'TT-8', NULL, false, 'draft', '{"copyOf": "/api/safety/toolbox_talks/700", "said": "so"}'),
       (1, 702, 'talk', 'TT-9', NULL, false, 'draft', '{"copyOf": ""}')`,
  )
  await old.rows("INSERT INTO document_folder (client_id, id, name) VALUES (0, 700, 'Signs'), (1, 701, 'Sites')")
  await old.to(71)
  expect(await valuesOf('SELECT origin_id, content FROM document WHERE id BETWEEN 700 AND 702 ORDER BY id')).toEqual([
    [70, { copyOf: '/api/safety/toolbox_talks/70', said: 'as it was' }],
    [700, { said: 'so' }],
    [null, {}],
  ])
  expect(await valuesOf('SELECT id, audience FROM document_folder WHERE id >= 700 ORDER BY id')).toEqual([
    [700, []],
    [701, ['ROLE_SAFETY_AUTHOR']],
  ])
})

test('migration 0072 links leads to their customers, and records values that match no customer in the audit trail', async () => {
  await old.before(72)
  const said = [
    ['/api/financial/customers/1', 1],
    ['/customers/1', 1],
    ['1', 1],
    ['/api/financial/customers/2', 2], // This customer is retired.
    ['/api/financial/customers/3', null], // This customer belongs to another client.
    ['/api/financial/customers/99', null],
    ['/api/crm/contacts/1', null],
    ['99999999999999999999', null],
    ['1.', null],
    ['-1', null],
    ['yes, since 2019', null],
    [' ', null],
    [' 1', null],
    ['01', null],
    ['https://portal.example/api/financial/customers/1', null],
  ] as const
  for (const [i, [customer]] of said.entries())
    await old.rows('INSERT INTO contact (client_id, id, customer) VALUES (1, $1, $2)', [100 + i, customer])
  await old.rows("INSERT INTO contact (client_id, id, customer) VALUES (1, 200, ''), (1, 201, NULL)")
  await old.rows("INSERT INTO contact (client_id, id, customer) VALUES (2, 202, '/api/financial/customers/3')")
  const counts = 'SELECT sum(n)::int AS n FROM contact_count'
  const before = await old.rows(counts)
  await old.to(72)

  const found = await valuesOf('SELECT customer_id FROM contact WHERE id >= 100 ORDER BY client_id, id')
  expect(found.flat()).toEqual([...said.map(([, id]) => id), null, null, 3])
  const kept = await valuesOf(
    "SELECT row_id, changes -> 'customer' ->> 0 AS was, changes -> 'customer' -> 1 AS is, username FROM audit WHERE type = 'Contact' AND client_id = 1 ORDER BY row_id",
  )
  const lost = said.flatMap(([customer, id], i) => (id === null ? [[100 + i, customer, null, 'system']] : []))
  expect(kept).toEqual(lost)
  expect(await old.rows(counts)).toEqual(before)
})

test('migration 0091 reserves usernames for their users, including former usernames in the audit trail', async () => {
  await old.before(91)
  await old.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username) VALUES
       (1, 'User', 1, 'update', '{"username": ["Annie", "ann"], "name": ["Annie", "Ann"]}', 1, 'ann'),
       (1, 'User', 9, 'update', '{"username": ["ann", "anna"]}', 1, 'ann'), (1, 'User', 1, 'update', '{"name": ["A", "B"]}', 1, 'ann')`,
  )
  await old.to(91)
  expect(await valuesOf('SELECT client_id, username, user_id FROM username_kept ORDER BY 1, 2')).toEqual([
    [1, 'ann', 1],
    [1, 'annie', 1],
    [2, 'bob', 2],
  ])
  const called = (id: number, username: string) =>
    old.rows("INSERT INTO user_account (client_id, id, username, name) VALUES (1, $1, $2, 'Eve')", [id, username])
  await expect(called(50, 'ANNIE')).rejects.toMatchObject({ code: '23505' })
})

test("migration 0095 withdraws signature requests to people outside a document's audience", async () => {
  await old.before(95)
  await old.rows(
    `INSERT INTO user_account (client_id, id, username, name, roles) VALUES
       (1, 950, 'ed', 'Ed', '{ROLE_EMPLOYEE}'), (1, 951, 'flo', 'Flo', '{ROLE_EMPLOYEE,ROLE_FOREMAN}')`,
  )
  await old.rows(
    `INSERT INTO document (client_id, id, kind, number, seal, complete, state, current, audience) VALUES
       (1, 950, 'talk', 'TT-950', 'abc', true, 'current', true, '{ROLE_FOREMAN}')`,
  )
  await old.rows(
    `INSERT INTO sign_off (client_id, id, document_id, everybody, readers, due) VALUES (1, 950, 950, true, '{ROLE_EMPLOYEE}', '2031-01-01')`,
  )
  const standing = 'SELECT user_id, state FROM sign_off_person WHERE document_id = 950 ORDER BY user_id'
  const counts = 'SELECT asked_count, missing_count FROM document WHERE id = 950'
  expect([await valuesOf(standing), await valuesOf(counts)]).toEqual([
    [
      [950, 'asked'],
      [951, 'asked'],
    ],
    [[2, 2]],
  ])
  await old.to(95)
  expect([await valuesOf(standing), await valuesOf(counts)]).toEqual([
    [
      [950, 'out'],
      [951, 'asked'],
    ],
    [[1, 1]],
  ])
})

test('migration 0128 removes signature methods and drawings of unsigned talk attendees, except in sealed records', async () => {
  await old.before(128)
  const hand = `1, 'finger', '{"strokes": []}', 'Ann'`
  await old.rows(
    `INSERT INTO talk_attendee (client_id, id, presented_id, name, signer_id, method, strokes, by_name, signed_at) VALUES
       (1, 1280, 900, 'Vic', ${hand}, NULL), (1, 1281, 900, 'Pat', ${hand}, now()), (1, 1282, 900, 'Kim', NULL, NULL, NULL, NULL, NULL)`,
  )
  await old.to(128)
  const hands =
    'SELECT id, method, strokes IS NOT NULL, by_name, signer_id FROM talk_attendee WHERE id >= 1280 ORDER BY id'
  expect(await valuesOf(hands)).toEqual([
    [1280, null, false, null, null],
    [1281, 'finger', true, 'Ann', 1],
    [1282, null, false, null, null],
  ])
  expect(await valuesOf('SELECT method FROM talk_attendee WHERE id = 990')).toEqual([['']])
})

test("migration 0196 gives everybody who works on leads a staff record under the account's name, and retires the staff records of leavers", async () => {
  await old.before(196)
  await old.rows("SELECT setval(pg_get_serial_sequence('staff', 'id'), 1900)")
  await old.rows(
    `INSERT INTO user_account (client_id, id, username, name, roles, is_retired) VALUES (1, 1960, 'joins', 'Joins', '{ROLE_STAFF}', false),
       (1, 1961, 'renamed', 'New Name', '{ROLE_STAFF}', false), (1, 1962, 'left', 'Left', '{ROLE_STAFF}', true), (1, 1963, 'plain', 'Plain', '{}', false)`,
  )
  await old.rows(
    `INSERT INTO staff (client_id, id, username, name, user_id, tray) VALUES (1, 1961, 'former', 'Old Name', 1961, false), (1, 1962, 'left', 'Left', 1962, false),
       (1, 1964, 'dead', 'Tray: Dead', NULL, true)`,
  )
  await old.to(196)
  expect(
    await valuesOf(
      'SELECT username, name, user_id, retired FROM staff WHERE user_id >= 1960 OR id = 1964 ORDER BY user_id NULLS LAST',
    ),
  ).toEqual([
    ['joins', 'Joins', 1960, false],
    ['renamed', 'New Name', 1961, false],
    ['left', 'Left', 1962, true],
    ['dead', 'Tray: Dead', null, false],
  ])
})

test('migration 0197 merges duplicate business types into the first, which gets all their leads', async () => {
  await old.before(197)
  await old.rows("INSERT INTO business_type (id, name) VALUES (1970, 'Thatching'), (1971, 'THATCHING')")
  await old.rows("INSERT INTO contact (client_id, id, company_name, business_type_id) VALUES (1, 1971, 'Thatch', 1971)")
  await old.to(197)
  expect(await valuesOf('SELECT business_type_id FROM contact WHERE id = 1971')).toEqual([[1970]])
  expect(await valuesOf('SELECT id, retired FROM business_type WHERE id >= 1970 ORDER BY id')).toEqual([
    [1970, false],
    [1971, true],
  ])
})

test('migration 0200 matches leads by normalised phone number, and formats company numbers as in the register', async () => {
  await old.before(200)
  await old.rows(
    `INSERT INTO contact (client_id, id, company_name, company_number, phone) VALUES
       (1, 2000, 'Hill & Sons Ltd', '1234567', '01632 960200'), (1, 2001, 'HILL AND SONS', '01234567', '+44 (0)1632 960200')`,
  )
  await old.to(200)
  expect(await valuesOf('SELECT company_number FROM contact WHERE id IN (2000, 2001)')).toEqual([
    ['01234567'],
    ['01234567'],
  ])
  expect(
    await valuesOf(
      'SELECT key, array_agg(contact_id::int ORDER BY contact_id) FROM contact_key WHERE contact_id IN (2000, 2001) GROUP BY key ORDER BY key',
    ),
  ).toEqual([
    ['companyName:hill and sons', [2000, 2001]],
    ['companyNumber:01234567', [2000, 2001]],
    ['phone:+441632960200', [2000, 2001]],
  ])
})

test('migration 0202 adds the numbers of leads marked “do not call” to the do-not-call list', async () => {
  await old.before(202)
  await old.rows(
    `INSERT INTO contact (client_id, id, company_name, phone, mobile, do_not_call, last_edit_by) VALUES
       (1, 2020, 'Barred', '01632 960202', '07700 900202', true, 'ann'), (1, 2021, 'Free', '01632 960203', NULL, false, NULL)`,
  )
  await old.to(202)
  expect(await valuesOf('SELECT number, state, author, contact_id FROM do_not_call ORDER BY number')).toEqual([
    ['+441632960202', 'in force', 'ann', 2020],
    ['+447700900202', 'in force', 'ann', 2020],
  ])
})

test('migration 0210 turns standard results into outcomes, leaves custom results unchanged, and still counts calls as calls', async () => {
  await old.before(210)
  await old.rows(
    `INSERT INTO last_result (id, text, category) VALUES (18, 'After 5', 'LATER'), (40, 'Edited', 'NOTE'), (47, 'No answer', 'LATER'), (900, 'Own word', 'NOTE')
     ON CONFLICT DO NOTHING`,
  )
  await old.rows(
    `INSERT INTO note (client_id, id, contact_id, last_result_id) VALUES (1, 2100, 2020, 47), (1, 2101, 2020, 40), (1, 2102, 2020, 900)`,
  )
  await old.to(210)
  expect(
    await valuesOf('SELECT id, effect, interval_count, is_call FROM last_result WHERE id IN (18, 47, 900) ORDER BY id'),
  ).toEqual([
    [18, 'clear', null, true],
    [47, 'rest', 7, true],
    [900, 'none', null, false],
  ])
  expect(await valuesOf('SELECT id, call FROM note WHERE id >= 2100 ORDER BY id')).toEqual([
    [2100, true],
    [2101, false],
    [2102, false],
  ])
})

test('migrations 0220 and 0221 leave existing e-mails unchanged, and give new ones a message row immediately', async () => {
  await old.before(220)
  const mail = (id: number) =>
    `INSERT INTO outbox (client_id, id, kind, payload) VALUES (1, ${id}, 'mail', '{"to": "c@d.example", "subject": "S${id}", "body": "secret", "confidential": ${id === 2202}}')`
  await old.rows(mail(2200))
  await old.rows(
    `INSERT INTO message (client_id, id, recipient, subject, body, state, error, sent_at) VALUES
       (1, 2200, 'a@b.example', 'Sent', 'x', 'sent', NULL, now()), (1, 2201, 'a@b.example', 'Waits', 'y', 'waiting', 'Come back', NULL)`,
  )
  const kept = 'SELECT id, state, error, sent_at IS NOT NULL FROM message WHERE id IN (2200, 2201) ORDER BY id'
  const before = await valuesOf(kept)
  await old.to(221)
  expect(await valuesOf(kept)).toEqual(before)
  const more =
    'SELECT DISTINCT token, stoppable, incoming, files, contact_id, claim, handed_at FROM message WHERE id IN (2200, 2201)'
  expect(await valuesOf(more)).toEqual([['', false, false, [], null, null, null]])
  await old.rows(mail(2202))
  expect(
    await valuesOf(
      'SELECT letter, recipient, state, body LIKE $$%secret%$$, length(token) FROM message WHERE letter >= 2200',
    ),
  ).toEqual([[2202, 'c@d.example', 'waiting', false, 32]])
  await old.rows('DELETE FROM outbox WHERE id >= 2200')
})

test('migration 0230 stores the packs of a client in rows', async () => {
  await old.before(230)
  await old.rows("UPDATE client SET packs = '{}', packs_lapsed = '{safety}' WHERE id = 2")
  await old.to(230)
  expect(
    await valuesOf(
      'SELECT client_id, product_id, status, has_lapsed FROM app_status WHERE client_id <= 2 ORDER BY client_id',
    ),
  ).toEqual([
    [1, 1, 1, false],
    [2, 1, 1, true],
  ])
})

test('migration 0231 gives existing resellers their company details, and preserves their clients', async () => {
  await old.before(231)
  await old.rows(
    `UPDATE client SET is_reseller = true, contacttel = '01632 960300', contactemail = 'north@resold.example' WHERE id = 2`,
  )
  await old.rows('UPDATE client SET reseller_id = 2 WHERE id = 1')
  await old.to(231)
  expect(await valuesOf('SELECT client_id, name, telephone, email, splash FROM reseller ORDER BY client_id')).toEqual([
    [2, 'Care', '01632 960300', 'north@resold.example', ''],
  ])
  expect(await valuesOf('SELECT client_id, reseller_id FROM reseller_client')).toEqual([[1, 2]])
  expect(await valuesOf('SELECT DISTINCT salutation FROM client')).toEqual([['']])
})

test('migrations 0240 and 0241 count sold insurance and accepted quotes as sales', async () => {
  await old.before(240)
  await old.rows(`INSERT INTO contact (client_id, id, company_name) VALUES (1, 9240, 'Sold Ltd')`)
  await old.rows(
    `INSERT INTO staff (client_id, id, username, name) VALUES (1, 9240, 'seller.0240', 'Sue') ON CONFLICT DO NOTHING`,
  )
  await old.rows(
    // These sales are at the last moment of October in London and in the first hour of July, in summer time. The second
    // seller is unknown.
    `INSERT INTO insurance_sale (client_id, id, contact_id, policy_type, price, author, created_at) VALUES
       (1, 9240, 9240, 'Van', 120.55, 'SELLER.0240', '2025-10-31T23:59:59Z'), (1, 9241, 9240, 'Tools', 10, 'nobody.known', '2025-06-30T23:30:00Z')`,
  )
  await old.rows(
    `INSERT INTO quote (client_id, id, number, customer_id, tax_percent, status_id, total, totals, owner_id, contact_id, company, decided_at, currency) VALUES
       (1, 9240, 9240, 1, 20, 3, 1200, '{"net": 1000}', 9240, 9240, 'Sold Ltd', '2025-07-31T23:30:00Z', 'GBP'),
       (1, 9241, 9241, 1, 20, 3, 600, '{}', NULL, NULL, 'Old Ltd', '2025-01-02T12:00:00Z', 'EUR'),
       (1, 9242, 9242, 1, 20, 2, 600, '{}', NULL, NULL, 'Open Ltd', NULL, 'GBP')`,
  )
  await old.rows(
    "INSERT INTO last_result (id, text, category, is_call) VALUES (5, 'Talked', 'LATER', true) ON CONFLICT DO NOTHING",
  )
  await old.rows(
    `INSERT INTO note (client_id, id, contact_id, user_id, last_result_id, minutes, timestamp, retired) VALUES
       (1, 9240, 9240, 9240, 5, 3, '2025-10-31T23:59:59Z', false), (1, 9241, 9240, 9240, 5, 4, '2025-10-31T12:00:00Z', false),
       (1, 9242, 9240, 9240, 5, 9, '2025-10-31T12:00:00Z', true), (1, 9243, 9240, 9240, 40, 9, '2025-10-31T12:00:00Z', false)`,
  )
  await old.to(241)
  expect(
    await valuesOf(
      `SELECT day::text, seller_id, amount, currency, source, what, company, state FROM counted_sale
       WHERE client_id = 1 AND (insurance_sale_id >= 9240 OR quote_id >= 9240) ORDER BY insurance_sale_id, quote_id`,
    ),
  ).toEqual([
    ['2025-10-31', 9240, 12055, 'GBP', 'insurance', 'Van', 'Sold Ltd', 'checked'],
    ['2025-07-01', null, 1000, 'GBP', 'insurance', 'Tools', 'Sold Ltd', 'checked'],
    ['2025-08-01', 9240, 1000, 'GBP', 'quote', expect.stringContaining('9240'), 'Sold Ltd', 'checked'],
    ['2025-01-02', null, 600, 'EUR', 'quote', expect.stringContaining('9241'), 'Old Ltd', 'checked'],
  ])
  expect(
    await valuesOf(
      `SELECT day::text, kind, sum(n)::int AS n, sum(amount)::int AS amount FROM work_change WHERE client_id = 1 AND what = 'call' AND staff_id = 9240 GROUP BY 1, 2`,
    ),
  ).toEqual([['2025-10-31', '5', 2, 7]])
})

test('migration 0260 removes leavers as owners of leads, and names them in a note', async () => {
  await old.before(260)
  await old.rows(
    `INSERT INTO contact (client_id, id, company_name, owner_id, retired) VALUES (1, 2600, 'Left behind', 1962, false), (1, 2601, 'Put away', 1962, true),
       (1, 2602, 'Hers', 1961, false), (1, 2603, 'Dead', 1964, false)`,
  )
  await old.to(260)
  expect(await valuesOf('SELECT id, owner_id FROM contact WHERE id BETWEEN 2600 AND 2603 ORDER BY id')).toEqual([
    [2600, null],
    [2601, null],
    [2602, 1961],
    [2603, 1964],
  ])
  expect(
    await valuesOf('SELECT contact_id, notes, automatic FROM note WHERE contact_id BETWEEN 2600 AND 2603'),
  ).toEqual([[2600, 'Owner: Left → blank\nLeft works no leads any more.', true]])
})

test('migration 0261 keeps only lead skips that have not expired, and at most one message per address in a batch', async () => {
  await old.before(261)
  await old.rows(
    `UPDATE contact SET skip_user_id = 1960, skip_until = CASE id WHEN 2600 THEN now() + interval '1 hour' ELSE now() - interval '1 day' END WHERE id IN (2600, 2602)`,
  )
  await old.rows(
    `INSERT INTO message (client_id, id, recipient, subject, body, run_id, contact_id) VALUES (1, 2610, 'a@b.example', '', '', 7, 2600), (1, 2611, 'a@b.example', '', '', 7, 2602)`,
  )
  await old.to(261)
  expect(await valuesOf('SELECT id, skip_users FROM contact WHERE id IN (2600, 2602) ORDER BY id')).toEqual([
    [2600, [1960]],
    [2602, null],
  ])
  expect(await valuesOf('SELECT id, run_id FROM message WHERE id >= 2610 ORDER BY id')).toEqual([
    [2610, 7],
    [2611, null],
  ])
})

test('migration 0262 makes the displayed owner of a deal its author', async () => {
  await old.before(262)
  await old.rows(
    'INSERT INTO sale (client_id, id, contact_id, user_id) VALUES (1, 2620, 2602, 1961), (1, 2621, 2602, NULL)',
  )
  await old.to(262)
  expect(await valuesOf('SELECT id, author FROM sale WHERE id >= 2620 ORDER BY id')).toEqual([
    [2620, 'renamed'],
    [2621, ''],
  ])
})

test('migrations 0271 and 0272 retain support tickets from before the help desk, and make clients searchable by full text', async () => {
  await old.before(271)
  await old.rows(
    `INSERT INTO support_ticket (client_id, id, email, subject, message, user_id) VALUES (1, 1, 'ann@brick.example', 'It fails', 'I pressed save', 1)`,
  )
  await old.to(272)
  expect(await valuesOf('SELECT desk, desk_number, desk_error FROM support_ticket')).toEqual([['kept', '', '']])
  expect(
    await valuesOf("SELECT id, client_troubles(id, retired) FROM client WHERE search_text LIKE '%brick%'"),
  ).toEqual([[1, ['no-administrator', 'never-signed-in', 'ticket']]])
})

test('migration 0280 marks sales with a renewal date as open for renewal, and website sources as web sources', async () => {
  await old.before(280)
  await old.rows("UPDATE counted_sale SET renews_on = '2026-08-01' WHERE client_id = 1 AND quote_id = 9240")
  await old.rows("INSERT INTO came_from (name) VALUES ('Website'), ('Hearsay') ON CONFLICT DO NOTHING")
  await old.to(280)
  expect(
    await valuesOf(
      'SELECT quote_id, renewal FROM counted_sale WHERE client_id = 1 AND quote_id >= 9240 ORDER BY quote_id',
    ),
  ).toEqual([
    [9240, 'open'],
    [9241, 'none'],
  ])
  expect(await valuesOf("SELECT name, web FROM came_from WHERE name IN ('Website', 'Hearsay') ORDER BY name")).toEqual([
    ['Hearsay', false],
    ['Website', true],
  ])
})

test("migrations 0310 and 0311 give each VAT rate a tax code, and post customers' balances as opening ledger entries", async () => {
  await old.before(310)
  await old.rows(
    `INSERT INTO tax_rate (client_id, id, name, percent) VALUES (1, 3100, 'Full', 20), (1, 3101, 'Heating', 5), (1, 3102, 'Books', 0)`,
  )
  await old.rows(
    `INSERT INTO customer (client_id, id, email, account_balance) VALUES (1, 3110, 'a@b.example', -250), (1, 3111, 'b@b.example', 0)`,
  )
  await old.to(311)
  expect(await valuesOf('SELECT id, code FROM tax_rate WHERE client_id = 1 AND id >= 3100 ORDER BY id')).toEqual([
    [3100, 'standard'],
    [3101, 'reduced'],
    [3102, 'zero'],
  ])
  expect(
    await valuesOf('SELECT customer_id, account, amount FROM ledger_entry WHERE customer_id >= 3110 ORDER BY id'),
  ).toEqual([
    [3110, 'receivable', -250],
    [3110, 'opening', 250],
  ])
})

test('migration 0364 links the payments of recorded bank lines to their lines, and no others', async () => {
  await old.before(364)
  await old.rows(
    `INSERT INTO charge (client_id, id, customer_id, method, amount, currency, state, received_at) VALUES
       (1, 3640, 3111, 'bank', 500, 'GBP', 'succeeded', '2026-11-20'), (1, 3641, 3111, 'bank', 500, 'GBP', 'succeeded', '2026-11-20')`,
  )
  await old.rows("INSERT INTO bank_statement (client_id, id, name, currency) VALUES (1, 3640, 'a.csv', 'GBP')")
  await old.rows(
    `INSERT INTO bank_line (client_id, id, statement_id, day, amount, currency, key, state, customer_id, charge_id) VALUES
       (1, 3640, 3640, '2026-11-20', 500, 'GBP', 'a', 'booked', 3111, 3640), (1, 3641, 3640, '2026-11-20', 500, 'GBP', 'b', 'open', NULL, NULL)`,
  )
  await old.to(364)
  expect(await valuesOf('SELECT id, bank_line_id FROM charge WHERE id >= 3640 ORDER BY id')).toEqual([
    [3640, 3640],
    [3641, null],
  ])
  // The reversal of its payment opens the line again, and neither happens without the other.
  const reverse = `UPDATE charge SET state = 'reversed', reversal_reason = 'x', reversed_at = now() WHERE id = 3640`
  await expect(old.rows(reverse)).rejects.toThrow('a line is booked as what came')
  await expect(old.rows("UPDATE bank_line SET state = 'open', charge_id = NULL WHERE id = 3640")).rejects.toThrow(
    'a line is booked as what came',
  )
})

test("migration 0368 makes a coupon's amount a term of each live subscription, from the period after the current one", async () => {
  await old.before(368)
  const terms = (more: object) =>
    JSON.stringify({ percentOff: null, amountOff: null, duration: 'forever', plans: [], ...more })
  await old.rows("INSERT INTO customer (client_id, id, email) VALUES (1, 3680, 'c@b.example')")
  await old.rows("INSERT INTO product (client_id, id, name) VALUES (1, 3680, 'Safety')")
  await old.rows("INSERT INTO plan (client_id, id, name, product_id, amount) VALUES (1, 3680, 'Safety', 3680, 6900)")
  const cases: readonly (readonly [number, object, readonly (readonly [string, number])[]])[] = [
    [1, { amountOff: 5000 }, [['month', 6900]]],
    [
      2,
      { amountOff: 5000 },
      [
        ['month', 4500],
        ['year', 45_000],
      ],
    ],
    [3, { percentOff: 10 }, [['month', 0]]],
    [4, { amountOff: 5000, duration: 'once' }, [['month', 2900]]],
    [5, { percentOff: 10, plans: ['/api/financial/plans/9999'] }, [['month', 0]]],
  ]
  const stored: Readonly<Record<string, object | null>> = {
    '1 month': { amountOff: 1283 },
    '2 month': { amountOff: 400 },
    '2 year': { amountOff: 4000 },
    '3 month': null,
    '4 month': { amountOff: 2900, duration: 'once' },
    '5 month': null,
  }
  for (const [n, coupon, lines] of cases) {
    await old.rows(
      'INSERT INTO quote (client_id, id, number, customer_id, tax_percent, status_id, coupon_terms) VALUES (1, $1::int, $1::int, 3680, 20, 1, $2)',
      [3680 + n, terms(coupon)],
    )
    for (const [interval, amount] of lines) {
      await old.rows(
        `INSERT INTO quote_line (client_id, quote_id, kind, plan_id, quantity, unit_amount, "interval", interval_count) VALUES (1, $1, 'plan', 3680, 1, $2, $3, 1)`,
        [3680 + n, amount, interval],
      )
      const own = stored[`${n} ${interval}`]
      await old.rows(
        `INSERT INTO subscription (client_id, quote_id, customer_id, "interval", anchor, started_on, charged_from, current_from, renews_on, charged, coupon_terms)
         VALUES (1, $1, 3680, $2, '2026-11-01', '2026-11-01', '2026-11-01', '2026-11-01', '2026-12-01', true, $3)`,
        [3680 + n, interval, own ? terms({ ...coupon, ...own }) : null],
      )
    }
  }
  await old.to(368)
  const rows = await valuesOf(
    `SELECT quote_id - 3680 AS n, "interval", coupon_terms ->> 'percentOff' AS percent, coupon_terms ->> 'amountOff' AS amount, coupon_terms -> 'first' AS first FROM subscription WHERE customer_id = 3680 ORDER BY id`,
  )
  const before = '2026-12-01'
  expect(rows.map((row) => [Number(row[0]), ...row.slice(1)])).toEqual([
    [1, 'month', null, '5000', { before, amountOff: 1283 }],
    [2, 'month', null, '455', { before, amountOff: 400 }],
    [2, 'year', null, '4545', { before, amountOff: 4000 }],
    [3, 'month', '10', null, null],
    [4, 'month', null, '2900', null],
    [5, 'month', null, null, null],
  ])
})

test('migration 0374 gives each month with issued invoices the exchange rate of its latest invoice', async () => {
  await old.before(374)
  // Invoices of zero: their totals equal those of their lines, and the ledger has no entries for them.
  await old.rows(
    `INSERT INTO invoice (client_id, id, customer_id, date, tax_point, due_on, currency, exchange_rate, supplier, buyer)
     SELECT 1, 3740 + n, 3110, day, day, day, currency, rate, '{}', '{}' FROM (VALUES
       (1, date '2026-05-04', 'EUR', 1.15), (2, date '2026-05-29', 'EUR', 1.17), (3, date '2026-06-01', 'EUR', 1.18), (4, date '2026-05-04', 'GBP', NULL)
     ) AS v (n, day, currency, rate)`,
  )
  await old.rows(
    'INSERT INTO invoice_line (client_id, invoice_id, quantity, unit_amount) SELECT 1, id, 1, 0 FROM generate_series(3741, 3744) id',
  )
  await old.rows(
    "UPDATE invoice SET number = 'INV-' || id, state = 'void', issued_at = now() WHERE id BETWEEN 3741 AND 3744",
  )
  await old.to(374)
  expect(
    await valuesOf('SELECT currency, month::text, rate, source FROM exchange_rate WHERE client_id = 1 ORDER BY month'),
  ).toEqual([
    ['EUR', '2026-05-01', 1.17, 'invoice'],
    ['EUR', '2026-06-01', 1.18, 'invoice'],
  ])
})

test('migration 0380 retains the time of sending only of invoices whose e-mail a mail server has accepted', async () => {
  await old.before(380)
  await old.rows(
    `INSERT INTO invoice (client_id, id, customer_id, sent_at)
     SELECT 1, id, 3110, CASE WHEN id < 3803 THEN '2026-01-05T09:00:00Z'::timestamptz END FROM generate_series(3800, 3803) id`,
  )
  await old.rows(
    `INSERT INTO message (client_id, recipient, subject, body, template, about, state, sent_at) VALUES
       (1, 'a@b.example', 'S', 'x', 'invoice', '/api/financial/invoices/3800', 'sent', '2026-01-05T09:01:00Z'),
       (1, 'a@b.example', 'S', 'x', 'invoice', '/api/financial/invoices/3801', 'kept', NULL),
       (1, 'a@b.example', 'S', 'x', 'invoice-overdue', '/api/financial/invoices/3802', 'sent', '2026-02-05T09:01:00Z')`,
  )
  await old.to(380)
  expect(
    await valuesOf(
      "SELECT id, to_char(sent_at AT TIME ZONE 'UTC', 'HH24:MI'), mail_queued_at IS NOT NULL FROM invoice WHERE id >= 3800 ORDER BY id",
    ),
  ).toEqual([
    [3800, '09:01', true],
    [3801, null, true],
    [3802, null, true],
    [3803, null, false],
  ])
})

test('migration 0388 turns reminders on for all invoices, except where a person has saved the settings', async () => {
  await old.before(388)
  await old.rows('INSERT INTO dunning_settings (client_id, id) VALUES (0, 3880), (1, 3881), (2, 3882)')
  await old.rows(
    `INSERT INTO audit (client_id, type, row_id, verb, user_id, username) VALUES (0, 'DunningSettings', 3880, 'create', 0, 'system'),
       (1, 'DunningSettings', 3881, 'update', 1, 'ann'), (2, 'DunningSettings', 3881, 'update', 2, 'Bob')`,
  )
  await old.to(388)
  expect(await valuesOf('SELECT client_id, remind_all FROM dunning_settings WHERE id >= 3880 ORDER BY id')).toEqual([
    [0, true],
    [1, false],
    [2, true],
  ])
})

test('migration 0400 records that no reason is known for subscriptions that are cancelled or set to end', async () => {
  await old.before(400)
  await old.rows(
    `INSERT INTO subscription (client_id, id, customer_id, status, anchor, started_on, charged_from, current_from, renews_on,
       ended_on, cancelled_at, cancel_at_period_end)
     SELECT 1, id, 3110, CASE id WHEN 4000 THEN 'cancelled' ELSE 'active' END, '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01', '2026-02-01',
       CASE id WHEN 4000 THEN '2026-01-09'::date END, CASE id WHEN 4000 THEN '2026-01-09T09:00:00Z'::timestamptz END, id = 4001
     FROM generate_series(4000, 4002) id`,
  )
  await old.to(400)
  expect(await valuesOf('SELECT id::int, cancel_reason FROM subscription WHERE id >= 4000 ORDER BY id')).toEqual([
    [4000, 'notRecorded'],
    [4001, 'notRecorded'],
    [4002, null],
  ])
  await expect(old.rows('UPDATE subscription SET amount = 1 WHERE id = 4000')).rejects.toThrow('stands as it ended')
  await expect(old.rows('UPDATE subscription SET cancel_at_period_end = true WHERE id = 4002')).rejects.toThrow(
    'violates check constraint',
  )
})

test('migrations 0452 and 0453 make completed forms searchable by their answers, and leave their defects unknown', async () => {
  await old.before(452)
  const sealed =
    '{"site": "Kelham Works", "photos": ["/api/safety/uploaded_documents/31"], "rows": [{"what": "Loose"}]}'
  await old.rows("INSERT INTO custom_form (client_id, id, title) VALUES (1, 4520, 'Check')")
  await old.rows(
    "INSERT INTO custom_form_version (client_id, id, form_id, number, title, schema, digest) VALUES (1, 4521, 4520, 1, 'Check', '{}', 'a')",
  )
  await old.rows(
    `INSERT INTO custom_form_answer (client_id, id, number, form_id, version_id, title, digest, answers)
     VALUES (1, 4522, 'FA-4522', 4520, 4521, 'Check', 'b', '${sealed}')`,
  )
  await old.to(453)
  expect(
    await valuesOf('SELECT search_text, together, subject, defects FROM custom_form_answer WHERE id = 4522'),
  ).toEqual([['fa-4522 check  loose kelham works', [], '', null]])
})

test('migration 0460 makes the contents of existing documents searchable, including sealed ones and templates', async () => {
  await old.before(460)
  await old.rows(
    `INSERT INTO document (client_id, id, kind, number, title, content) VALUES
       (0, 4600, 'toolbox_talk', 'TT-0046', 'Ladders', '{"points": [{"text": "<p>Three rungs above</p><p>the landing</p>"}]}'),
       (1, 4601, 'risk_assessment', 'RA-0046', 'Café', '{"equipment": "Wet saws", "matrix": {"bands": [{"name": "Intolerable"}]}}')`,
  )
  await old.rows("INSERT INTO risk_item (client_id, document_id, hazard_name) VALUES (1, 4601, 'Silica')")
  await old.rows(
    "UPDATE document SET seal = 'x', state = 'complete', complete = true WHERE client_id = 1 AND id = 4601",
  )
  await old.to(460)
  expect(
    await valuesOf(
      'SELECT document_id::int, fields, parts, words @@ words_query($q$cafe silica saw$q$, true) AS found FROM document_words WHERE document_id >= 4600 ORDER BY 1',
    ),
  ).toEqual([
    [4600, ['number', 'title', 'points', 'points'], ['TT-0046', 'Ladders', 'Three rungs above', 'the landing'], false],
    [4601, ['number', 'title', 'controls.hazard_name', 'equipment'], ['RA-0046', 'Café', 'Silica', 'Wet saws'], true],
  ])
})

test('migrations 0510 and 0511 add existing leads, customers and documents to the search in plain letters', async () => {
  await old.before(510)
  await old.rows(
    "INSERT INTO contact (client_id, id, company_name, postcode, phone) VALUES (1, 5100, 'O’Hara Łódź-Bau', 'LS1 1AA', '01632 960510 / 01632 960511')",
  )
  await old.rows(
    "INSERT INTO contact_person (client_id, contact_id, name, mobile) VALUES (1, 5100, 'Siân Ŵyn', '+44 7700 900510')",
  )
  await old.rows(
    `INSERT INTO customer (client_id, id, email, metadata) VALUES (2, 5100, 'Ann@Ærø.example', '{"company_name": "Smith & Jones"}')`,
  )
  await old.rows(
    "INSERT INTO document (client_id, id, kind, number, title) VALUES (1, 5100, 'risk_assessment', 'RA-0510', 'Non-slip floors & mats, LS1 1AA')",
  )
  await old.to(511)
  expect(
    await valuesOf('SELECT company_name, search_text FROM contact_search WHERE client_id = 1 AND contact_id = 5100'),
  ).toEqual([['ohara lodzbau', 'ohara lodzbau ls11aa 01632960510 01632960511 sian wyn 07700900510']])
  expect(await valuesOf('SELECT count(*) = (SELECT count(*) FROM contact) FROM contact_search')).toEqual([[true]])
  expect(await valuesOf('SELECT search_text FROM customer WHERE id = 5100')).toEqual([
    ['annaeroexample smith and jones'],
  ])
  expect(
    await valuesOf(
      `SELECT q FROM document_words, unnest(ARRAY['nonslip', 'ls11aa', 'floors and mats', 'slip', 'gas']) q
       WHERE document_id = 5100 AND words @@ words_query(q, true)`,
    ),
  ).toEqual([['nonslip'], ['ls11aa'], ['floors and mats'], ['slip']])
})

test('migration 0542 assigns existing refunds to the credit notes that have requested them, and no others', async () => {
  await old.before(542)
  // An invoice that was issued, paid and then credited in full: its entries in the ledger cancel out.
  await old.rows(
    `DO $$ BEGIN
       INSERT INTO invoice (client_id, id, customer_id, subtotal, net, total) VALUES (1, 5420, 3110, 50, 50, 50);
       INSERT INTO invoice_line (client_id, id, invoice_id, quantity, unit_amount, amount, net) VALUES (1, 5420, 5420, 1, 50, 50, 50);
       UPDATE invoice SET number = 'INV-5420', state = 'paid', amount_credited = 50, date = '2026-01-01', tax_point = '2026-01-01',
         due_on = '2026-01-01', issued_at = now(), supplier = '{}', buyer = '{}' WHERE id = 5420;
       INSERT INTO ledger_transaction (client_id, id, kind, day, description, customer_id, source, source_id) VALUES
         (1, 5420, 'invoice', '2026-01-01', 'Issued', 3110, 'Invoice', 5420), (1, 5421, 'credit', '2026-01-01', 'Credited', 3110, 'CreditNote', 5420);
       INSERT INTO ledger_entry (client_id, transaction_id, day, account, amount, currency, customer_id, invoice_id)
         SELECT 1, id, '2026-01-01', account, amount, 'GBP', 3110, 5420 FROM (VALUES
           (5420, 'receivable', 50), (5420, 'sales', -50), (5421, 'receivable', -50), (5421, 'sales', 50)) e (id, account, amount);
       INSERT INTO credit_note (client_id, id, number, invoice_id, customer_id, date, reason, goes_to, currency, net, tax, total, totals, amount_refunded, supplier, buyer, author)
         VALUES (1, 5420, 'CN-5420', 5420, 3110, '2026-01-01', 'Late', 'refund', 'GBP', 50, 0, 50, '{}', 50, '{}', '{}', 'ann');
       INSERT INTO credit_note_line (client_id, credit_note_id, line_id, net, tax) VALUES (1, 5420, 5420, 50, 0);
       INSERT INTO charge (client_id, id, customer_id, invoice_id, method, amount, currency, state, received_at)
         VALUES (1, 5420, 3110, 5420, 'bank', 100, 'GBP', 'succeeded', '2026-01-01');
       INSERT INTO refund (client_id, id, charge_id, customer_id, amount, currency, state, reason, created_by) VALUES
         (1, 5420, 5420, 3110, 50, 'GBP', 'waiting', 'Credit note CN-5420: Late', 'ann'),
         (1, 5421, 5420, 3110, 10, 'GBP', 'waiting', 'Credit note CN-5420', 'ann'),
         (1, 5422, 5420, 3110, 10, 'GBP', 'waiting', 'Credit note CN-5420: Late', 'bob');
     END $$`,
  )
  await old.to(542)
  expect(await valuesOf('SELECT id::int, credit_note_id::int FROM refund WHERE id >= 5420 ORDER BY id')).toEqual([
    [5420, 5420],
    [5421, null],
    [5422, null],
  ])
})

test('migration 0544 assigns recent changes to their only impersonation, and names the authors of tickets', async () => {
  await old.before(544)
  await old.rows(
    `INSERT INTO visit (client_id, id, visitor_client_id, visitor_user_id, visitor_username, visitor_name, as_username, reason, started_at, writes_from, until) VALUES
       (1, 5440, 0, 9, 'staff', 'Sam', 'ann', 'one', now() - interval '2 hours', now() - interval '2 hours', now() - interval '90 minutes'),
       (1, 5441, 0, 9, 'staff', 'Sam', 'ann', 'two', now() - interval '10 minutes', now() - interval '9 minutes', now() + interval '20 minutes'),
       (1, 5442, 0, 9, 'staff', 'Sam', 'ann', 'three', now() - interval '4 minutes', now() - interval '3 minutes', now() + interval '20 minutes')`,
  )
  await old.rows(
    `INSERT INTO audit (client_id, id, at, type, row_id, verb, user_id, username, as_user_id, as_username)
     SELECT 1, 5440 + n, now() - make_interval(mins => minutes), 'Client', 1, 'update', 9, 'staff', as_id, CASE WHEN as_id = 1 THEN 'ann' END
     FROM (VALUES (0, 100, 1), (1, 5, 1), (2, 1, 1), (3, 5, NULL), (4, 60, 1)) v (n, minutes, as_id)`,
  )
  await old.rows(
    "INSERT INTO support_ticket (client_id, id, name, email, subject, message, user_id) VALUES (1, 5440, 'Ann', 'a@b.example', 'PDF', 'Empty', 1)",
  )
  await old.to(544)
  // The third change may belong to either of two impersonations, the fourth and fifth to none.
  expect(
    await valuesOf('SELECT id::int, as_visit_id::int FROM audit WHERE id BETWEEN 5440 AND 5444 ORDER BY 1'),
  ).toEqual([
    [5440, 5440],
    [5441, 5441],
    [5442, null],
    [5443, null],
    [5444, null],
  ])
  expect(await valuesOf('SELECT author FROM support_ticket WHERE id = 5440')).toEqual([['ann']])
})

test('a database of the first version can be migrated to the latest one', async () => {
  await old.to()
  expect(await valuesOf('SELECT count(*)::int FROM contact')).toEqual([[30]])
})
