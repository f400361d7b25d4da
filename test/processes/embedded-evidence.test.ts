import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupDatabase, restoreDatabase } from '#app/backup.ts'
import { createPortalEngine } from '#app/engine.ts'
import { readConfig } from '#server/config.ts'
import { openDb } from '#server/db/open.ts'
import { verifyEvidenceCommand as verify } from '#server/evidence/command.ts'
import { loadReferenceData } from '#server/seed/reference.ts'
import { tamperWithDatabase } from '../e2e/support/tampering.ts'
import { makeEvidence } from '../support/evidence.ts'
import { openPortalOnDatabase } from '../support/portal.ts'
import { processFolder } from './portal.ts'

const configOf = (name: string) => readConfig({ DATA_DIR: join(processFolder, name), LOG_LEVEL: 'silent' })
const before = configOf('before')
const after = configOf('after')
const file = join(processFolder, 'backups', 'one.tar.gz')

async function makeSigned(): Promise<{ clientId: number; documentId: number }> {
  const db = await openDb(before)
  try {
    await loadReferenceData(createPortalEngine(db, before))
    const portal = await openPortalOnDatabase(db, { DATA_DIR: before.dataDir, EVIDENCE_KEY: '' })
    const { client, signed } = await makeEvidence(portal)
    await portal.runSchedule('evidence.heads')
    return { clientId: client.id, documentId: signed.id }
  } finally {
    await db.close()
  }
}

async function verifyRestored(args: string[]): Promise<string> {
  const db = await openDb(after)
  try {
    return await verify(createPortalEngine(db, after), args)
  } finally {
    await db.close()
  }
}

test('a database restored from its backup, with files and signed heads, passes verification', async () => {
  const { clientId, documentId } = await makeSigned()
  expect(await backupDatabase(before, file)).toContain(`${file} contains the current database`)
  expect(await restoreDatabase(after, file)).toContain(`${after.dataDir} now contains the database from ${file}`)
  for (const kept of ['files', 'evidence'])
    cpSync(join(before.dataDir, kept), join(after.dataDir, kept), { recursive: true })

  const honest = await verifyRestored(['--client', String(clientId)])
  expect(honest).toMatch(/entries from 1 client are intact.* The heads of the chains are signed with the key/)
  await tamperWithDatabase(after.dataDir, `UPDATE document SET approved_by = 'eve' WHERE id = ${documentId}`)
  await expect(verifyRestored([])).rejects.toThrow('its approver is "eve"')
  await expect(restoreDatabase(after, file)).rejects.toThrow(`${after.dataDir} already contains a database.`)
})

test('a file that is not a backup of this version is not restored, and the data folder stays empty', async () => {
  const other = join(processFolder, 'other.tar.gz')
  const content = join(processFolder, 'content')
  mkdirSync(content)
  writeFileSync(join(content, 'PG_VERSION'), '18\n')
  execFileSync('tar', ['-czf', other, '-C', content, '.'])
  const empty = configOf('empty')
  await expect(restoreDatabase(empty, other)).rejects.toThrow(
    `${other} is not a backup that this version can open. PostgreSQL did`,
  )
  await expect(backupDatabase(empty, join(processFolder, 'none.tar.gz'))).rejects.toThrow(
    `${empty.dataDir} contains no database.`,
  )
  expect(existsSync(join(processFolder, 'none.tar.gz'))).toBe(false)
})
