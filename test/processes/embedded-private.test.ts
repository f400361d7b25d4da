import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { backup } from '#app/backup.ts'
import { readConfig } from '#server/config.ts'
import { openEmbedded } from '#server/db/embedded.ts'

const parent = mkdtempSync(join(tmpdir(), 'stanchion-files-'))
const dir = join(parent, 'data')
afterAll(() => rmSync(parent, { recursive: true }))

/** Files and folders under a path that anybody else of the machine can read or write. */
const openOnes = () =>
  readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(parent, name)).mode & 0o077)

test('the database’s files and its backup are open to nobody else, also in a folder that was open', async () => {
  await (await openEmbedded({ dir })).close()
  expect(openOnes()).toEqual([])
  chmodSync(dir, 0o777)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await backup(readConfig({ DATA_DIR: dir }), join(parent, 'backups', 'one.tar.gz'))
  expect(said).toHaveBeenCalledWith(expect.stringContaining('was open to other accounts'))
  said.mockRestore()
  expect(readdirSync(join(parent, 'backups'))).toEqual(['one.tar.gz'])
  expect(openOnes()).toEqual([])
})
