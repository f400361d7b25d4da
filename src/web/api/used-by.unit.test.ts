import { expect, it } from 'vitest'
import { formatUses } from './used-by.ts'

const users = [1, 2, 3, 4].map((n) => ({ documentNumber: `RA-000${n}`, revision: n }))

it("the sentence about a record's uses names three documents, counts the others, and is empty if there are none", () => {
  expect(formatUses([], 0)).toBe('')
  expect(formatUses(users.slice(0, 1), 1)).toBe('It is used by RA-0001 revision 1.')
  expect(formatUses(users, 4)).toBe(
    'It is used by RA-0001 revision 1, RA-0002 revision 2, RA-0003 revision 3 and 1 other.',
  )
})
