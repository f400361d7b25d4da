import { expect, it } from 'vitest'
import { describeRecordUses } from './used-by.ts'

const users = [1, 2, 3, 4].map((n) => ({ documentNumber: `RA-000${n}`, revision: n }))

it("the sentence about a record's uses names up to three documents and counts the others", () => {
  expect(describeRecordUses([], 0)).toBe('')
  expect(describeRecordUses(users.slice(0, 1), 1)).toBe('It is used by RA-0001 revision 1.')
  expect(describeRecordUses(users, 4)).toBe(
    'It is used by RA-0001 revision 1, RA-0002 revision 2, RA-0003 revision 3 and 1 other.',
  )
})
