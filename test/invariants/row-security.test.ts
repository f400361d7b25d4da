import { beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '#server/db/db.ts'
import { type TestClient, testPortal } from '#test/support/portal.ts'

// Row-level security protects rows even from hand-written SQL that omits the tenant.

const portal = await testPortal()
const { db } = portal
let a: TestClient
let b: TestClient
const contacts: Record<string, number> = {}

const inside = <T>(clientId: number, work: (tx: Tx) => Promise<T>) => db.tx({ clientId }, work)
const rows = <T>(clientId: number, text: string, values: readonly unknown[] = []) =>
  inside(clientId, (tx) => tx.rows<T>(text, values))
/** Returns the SQLSTATE of a rejected statement; undefined if the statement succeeded. */
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (e: { code?: string }) => e.code,
  )
const DENIED = '42501'
/** SQLSTATE if the tenant setting is missing or empty. */
const NO_TENANT = /^(42704|22P02)$/
const asSystem = <T>(text: string, values: readonly unknown[] = []) => db.tx('system', (tx) => tx.rows<T>(text, values))

beforeAll(async () => {
  ;[a, b] = [await portal.client(), await portal.client()]
  for (const [name, c] of Object.entries({ a, b })) {
    const [row] = await asSystem<{ id: number }>(
      'INSERT INTO contact (client_id, company_name) VALUES ($1, $2) RETURNING id',
      [c.id, `Lead of ${name}`],
    )
    contacts[name] = (row as { id: number }).id
    await asSystem('INSERT INTO note (client_id, contact_id, notes) VALUES ($1, $2, $3)', [
      c.id,
      contacts[name],
      `note of ${name}`,
    ])
    await c.user({ username: `person.${name}` })
  }
})

/** Tables that only the portal's internal code may read. */
const SECRETS = ['credential', 'session', 'access_token', 'attempt', 'known_device', 'password_reset', 'idempotency']

describe("a tenant's transaction", () => {
  test("a tenant's transaction sees only its own rows, whatever the query", async () => {
    expect(await rows(a.id, 'SELECT company_name AS n FROM contact')).toEqual([{ n: 'Lead of a' }])
    expect(await rows(a.id, 'SELECT 1 FROM contact WHERE client_id = $1', [b.id])).toEqual([])
    expect(await rows(a.id, 'SELECT 1 FROM contact WHERE id = $1 OR true', [contacts.b])).toHaveLength(1)
    expect(await rows(a.id, 'SELECT count(*)::int AS n FROM contact')).toEqual([{ n: 1 }])
    expect(await rows(a.id, 'SELECT id FROM client')).toEqual([{ id: a.id }])
  })

  test("a tenant's transaction sees no other rows through joins, sub-selects, unions or EXISTS", async () => {
    expect(
      await rows(a.id, 'SELECT n.notes FROM note n FULL JOIN contact c ON true FULL JOIN user_account u ON true'),
    ).toEqual([{ notes: 'note of a' }])
    expect(await rows(a.id, 'SELECT (SELECT company_name FROM contact WHERE id = $1) AS n', [contacts.b])).toEqual([
      { n: null },
    ])
    expect(await rows(a.id, 'SELECT 1 WHERE EXISTS (SELECT 1 FROM note WHERE contact_id = $1)', [contacts.b])).toEqual(
      [],
    )
    expect(await rows(a.id, 'SELECT username FROM user_account UNION ALL SELECT username FROM user_account')).toEqual([
      { username: 'person.a' },
      { username: 'person.a' },
    ])
  })

  test("a tenant's transaction cannot insert rows into another tenant", async () => {
    for (const sql of [
      `INSERT INTO contact (client_id, company_name) VALUES (${b.id}, 'Smuggled')`,
      `INSERT INTO note (client_id, contact_id, notes) VALUES (${b.id}, ${contacts.b}, 'Smuggled')`,
      `INSERT INTO audit (client_id, type, row_id, verb, user_id, username) VALUES (${b.id}, 'x', 1, 'x', 1, 'x')`,
      `INSERT INTO outbox (client_id, kind, payload) VALUES (${b.id}, 'mail', '{}')`,
      `UPDATE contact SET client_id = ${b.id}`,
    ])
      expect([sql, await refusal(rows(a.id, sql))]).toEqual([sql, DENIED])
    expect(await asSystem('SELECT company_name AS n FROM contact WHERE client_id = $1', [b.id])).toEqual([
      { n: 'Lead of b' },
    ])
  })

  test("a tenant's transaction cannot link its rows to those of another tenant", async () => {
    await expect(
      rows(a.id, 'INSERT INTO note (client_id, contact_id) VALUES ($1, $2)', [a.id, contacts.b]),
    ).rejects.toMatchObject({ code: '23503' })
  })

  test("a tenant's transaction changes and deletes only its own rows", async () => {
    expect(await rows(a.id, 'UPDATE contact SET city = $2 WHERE id = $1 RETURNING 1', [contacts.b, 'Leeds'])).toEqual(
      [],
    )
    expect(await rows(a.id, 'UPDATE contact SET city = $1 RETURNING id', ['Leeds'])).toEqual([{ id: contacts.a }])
    expect(await rows(a.id, 'DELETE FROM note WHERE contact_id = $1 RETURNING 1', [contacts.b])).toEqual([])
    expect(await rows(a.id, 'DELETE FROM user_account WHERE client_id = $1 RETURNING 1', [b.id])).toEqual([])
    expect(
      await rows(
        a.id,
        'UPDATE contact c SET city = u.username FROM user_account u WHERE u.client_id = $1 RETURNING c.id',
        [b.id],
      ),
    ).toEqual([])
    expect(await asSystem('SELECT city FROM contact WHERE id = $1', [contacts.b])).toEqual([{ city: null }])
  })

  test("a tenant's transaction cannot lock rows of another tenant", async () => {
    expect(await rows(a.id, 'SELECT id FROM contact FOR UPDATE')).toEqual([{ id: contacts.a }])
  })

  test("a tenant's transaction cannot read secrets", async () => {
    for (const t of SECRETS) expect([t, await refusal(rows(a.id, `SELECT 1 FROM ${t}`))]).toEqual([t, DENIED])
  })

  test("a tenant's transaction can neither change nor delete audit entries", async () => {
    await rows(
      a.id,
      `INSERT INTO audit (client_id, type, row_id, verb, user_id, username) VALUES ($1, 'Contact', 1, 'update', 1, 'x')`,
      [a.id],
    )
    for (const as of [{ clientId: a.id }, 'system'] as const)
      for (const sql of ["UPDATE audit SET username = 'y'", 'DELETE FROM audit', 'TRUNCATE audit'])
        expect([sql, await refusal(db.tx(as, (tx) => tx.rows(sql)))]).toEqual([sql, DENIED])
  })

  test("a tenant's transaction resets its tenant when it ends", async () => {
    await rows(a.id, 'SELECT 1')
    expect(await refusal(db.tx('owner', (tx) => tx.rows('SELECT current_client()')))).toMatch(NO_TENANT)
    expect(await rows(b.id, 'SELECT current_client() AS c')).toEqual([{ c: b.id }])
  })

  test("a tenant's transaction cannot change its role or disable row-level security", async () => {
    for (const sql of [
      'SET LOCAL row_security = off; SELECT * FROM contact',
      'ALTER TABLE contact DISABLE ROW LEVEL SECURITY',
      'DROP POLICY tenant ON contact',
      'ALTER ROLE stanchion_tenant BYPASSRLS',
      'CREATE TABLE mine (x int)',
    ])
      expect([sql, await refusal(inside(a.id, (tx) => tx.script(sql)))]).toEqual([sql, DENIED])
  })
})

describe('a transaction without a tenant', () => {
  test('a transaction without a tenant is refused instead of seeing the rows of every tenant', async () => {
    for (const sql of [
      'SET LOCAL ROLE stanchion_tenant; SELECT * FROM contact',
      "SET LOCAL ROLE stanchion_tenant; SET LOCAL app.client_id = ''; SELECT * FROM contact",
      "SET LOCAL ROLE stanchion_tenant; SET LOCAL app.client_id = ''; UPDATE contact SET city = 'x'",
      'SET LOCAL ROLE stanchion_tenant; INSERT INTO contact (client_id) VALUES (0)',
    ])
      expect([sql, await refusal(db.tx('owner', (tx) => tx.script(sql)))]).toEqual([
        sql,
        expect.stringMatching(NO_TENANT),
      ])
  })
})

describe('the reader role', () => {
  test('the reader role cannot write', async () => {
    for (const sql of [
      `INSERT INTO contact (client_id) VALUES (${a.id})`,
      "UPDATE contact SET city = 'x'",
      'DELETE FROM contact',
      'TRUNCATE contact',
      "UPDATE role SET label = 'x'",
      'SELECT 1 FROM contact FOR UPDATE',
      `SELECT nextval('contact_id_seq')`,
    ])
      expect([sql, await refusal(db.read.rows(sql))]).toEqual([sql, DENIED])
  })

  test('the reader role cannot read secrets', async () => {
    for (const t of SECRETS) expect([t, await refusal(db.read.rows(`SELECT 1 FROM ${t}`))]).toEqual([t, DENIED])
  })
})

test('bound values are never executed as SQL', async () => {
  const evil = `'; UPDATE contact SET city = 'taken'; --`
  expect(await rows(a.id, 'SELECT $1::text AS v', [evil])).toEqual([{ v: evil }])
  expect(await asSystem("SELECT 1 FROM contact WHERE city = 'taken'")).toEqual([])
})
