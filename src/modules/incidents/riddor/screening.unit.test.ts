import { expect, test } from 'vitest'
import { DAY, incident, PLAIN, person, type Scene, TODAY, visitor } from '#test/support/incidents.ts'
import type { IncidentFacts, PersonFacts } from './facts.ts'
import { screenIncident } from './screening.ts'

const screen = (scene: Scene, today = TODAY) => screenIncident(incident(scene), today)

test("an incident in Northern Ireland needs a person's decision, and the law that applies there is named", () => {
  const { outcome, reasons } = screen({ people: [person({ harm: 'dead' })], rest: { nation: 'northernIreland' } })
  expect(outcome).toBe('otherLaw')
  expect(reasons[0]?.text).toContain('HSENI')
})

test('a report is due ten days after a specified injury, and fifteen days after an accident with a long absence', () => {
  const [broken] = screen({ people: [person({ specified: ['a'] })] }).duties
  expect([broken?.isUrgent, broken?.reportBy]).toEqual([true, '2026-03-12'])
  const [away] = screen({ people: [person({}, { overSevenDays: 'yes' })] }).duties
  expect([away?.isUrgent, away?.reportBy]).toEqual([false, '2026-03-17'])
})

test('a dangerous gas fitting must be reported within fourteen days of its discovery', () => {
  const [gas] = screen({ people: [], answers: { gasFitting: 'yes' }, rest: { gasLearnedOn: '2026-03-05' } }).duties
  expect(gas?.reportBy).toBe('2026-03-19')
})

test('another employer must report an accident to its own worker, and the person in control an accident to a visitor', () => {
  const [agency] = screen({ people: [person({ status: 'otherEmployer', specified: ['a'] })] }).duties
  const elsewhere = { people: [visitor({}, { takenToHospital: 'yes' })], answers: { underOurControl: 'no' } } as const
  const [guest] = screen(elsewhere).duties
  const [own] = screen({
    people: [person({ status: 'selfEmployed', specified: ['a'] }, { ownPremises: 'yes' })],
  }).duties
  expect([agency?.responsible, guest?.responsible, own?.responsible, own?.isUrgent]).toEqual([
    'other',
    'other',
    'selfEmployed',
    false,
  ])
})

test('an absence of eight days makes an injury reportable, and one of four days makes it recordable', () => {
  const at = (today: string) =>
    screen({ people: [person({ absences: [{ from: '2026-03-03' }] }, { overSevenDays: 'no' })] }, today)
  expect([at('2026-03-05').recorded, at('2026-03-06').recorded]).toEqual([[], [1]])
  expect([at('2026-03-09').outcome, at('2026-03-10').outcome]).toEqual(['notReportable', 'reportable'])
})

const VALUES = {
  status: [undefined, 'employee', 'selfEmployed', 'otherEmployer', 'public'],
  harm: [undefined, 'none', 'injured', 'dead'],
  specified: [undefined, [], ['a'], ['h']],
  diedOn: [undefined, '2026-05-01', '2028-01-01'],
} as const
const ANSWERS = [undefined, 'yes', 'no'] as const

/** Calls `check` with many combinations of facts, known and unknown. */
function forManyFacts(check: (facts: IncidentFacts) => void): void {
  let state = 1
  const pick = <T>(all: readonly T[]): T => {
    state = (state * 48_271) % 2_147_483_647
    return all[state % all.length] as T
  }
  for (let n = 0; n < 20_000; n++) {
    const answers = Object.fromEntries([...Object.keys(PLAIN), 'roadException'].map((name) => [name, pick(ANSWERS)]))
    const one = {
      id: 1,
      answers,
      ...Object.fromEntries(Object.entries(VALUES).map(([name, all]) => [name, pick(all as readonly unknown[])])),
    }
    const asked = ['workRelated', 'underOurControl', 'occurrence', 'gasSupplier', 'gasFitting']
    check({
      day: DAY,
      nation: pick(['greatBritain', 'greatBritain', 'northernIreland', undefined]),
      people: pick([[one], [one], []]) as readonly PersonFacts[],
      answers: Object.fromEntries(asked.map((name) => [name, pick(ANSWERS)])),
    })
  }
}

test('every combination of facts leads to a question, a report or a reason', () => {
  forManyFacts((facts) => {
    const { outcome, duties, questions, reasons } = screenIncident(facts, TODAY)
    const answered = { reportable: duties, open: questions, notReportable: reasons, otherLaw: reasons }[outcome]
    expect(answered.length, JSON.stringify(facts)).toBeGreaterThan(0)
    expect(new Set(questions.map(({ name, person: of }) => `${name} ${of}`)).size).toBe(questions.length)
  })
})

/** Days until the report is due; none if it is due without delay, and infinite if nothing is reportable. */
const urgencyOf = (facts: IncidentFacts): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...screenIncident(facts, TODAY).duties.map(({ isUrgent, reportBy = DAY }) =>
      isUrgent ? 0 : Date.parse(reportBy) - Date.parse(DAY),
    ),
  )

test('a more severe injury never makes a report less urgent', () => {
  for (const status of ['employee', 'otherEmployer', 'public'] as const)
    for (const takenToHospital of ['yes', 'no'] as const) {
      const severities: PersonFacts[] = [
        person({ status, harm: 'none' }),
        person({ status }, { takenToHospital }),
        person({ status }, { takenToHospital, overSevenDays: 'yes' }),
        person({ status, specified: ['a'] }, { takenToHospital }),
        person({ status, harm: 'dead' }, { takenToHospital }),
      ]
      const urgencies = severities.map((one) => urgencyOf(incident({ people: [one] })))
      expect(urgencies).toEqual(urgencies.toSorted((a, b) => b - a))
    }
})
