import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPrivate } from './private-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'stanchion-private-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a new folder is open to nobody else, and nothing is said', () => {
  const said: string[] = []
  keepPrivate(join(parent, 'data'), (s) => said.push(s))
  expect([modeOf(join(parent, 'data')), said]).toEqual([0o700, []])
})

test.each([0o777, 0o755, 0o770])('a folder of mode %i is closed, which is said', (mode) => {
  chmodSync(parent, mode)
  const said: string[] = []
  keepPrivate(parent, (s) => said.push(s))
  expect([modeOf(parent), said.length]).toEqual([0o700, 1])
})
