import { beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { withForgery } from '#test/support/forging.ts'
import { type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let client: TestClient

const sql = (text: string, values: readonly unknown[] = []) =>
  portal.db.tx('owner', async (tx) => {
    await tx.script('SET LOCAL session_replication_role = replica')
    return tx.rows<{ id: number }>(text, values)
  })
const verify = async () =>
  (await verifyClientEvidence(portal.engine, client.id)).findings.map(({ named, untrue }) => `${named}: ${untrue}`)
const sealLogs = () => portal.runSchedule('evidence.logs')

beforeAll(async () => {
  client = await portal.client()
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const api = client.as(admin)
  for (const name of ['One', 'Two', 'Three']) await api.put(admin.iri, { name })
  await sql(
    `INSERT INTO security_event (client_id, event, username, at) SELECT $1, 'account', 'ann', now() - n * interval '1 day' FROM generate_series(2, 4) n`,
    [client.id],
  )
  await sql(
    `INSERT INTO visit (client_id, visitor_client_id, visitor_user_id, visitor_username, visitor_name, as_username, reason, started_at, until)
     VALUES ($1, 0, $2, $3, 'Sam', $4, 'help', now() - interval '2 hours', now() - interval '90 minutes')`,
    [client.id, staff.id, staff.username, admin.username],
  )
  await sql("UPDATE audit SET at = at - interval '3 hours' WHERE client_id = $1", [client.id])
  await sealLogs()
  await portal.runSchedule('identity.seal-impersonations')
})

describe('the logs of a client', () => {
  test('match their daily digests, also after more has been logged', async () => {
    expect(await verify()).toEqual([])
    await sql(
      "INSERT INTO security_event (client_id, event, username, at) VALUES ($1, 'account', 'ben', now() - interval '1 day')",
      [client.id],
    )
    expect(await verify()).toEqual([])
    await sealLogs()
    await sealLogs()
    expect(await verify()).toEqual([])
  })

  test.each([
    [
      'the whole audit log is deleted',
      'DELETE FROM audit WHERE client_id = $1',
      /the audit log has 0 rows where \d+ were sealed/,
    ],
    [
      'a row of the audit log is deleted',
      'DELETE FROM audit WHERE (client_id, id) = (SELECT client_id, min(id) FROM audit WHERE client_id = $1 GROUP BY 1)',
      /the audit log has \d+ rows where/,
    ],
    [
      'a row of the audit log names somebody else',
      "UPDATE audit SET username = 'else' WHERE client_id = $1",
      /the audit log has been changed \(rows/,
    ],
    [
      'the security log is deleted',
      'DELETE FROM security_event WHERE client_id = $1',
      /the security log has 0 rows where/,
    ],
    [
      'an impersonation is deleted',
      'DELETE FROM visit WHERE client_id = $1',
      /^the impersonation of .* by Sam: it is missing/,
    ],
    [
      'an impersonation has another reason',
      "UPDATE visit SET reason = 'x' WHERE client_id = $1",
      /by Sam: its reason is "x"/,
    ],
  ])('show that %s', async (_, text, finding) => {
    const logs = ['audit', 'security_event']
    const kept = await Promise.all(logs.map((table) => sql(`SELECT * FROM ${table} WHERE client_id = $1`, [client.id])))
    const found = await withForgery(portal, client.id, (tx) => tx.rows(text, [client.id]), verify)
    for (const [n, table] of logs.entries()) {
      await sql(`DELETE FROM ${table} WHERE client_id = $1`, [client.id])
      await sql(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`, [
        JSON.stringify(kept[n]),
      ])
    }
    expect(found).toContainEqual(expect.stringMatching(finding))
    expect(await verify()).toEqual([])
  })

  test('may lose rows of the security log after 13 months', async () => {
    await sql('DELETE FROM security_event WHERE client_id = $1', [client.id])
    expect(await verify()).toContainEqual(expect.stringContaining('the security log has 0 rows'))
    await moveClock(portal.engine, 400)
    expect(await verify()).toEqual([])
    await moveClock(portal.engine, 0)
  })
})
