import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensurePrivateFolder, lockDatabase } from './data-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'stanchion-private-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a new data folder is accessible only to its owner, and no warning is logged', () => {
  const said: string[] = []
  ensurePrivateFolder(join(parent, 'data'), (s) => said.push(s))
  expect([modeOf(join(parent, 'data')), said]).toEqual([0o700, []])
})

test.each([0o777, 0o755, 0o770])(
  'an existing data folder with mode %i is restricted to its owner, and a warning is logged',
  (mode) => {
    chmodSync(parent, mode)
    const said: string[] = []
    ensurePrivateFolder(parent, (s) => said.push(s))
    expect([modeOf(parent), said.length]).toEqual([0o700, 1])
  },
)

test('the PostgreSQL account can traverse the data folder, and no warning is logged', () => {
  const said: string[] = []
  const account = { uid: statSync(parent).uid, gid: statSync(parent).gid }
  for (let n = 0; n < 2; n++) ensurePrivateFolder(parent, (s) => said.push(s), account)
  expect([modeOf(parent), said]).toEqual([0o710, []])
})

test('a data folder from an earlier version is rejected with an explanation and left unchanged', () => {
  mkdirSync(join(parent, 'postgres'))
  writeFileSync(join(parent, 'postgres', 'PG_VERSION'), '18\n')
  expect(() => lockDatabase(parent, () => {})).toThrow(
    `${join(parent, 'postgres')} contains the database of an earlier version of the portal, which this version can’t open. Set DATA_DIR to an empty folder. The earlier version can still open its own folder.`,
  )
  expect(readdirSync(parent)).toEqual(['postgres'])
})

test('a link to a missing database is rejected instead of being treated as an empty data folder', () => {
  symlinkSync(join(parent, 'gone'), join(parent, 'database'))
  expect(() => lockDatabase(parent, () => {})).toThrow('is a link to a folder that no longer exists')
})

test('only one process at a time can lock a database', () => {
  const { unlock } = lockDatabase(parent, () => {})
  writeFileSync(join(parent, 'stanchion.lock'), String(process.ppid))
  expect(() => lockDatabase(parent, () => {})).toThrow(`is in use by another portal (process ${process.ppid})`)
  unlock()
  lockDatabase(parent, () => {}).unlock()
})
