import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { backupDatabase } from '#app/backup.ts'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { processFolder } from './portal.ts'

const parent = join(processFolder, 'private')
const dir = join(parent, 'data')
/** Under root, PostgreSQL runs under another account, which must be able to traverse the data folder. */
const PASSAGE = process.getuid?.() === 0 ? 0o010 : 0

/** Returns the files and folders below a path that other users of the machine can read or write. */
const openOnes = () =>
  readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(parent, name)).mode & 0o077 & ~(name === 'data' ? PASSAGE : 0),
  )

mkdirSync(parent, { mode: 0o711 })

test("other users can't read database files, backup or socket, even in a world-readable folder", async () => {
  const { stop } = await startEmbeddedPostgres(dir)
  const [, , , , sockets = '', addresses] = readFileSync(join(dir, 'database', 'postmaster.pid'), 'utf8').split('\n')
  expect([statSync(sockets).mode & 0o077, addresses]).toEqual([0, ''])
  await stop()
  expect(openOnes()).toEqual([])
  chmodSync(dir, 0o777)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await backupDatabase(readConfig({ DATA_DIR: dir }), join(parent, 'backups', 'one.tar.gz'))
  expect(said).toHaveBeenCalledWith(expect.stringContaining('Other accounts on this machine could open the folder'))
  said.mockRestore()
  expect(readdirSync(join(parent, 'backups'))).toEqual(['one.tar.gz'])
  expect(openOnes()).toEqual([])
})
