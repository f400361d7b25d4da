import { expect, test } from 'vitest'
import { checkedCoshh } from './checked.ts'
import { decisionOn, levDue, proposalFor } from './substances-used.ts'

const used = { name: 'Thinners', form: 'liquid', hazardStatements: ['H302'], quantity: 1, unit: 'l', level: 'medium' }
const today = { today: '2026-03-01', showDay: (day: string) => day }
const titles = (record: Record<string, unknown>) => checkedCoshh(record, today).looks.map((look) => look.title)

test('a confirmed proposal is listed with its wording, another approach with its reason', () => {
  const { formula } = proposalFor(used)
  expect(decisionOn(used)).toBe('open')
  expect(decisionOn({ ...used, confirmed: formula })).toBe('confirmed')
  expect(decisionOn({ ...used, confirmed: formula, quantity: 2000 })).toBe('open')
  expect(decisionOn({ ...used, confirmed: formula, approach: 3 })).toBe('open')
  expect(decisionOn({ ...used, approach: 3, reason: 'Enclosed' })).toBe('other')
  const unknown = { ...used, quantity: null }
  expect(decisionOn({ ...unknown, confirmed: proposalFor(unknown).formula })).toBe('open')
})

test('local exhaust ventilation is due for examination after 14 months', () => {
  expect(levDue({ lev: 'yes', levExamined: '2025-01-31' })).toBe('2026-03-31')
  expect(levDue({ lev: 'no', levExamined: '2025-01-31' })).toBeUndefined()
  expect(levDue({ lev: 'yes' })).toBeUndefined()
})

test('the completion check lists old data sheets, overdue examinations, weaker approaches and substances for an expert', () => {
  const good = { ...used, sheetDate: '2025-06-01', confirmed: proposalFor(used).formula }
  expect(titles({ substances: [good] })).toEqual([])
  expect(titles({ substances: [{ ...good, sheetDate: '2023-03-01' }] })).toEqual(['Data sheets'])
  expect(titles({ substances: [{ ...good, sheetDate: null }] })).toEqual(['Data sheets'])
  expect(titles({ substances: [{ ...good, hazardStatements: ['H334'] }] })).toEqual(['Needs an expert'])
  expect(titles({ substances: [{ ...good, approach: 1, reason: 'Outdoors' }] })).toEqual([
    'Different approach from COSHH Essentials',
  ])
  expect(titles({ substances: [good], lev: 'yes', levExamined: '2024-12-31' })).toEqual(['Local exhaust ventilation'])
  expect(titles({ substances: [good], lev: 'yes', levExamined: '2026-03-02' })).toEqual(['Local exhaust ventilation'])
  expect(titles({ substances: [good], lev: 'yes', levExamined: '2025-12-31' })).toEqual([])
})

test('the completion check lists substances to be stored apart, and those without a hazard statement', () => {
  const named = (name: string, ...hazardStatements: string[]) => ({ ...used, name, hazardStatements })
  const apart = (...substances: object[]) =>
    checkedCoshh({ substances }, today)
      .looks.filter(({ title }) => title === 'To be stored apart')
      .flatMap(({ items }) => items.map(({ text, at }) => [text, at]))
  const [bleach, descaler] = [named('Bleach', 'H314', 'EUH031'), named('Descaler', 'H290', 'H314')]
  expect(apart(bleach, descaler)).toEqual([['Bleach and Descaler', 'storage']])
  expect(apart(bleach, named('Plaster'))).toEqual([
    ['Plaster: it has no hazard statement, so that it is not known', 'storage'],
  ])
  expect(apart(named('Plaster'))).toEqual([])
})
