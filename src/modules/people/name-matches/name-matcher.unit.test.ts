import { expect, test } from 'vitest'
import { createNameMatcher } from './name-matcher.ts'

const find = createNameMatcher([
  { id: 1, name: 'Ann Carter', retired: false },
  { id: 2, name: 'Bob Day', retired: false },
  { id: 3, name: 'Bob Day', retired: false },
  { id: 4, name: 'Cat Eves', retired: false },
  { id: 5, name: 'Cat Eves', retired: true },
  { id: 6, name: 'Dan Frost', retired: true },
])

test('a typed name finds one employee, whatever its capitals, spaces and order', () => {
  for (const typed of ['Ann Carter', ' ann  CARTER', 'Carter, Ann'])
    expect([typed, find(typed, false)]).toEqual([typed, { employee: 1, candidates: 1 }])
  for (const typed of ['Ann', 'Ann Carter-Day', 'Site manager', 'Carter, Ann, Ltd'])
    expect([typed, find(typed, false)]).toEqual([typed, undefined])
})

test('a name of several employees is ambiguous, also if one of them has left', () => {
  expect([find('Bob Day', false), find('Cat Eves', false)]).toEqual([
    { employee: null, candidates: 2 },
    { employee: null, candidates: 2 },
  ])
})

test('a leaver is proposed for a record of the past only', () => {
  expect([find('Dan Frost', false), find('Dan Frost', true)]).toEqual([undefined, { employee: 6, candidates: 1 }])
})
