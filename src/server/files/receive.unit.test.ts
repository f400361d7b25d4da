import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

test('a process that receives its first file clears away behind those that were killed, and behind no other', async () => {
  const { pid: over } = spawnSync(process.execPath, ['--version'])
  const twoHoursAgo = Date.now() / 1000 - 2 * 3600
  const folders = [
    [`${over}-killed`, twoHoursAgo],
    [`${over}-coming`, Date.now() / 1000],
    [`${process.ppid}-living`, twoHoursAgo],
  ] as const
  const paths = folders.map(([name, at]) => {
    const path = join(tmpdir(), `stanchion-received-${name}`)
    mkdirSync(path, { recursive: true })
    utimesSync(path, at, at)
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return path
  })
  vi.resetModules()
  const { receivedIn } = await import('./receive.ts')
  expect(existsSync(await receivedIn())).toBe(true)
  expect(paths.map((path) => existsSync(path))).toEqual([false, true, true])
})
