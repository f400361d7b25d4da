import { expect, test } from 'vitest'
import { checkCoshhCompletion } from './completion-check.ts'
import {
  controlApproachDecision,
  nextLevExaminationDate,
  proposalsInRecord,
  proposeApproachForSubstanceUse,
} from './substances-used.ts'

const used = { name: 'Thinners', form: 'liquid', hazardStatements: ['H302'], quantity: 1, unit: 'l', level: 'medium' }
const today = { today: '2026-03-01', showDay: (day: string) => day }
const titles = (record: Record<string, unknown>) => checkCoshhCompletion(record, today).looks.map((look) => look.title)

test('a control approach is decided by confirming the current proposal, or by choosing another with a reason', () => {
  const { formula } = proposeApproachForSubstanceUse(used)
  expect(controlApproachDecision(used)).toBe('open')
  expect(controlApproachDecision({ ...used, confirmed: formula })).toBe('confirmed')
  expect(controlApproachDecision({ ...used, confirmed: formula, quantity: 2000 })).toBe('open')
  expect(controlApproachDecision({ ...used, confirmed: formula, approach: 3 })).toBe('open')
  expect(controlApproachDecision({ ...used, approach: 3, reason: 'Enclosed' })).toBe('other')
  const unknown = { ...used, quantity: null }
  expect(controlApproachDecision({ ...unknown, confirmed: proposeApproachForSubstanceUse(unknown).formula })).toBe(
    'open',
  )
})

test('a completed assessment shows the proposal on which its author decided, even if the scheme’s data has changed since', () => {
  const former = 'Expert advice (H317: skin sensitiser), whatever the amount = approach 4'
  const sealed = { ...used, hazardStatements: ['H317'], proposal: former, proposed: '4', confirmed: former }
  const [shown] = proposalsInRecord({ substances: [sealed], complete: true })
  expect([shown?.formula, shown?.approach, controlApproachDecision(sealed, shown)]).toEqual([former, 4, 'confirmed'])
  const [again] = proposalsInRecord({ substances: [sealed], complete: false })
  expect([again?.approach, controlApproachDecision(sealed, again)]).toEqual([3, 'open'])
})

test('local exhaust ventilation is due for examination 14 months after its last examination', () => {
  expect(nextLevExaminationDate({ lev: 'yes', levExamined: '2025-01-31' })).toBe('2026-03-31')
  expect(nextLevExaminationDate({ lev: 'no', levExamined: '2025-01-31' })).toBeUndefined()
  expect(nextLevExaminationDate({ lev: 'yes' })).toBeUndefined()
})

test('the completion check lists every data sheet, control approach, substance and examination that needs attention', () => {
  const good = { ...used, sheetDate: '2025-06-01', confirmed: proposeApproachForSubstanceUse(used).formula }
  expect(titles({ substances: [good] })).toEqual([])
  expect(titles({ substances: [{ ...good, sheetDate: '2023-03-01' }] })).toEqual(['Data sheets'])
  expect(titles({ substances: [{ ...good, sheetDate: null }] })).toEqual(['Data sheets'])
  expect(titles({ substances: [{ ...good, hazardStatements: ['H334'] }] })).toEqual(['Expert advice needed'])
  expect(titles({ substances: [{ ...good, approach: 1, reason: 'Outdoors' }] })).toEqual([
    'Approach differs from COSHH Essentials',
  ])
  expect(titles({ substances: [good], lev: 'yes', levExamined: '2024-12-31' })).toEqual(['Local exhaust ventilation'])
  expect(titles({ substances: [good], lev: 'yes', levExamined: '2026-03-02' })).toEqual(['Local exhaust ventilation'])
  expect(titles({ substances: [good], lev: 'yes', levExamined: '2025-12-31' })).toEqual([])
})

test('the completion check queries the answer “No” to health surveillance if there are sensitisers, carcinogens or mutagens, and shows a conclusion that is not “yes”', () => {
  const items = (record: object, title: RegExp) =>
    checkCoshhCompletion({ ...record }, today)
      .looks.filter((look) => title.test(look.title))
      .flatMap((look) => look.items.map(({ text, at }) => [text, at]))
  const about = (...hazardStatements: string[]) =>
    items({ surveillance: 'no', substances: [{ ...used, hazardStatements }] }, /^Health surveillance/)
  for (const code of ['H317', 'H334', 'H340', 'H350', 'H350i', 'H372', 'EUH204'])
    expect([code, about('H302', code)]).toEqual([code, [['Thinners', 'surveillance']]])
  expect(about('H302', 'H314')).toEqual([])
  for (const surveillance of ['yes', null])
    expect(items({ surveillance, substances: [{ ...used, hazardStatements: ['H350'] }] }, /^Health/)).toEqual([])
  expect(items({ adequate: 'no' }, /adequately/)).toEqual([['No: the work must not start', 'adequate']])
  expect(items({ adequate: 'actions' }, /adequately/)).toHaveLength(1)
  for (const adequate of ['yes', null]) expect(items({ adequate }, /adequately/)).toEqual([])
})

test('the completion check lists substances to store separately, and substances whose storage conflicts are unknown', () => {
  const named = (name: string, ...hazardStatements: string[]) => ({ ...used, name, hazardStatements })
  const apart = (...substances: object[]) =>
    checkCoshhCompletion({ substances }, today)
      .looks.filter(({ title }) => title === 'Store separately')
      .flatMap(({ items }) => items.map(({ text, at }) => [text, at]))
  const [bleach, descaler] = [named('Bleach', 'H314', 'EUH031'), named('Descaler', 'H290', 'H314')]
  expect(apart(bleach, descaler)).toEqual([['Bleach and Descaler', 'storage']])
  expect(apart(bleach, named('Plaster'))).toEqual([
    ['Plaster: no hazard statement, so storage conflicts can’t be checked', 'storage'],
  ])
  expect(apart(named('Plaster'))).toEqual([])
})
