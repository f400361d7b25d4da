import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { readHiddenLine } from './first-login.server.ts'

test("a line typed without echo is read with the user's corrections applied", async () => {
  const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const terminal = new PassThrough()
  const typed = readHiddenLine(terminal)
  terminal.write('umbrellx\u007fa stand\r')
  expect(await typed).toBe('umbrella stand')
  expect(shown).not.toHaveBeenCalled()
  shown.mockRestore()
})
