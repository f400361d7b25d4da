import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { readHiddenLine } from './first-login.server.ts'

test('a hidden line is read with its corrections and not echoed', async () => {
  const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const terminal = new PassThrough()
  const typed = readHiddenLine(terminal)
  terminal.write('umbrellx\u007fa stand\r')
  expect(await typed).toBe('umbrella stand')
  expect(shown).not.toHaveBeenCalled()
  shown.mockRestore()
})
