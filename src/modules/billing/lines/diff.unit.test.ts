import { expect, test } from 'vitest'
import { diffQuoteLines } from './line.ts'

const line = (description: string, quantity = 1, unitAmount = 100, plan?: string) => ({
  description,
  quantity,
  unitAmount,
  ...(plan ? { plan } : {}),
})
const lines = (plans: ReturnType<typeof line>[], additionalItems: ReturnType<typeof line>[] = []) => ({
  plans,
  skus: [],
  additionalItems,
})

test('comparing two quotes reports each line as added, changed, unchanged or removed', () => {
  const before = lines([line('Safety', 1, 4500, '/plans/1'), line('Fleet', 1, 3900, '/plans/2')], [line('Visit')])
  const after = lines([line('Safety pack', 2, 4500, '/plans/1')], [line(' visit '), line('Folder')])
  expect(diffQuoteLines(before, after).map((c) => [c.kind, c.before?.description, c.after?.description])).toEqual([
    ['changed', 'Safety', 'Safety pack'],
    ['removed', 'Fleet', undefined],
    ['changed', 'Visit', ' visit '],
    ['added', undefined, 'Folder'],
  ])
})

test('when quotes are compared, identical lines are each matched with a different line of the earlier quote', () => {
  const before = lines([line('A'), line('A')])
  expect(diffQuoteLines(before, lines([line('A'), line('A', 2), line('A')])).map((c) => c.kind)).toEqual([
    'same',
    'changed',
    'added',
  ])
})
