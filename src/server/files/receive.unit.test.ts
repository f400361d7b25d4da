import { spawnSync } from 'node:child_process'
import type fs from 'node:fs'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'

test('the first upload to a process removes only the temporary folders of killed processes', async () => {
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
  const { ensureTemporaryUploadFolder: receivedIn } = await import('./receive.ts')
  expect(existsSync(await receivedIn())).toBe(true)
  expect(paths.map((path) => existsSync(path))).toEqual([false, true, true])
})

test('an upload that is aborted before its file is opened leaves no file behind', async () => {
  vi.resetModules()
  const opened = Promise.withResolvers<void>()
  vi.doMock('node:fs', async (original: () => Promise<typeof fs>) => {
    const actual = await original()
    const openLate = (path: string, flags: string, mode: number, done: (e: Error | null, fd: number) => void) =>
      setTimeout(() => {
        actual.open(path, flags, mode, (e, fd) => {
          done(e, fd)
          opened.resolve()
        })
      }, 20)
    const createWriteStream: typeof fs.createWriteStream = (path, options) =>
      actual.createWriteStream(path, { ...(options as object), fs: { ...actual, open: openLate } })
    return { ...actual, createWriteStream }
  })
  onTestFinished(() => {
    vi.doUnmock('node:fs')
  })
  const { receiveToDisk: receive, ensureTemporaryUploadFolder: receivedIn } = await import('./receive.ts')
  const broken = new Readable({
    read() {
      this.destroy(new Error('broken off'))
    },
  })
  await expect(receive(broken, 1000)).rejects.toThrow('broken off')
  await opened.promise
  expect(readdirSync(await receivedIn())).toEqual([])
})
