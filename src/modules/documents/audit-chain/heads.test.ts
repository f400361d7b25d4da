import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadEvidenceKeys } from '#server/evidence/keys.ts'
import { CHAIN_START_HASH, type ChainLink, hashChainLink } from '#server/evidence/link.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { makeAssessments } from '#test/support/assessments.ts'
import { withForgery } from '#test/support/forging.ts'
import { testPortal } from '#test/support/portal.ts'

const folder = mkdtempSync(join(tmpdir(), 'stanchion-heads-'))
afterAll(() => rmSync(folder, { recursive: true }))
const portal = await (await testPortal()).with({ DATA_DIR: folder, EVIDENCE_KEY: '' })
const { client, author, current } = await makeAssessments(portal)
const look = async () => (await verifyEvidence(portal.engine, client.id)).broken
const sign = () => portal.runSchedule('evidence.heads')
const rows = <T>(sql: string) => portal.db.tx('owner', (tx) => tx.rows<T>(sql))
const lines = () => readFileSync(join(folder, 'evidence/heads.jsonl'), 'utf8')

const first = await current()
await sign()
const second = await current()
await sign()

test("an audit chain that has grown gets a signed head in the database and in a file, and only the server's account can read the signing key", async () => {
  const [key = ''] = loadEvidenceKeys(portal.engine.config).names
  expect(statSync(join(folder, 'evidence/head.key')).mode & 0o777).toBe(0o600)
  const listed = await author.get('/api/safety/seal_heads')
  const heads = listed.body['hydra:member'].map((h: { entries: number; key: string }) => [h.entries, h.key])
  expect(heads).toEqual([
    [4, key],
    [2, key],
  ])
  const before = lines()
  expect(before.split('\n').filter((line) => line.includes(`"clientId":${client.id},`))).toHaveLength(2)
  await sign()
  expect(lines()).toBe(before)
  expect(await look()).toEqual([])
})

test('chain entries after the last signed head are not reported', async () => {
  await author.put(first['@id'], { reviewDue: '2027-01-01' })
  expect(await look()).toEqual([])
  await sign()
})

const cut = (from: number) => `DELETE FROM seal WHERE client_id = ${client.id} AND place >= ${from}`
const gone = (id: number) => `DELETE FROM risk_item WHERE document_id = ${id}; DELETE FROM document WHERE id = ${id}`

test('a truncated audit chain is detected, even if its documents or heads were also deleted', async () => {
  const forge = (sql: string) => withForgery(portal, client.id, (tx) => tx.script(sql), look)
  expect(await forge(cut(5))).toContainEqual(
    expect.stringMatching(/signed head of 5 entries: it was signed .*, but the chain ends with entry 4/),
  )
  expect(await forge(`${cut(3)}; ${gone(second.id)}`)).toContainEqual(
    expect.stringContaining('but the chain ends with entry 2'),
  )
  const all = `${cut(1)}; ${gone(first.id)}; ${gone(second.id)}`
  expect(await forge(all)).toContainEqual(expect.stringContaining('but the chain ends with entry 0'))
  // The forgery also deletes the signed heads from the database, but the file still contains them.
  const rolledBack = `${cut(5)}; DELETE FROM seal_head WHERE client_id = ${client.id} AND entries >= 5`
  expect(await forge(rolledBack)).toContainEqual(expect.stringContaining('the chain ends with entry 4'))
})

test('deleted and forged audit-chain heads are detected', async () => {
  const forge = (sql: string) => withForgery(portal, client.id, (tx) => tx.script(sql), look)
  expect(await forge(`DELETE FROM seal_head WHERE client_id = ${client.id} AND entries = 2`)).toEqual([
    expect.stringContaining('it is in the file outside the database, but no longer in the database.'),
  ])
  const added = `INSERT INTO seal_head (client_id, entries, hash, at, key, signature)
    SELECT client_id, entries, hash, at + interval '1 day', key, signature FROM seal_head WHERE client_id = ${client.id} AND entries = 2`
  expect(await forge(added)).toEqual([
    expect.stringContaining('the copy in the database does not match its signature.'),
  ])
})

test('a recomputed audit chain is detected and gets no signed head', async () => {
  const links = await rows<Omit<ChainLink, 'subject' | 'hash' | 'previous' | 'at'> & { readonly id: number }>(
    `SELECT form, place, event, subject_type AS "subjectType", subject_id AS "subjectId", digest, by, id FROM seal WHERE client_id = ${client.id} ORDER BY place`,
  )
  let previous = CHAIN_START_HASH
  const sql = links.map((link) => {
    const at = '2020-01-01T00:00:00Z'
    const forged = { ...link, at, previous }
    const hash = hashChainLink(forged)
    const set = `UPDATE seal SET at = '${at}', previous = '${previous}', hash = '${hash}' WHERE client_id = ${client.id} AND id = ${link.id}`
    previous = hash
    return set
  })
  const found = await withForgery(
    portal,
    client.id,
    (tx) => tx.script(sql.join('; ')),
    async () => {
      const before = lines()
      await sign()
      expect(lines()).toBe(before)
      return look()
    },
  )
  expect(found).toEqual([
    expect.stringMatching(/The signed head of 2 entries: it was signed .*, but entry 2 of the chain now differs/),
  ])
})

test('a heads file whose last line was cut off by a crash is not reported', async () => {
  const kept = lines()
  writeFileSync(join(folder, 'evidence/heads.jsonl'), kept.slice(0, -30))
  expect(await look()).toEqual([])
  writeFileSync(join(folder, 'evidence/heads.jsonl'), kept)
})
