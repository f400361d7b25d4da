import { expect, test } from 'vitest'
import { parseFileName } from './file.ts'

test('a downloaded file is saved under the file name sent by the server, in any script', () => {
  expect(
    parseFileName(
      'inline; filename="RA-0007 rev 2 ?.pdf"; filename*=UTF-8\'\'RA-0007%20rev%202%20%E5%B7%A5%E5%9C%B0.pdf',
    ),
  ).toBe('RA-0007 rev 2 工地.pdf')
  expect(parseFileName('inline; filename="TT-0002 rev 1 Ladders.pdf"')).toBe('TT-0002 rev 1 Ladders.pdf')
  expect(parseFileName('attachment; filename=notes.txt')).toBe('notes.txt')
  expect(parseFileName('inline')).toBeUndefined()
})
