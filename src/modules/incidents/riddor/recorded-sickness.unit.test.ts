import { expect, test } from 'vitest'
import { addSickness, findSicknessAfterAccident, findUnenteredSickness } from './recorded-sickness.ts'

const spell = (firstDay: string, lastDay: string | null = null) => ({ firstDay, lastDay })

test('sickness belongs to an accident if it began on the day of the accident or within the next 90 days', () => {
  const all = [
    spell('2026-03-20'),
    spell('2026-03-01', '2026-03-04'),
    spell('2026-02-28', '2026-03-10'),
    spell('2026-05-30'),
    spell('2026-05-31'),
  ]
  expect(findSicknessAfterAccident(all, '2026-03-01')).toEqual([
    { from: '2026-03-01', until: '2026-03-04' },
    { from: '2026-03-20' },
    { from: '2026-05-30' },
  ])
})

test('sickness that equals an entered absence is not proposed again, but is proposed if its last day has changed', () => {
  const sickness = [{ from: '2026-03-02', until: '2026-03-12' }]
  expect(findUnenteredSickness(null, sickness)).toEqual(sickness)
  expect(findUnenteredSickness(sickness, sickness)).toEqual([])
  expect(findUnenteredSickness([{ from: '2026-03-02' }], sickness)).toEqual(sickness)
})

test('confirmed sickness replaces the absences that it overlaps, and leaves the others', () => {
  const entered = [{ from: '2026-03-02' }, { from: '2026-01-02', until: '2026-01-03' }]
  expect(addSickness(entered, { from: '2026-03-02', until: '2026-03-12' })).toEqual([
    { from: '2026-01-02', until: '2026-01-03' },
    { from: '2026-03-02', until: '2026-03-12' },
  ])
})
