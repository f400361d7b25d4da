import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { restore } from '#app/backup.ts'
import { makeEngine } from '#app/engine.ts'
import { readConfig } from '#server/config.ts'
import { openEmbedded, startSession } from '#server/db/embedded.ts'
import { run as verify } from '#server/evidence/command.ts'
import { makeEvidence } from '../support/evidence.ts'
import { testPortal } from '../support/portal.ts'

const folder = mkdtempSync(join(tmpdir(), 'stanchion-restored-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a database that was restored from its backup, with its files and its heads, is found honest', async () => {
  const [before, after] = [join(folder, 'before'), join(folder, 'after')]
  const portal = await (await testPortal()).with({ DATA_DIR: before, EVIDENCE_KEY: '' })
  const { client, signed } = await makeEvidence(portal)
  await portal.runSchedule('evidence.heads')
  const { origin } = portal.db
  if (!('pglite' in origin)) throw new Error('The database is not embedded')

  const backup = join(folder, 'backup.tar.gz')
  const dump = await origin.pglite.dumpDataDir('gzip')
  writeFileSync(backup, new Uint8Array(await dump.arrayBuffer()))
  const config = readConfig({ DATA_DIR: after, LOG_LEVEL: 'silent' })
  await restore(config, backup)
  for (const kept of ['files', 'evidence']) cpSync(join(before, kept), join(after, kept), { recursive: true })

  const db = await openEmbedded({ dir: after })
  try {
    await startSession(db.pglite)
    const restored = makeEngine(db, config)
    const honest = await verify(restored, ['--client', String(client.id)])
    expect(honest).toMatch(/entries of 1 client are unbroken.* Their heads are signed with the key/)
    await db.tx('owner', async (tx) => {
      await tx.script('SET LOCAL session_replication_role = replica')
      await tx.script(`UPDATE document SET approved_by = 'eve' WHERE id = ${signed.id}`)
    })
    await expect(verify(restored, [])).rejects.toThrow('its approver is "eve"')
  } finally {
    await db.close()
  }
})
