import { expect, test } from 'vitest'
import { describeCell } from './cell-words.ts'
import type { MatrixCell } from './matrix.ts'

const cell = (values: Partial<MatrixCell>): MatrixCell => ({
  employee: 1,
  course: 1,
  needed: true,
  competent: false,
  state: 'never',
  dueOn: null,
  record: null,
  completedOn: null,
  validUntil: null,
  ...values,
})

test('each state is described in words with its date', () => {
  const today = '2026-06-01'
  expect(describeCell(undefined, today)).toBe('Not needed')
  expect(describeCell(cell({ state: 'notNeeded', validUntil: '2020-01-01' }), today)).toBe('Not needed')
  expect(describeCell(cell({ state: 'expired', validUntil: '2026-05-03' }), today)).toBe('Expired 03/05/2026')
  expect(describeCell(cell({ state: 'due', validUntil: '2026-06-01' }), today)).toBe('Due by 01/06/2026')
  expect(describeCell(cell({ state: 'inDate', validUntil: '2028-06-01' }), today)).toBe('In date to 01/06/2028')
  expect(describeCell(cell({ state: 'inDate' }), today)).toBe('In date, no expiry')
  expect(describeCell(cell({ dueOn: '2026-06-02' }), today)).toBe('Never, needed by 02/06/2026')
  expect(describeCell(cell({ dueOn: '2026-06-01' }), today)).toBe('Never')
})
