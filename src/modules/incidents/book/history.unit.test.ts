import { expect, test } from 'vitest'
import { mergeChanges } from './history.ts'

const change = (minute: number, notes: string, author = 'ann') => ({
  event: 'Changed',
  notes,
  author,
  createdAt: `2026-03-01T09:${String(minute).padStart(2, '0')}:00Z`,
})

test('consecutive changes by one person are one event that lists each field once', () => {
  const merged = mergeChanges([change(1, 'City, County'), change(2, 'County, Postcode'), change(30, 'City')])
  expect(merged).toEqual([change(30, 'City, County, Postcode')])
})

test('changes are separate events if another person, another event or a long pause comes between them', () => {
  const reported = { ...change(3, ''), event: 'Reported' }
  const events = [change(1, 'City'), change(2, 'City', 'bob'), reported, change(4, 'City'), change(45, 'City')]
  expect(mergeChanges(events)).toEqual(events)
})
