import { expect, test } from 'vitest'
import { incident, person } from '#test/support/incidents.ts'
import { type FactLookups, type ScreenedReport, toIncidentFacts } from './facts.server.ts'
import { clockOf, countDaysLate, describeClock, isSameProposal } from './proposal.ts'
import { PERSON_QUESTIONS } from './questions.ts'
import { retentionOf } from './retention.ts'
import { screenIncident } from './screening.ts'

const KEYS = ['fatal', 'major', 'seven_day', 'mop', 'three_day', 'lost_time', 'minor', 'none', ''] as const
const LOOKUPS: FactLookups = {
  severityKeys: new Map(KEYS.map((key, place) => [place + 1, key])),
  occurrenceNames: new Map([[1, 'Lifting equipment']]),
}
const REPORT = { datetime: '2026-03-02T10:00:00Z', nation: 'greatBritain', answers: {} } as const
const factsOf = (report: ScreenedReport) => toIncidentFacts({ ...REPORT, ...report }, LOOKUPS)
const onlyPerson = (values: NonNullable<ScreenedReport['personnel']>[number]) =>
  factsOf({ personnel: [{ id: 7, recordType: 'IP', ...values }] }).people[0]

test('the day of an accident is the date in London, even at night during British Summer Time', () => {
  expect(factsOf({ datetime: '2026-06-30T23:30:00Z' }).day).toBe('2026-07-01')
  expect(factsOf({ datetime: '2026-12-31T23:30:00Z' }).day).toBe('2026-12-31')
})

test("witnesses and removed people don't count as injured, and removed occurrences don't count", () => {
  const facts = factsOf({
    personnel: [
      { id: 1, recordType: 'WT', injurySustained: 1 },
      { id: 2, recordType: 'IP', retired: true },
    ],
    dangerousOccurrences: [
      { dangerousOccurrence: 1, retired: true },
      { dangerousOccurrence: 1, retired: false },
    ],
  })
  expect([facts.people, facts.occurrences]).toEqual([[], ['Lifting equipment']])
})

test("a job class determines a person's status: trainees and people on work experience count as employees", () => {
  const statuses = [1, 2, 3, 4, 5, 6, null].map((jobClass) => onlyPerson({ jobClass })?.status)
  expect(statuses).toEqual(['employee', 'selfEmployed', 'employee', 'employee', 'otherEmployer', 'public', undefined])
})

test('the worst harm entered counts, and the harm is unknown if none was entered', () => {
  expect(onlyPerson({})?.harm).toBeUndefined()
  expect(onlyPerson({ injurySustained: 9 })?.harm).toBe('injured')
  expect(onlyPerson({ harm: 'none', injurySustained: 9 })?.harm).toBe('injured')
  expect(onlyPerson({ injurySustained: 22 })?.harm).toBe('none')
  expect(onlyPerson({ severity: 8 })?.harm).toBe('none')
  expect(onlyPerson({ harm: 'injured', severity: 1 })?.harm).toBe('dead')
  expect(onlyPerson({ diedOn: '2026-03-09' })?.harm).toBe('dead')
})

test('a severity implies no specified injury, and answers only the questions that it states', () => {
  expect(onlyPerson({ severity: 2 })?.specified).toBeUndefined()
  expect(onlyPerson({ severity: 3 })?.answers).toEqual({ overSevenDays: 'yes' })
  expect(onlyPerson({ severity: 3, answers: { overSevenDays: 'no' } })?.answers).toEqual({ overSevenDays: 'no' })
  expect(onlyPerson({ severity: 4 })?.answers).toEqual({ takenToHospital: 'yes' })
  expect(onlyPerson({ severity: 7 })?.answers).toEqual({})
})

test('absences that were not entered remain unknown, and an empty list means that there were none', () => {
  expect(onlyPerson({ absences: null })?.absences).toBeUndefined()
  expect(onlyPerson({ absences: [] })?.absences).toEqual([])
})

const VALUES = {
  jobClass: [null, 1, 2, 3, 4, 5, 6],
  severity: [null, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  injurySustained: [null, 1, 9, 22],
  harm: [null, 'none', 'injured', 'dead'],
  diedOn: [null, null, '2026-03-02', '2026-04-01', '2028-01-01'],
  specified: [null, [], ['a'], ['h']],
  absences: [null, [], [{ from: '2026-03-03' }], [{ from: '2026-03-03', until: '2026-03-09' }]],
  recordType: ['IP', 'IP', 'WT'],
  retired: [false, false, true],
} as const
const INCIDENT_QUESTIONS = [
  'workRelated',
  'underOurControl',
  'occurrence',
  'diseaseFromWork',
  'gasSupplier',
  'gasFitting',
]
const ANSWERS = [undefined, 'yes', 'no']

test('every stored combination leads to a report, a reason or a question', () => {
  let state = 7
  const pick = <T>(all: readonly T[]): T => {
    state = (state * 48_271) % 2_147_483_647
    return all[state % all.length] as T
  }
  const answersTo = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, pick(ANSWERS)]))
  for (let n = 0; n < 5000; n++) {
    const one = {
      ...Object.fromEntries(Object.entries(VALUES).map(([name, all]) => [name, pick(all as readonly unknown[])])),
      answers: answersTo(Object.keys(PERSON_QUESTIONS)),
    }
    const report = {
      ...REPORT,
      nation: pick(['greatBritain', 'northernIreland', 'elsewhere', null]),
      answers: answersTo(INCIDENT_QUESTIONS),
      disease: pick([null, 'asthma']),
      diagnosedOn: pick([null, '2026-03-20']),
      personnel: pick([[], [one], [{ ...one, id: 3 }, one]]),
      dangerousOccurrences: pick([[], [{ dangerousOccurrence: 1, retired: false }]]),
    } as ScreenedReport
    const facts = toIncidentFacts(report, LOOKUPS)
    const screening = screenIncident(facts, '2026-03-11')
    const { outcome, duties, questions, reasons } = screening
    const answered = { reportable: duties, open: questions, notReportable: reasons, otherLaw: reasons }[outcome]
    expect(answered.length, JSON.stringify(report)).toBeGreaterThan(0)
    const clock = clockOf(facts, screening)
    expect(clock !== undefined, JSON.stringify(report)).toBe(duties.some(({ responsible }) => responsible === 'us'))
    if (clock) expect(clock.startedOn <= clock.reportBy).toBe(true)
  }
})

test('the report that is due first determines the clock, and a report without a limit is due on the day it arose', () => {
  const broken = incident({ people: [person({ specified: ['a'] }), person({ id: 2 }, { overSevenDays: 'yes' })] })
  expect(clockOf(broken, screenIncident(broken, '2026-03-03'))).toEqual({
    startedOn: '2026-03-02',
    reportBy: '2026-03-12',
  })
  const ill = incident({
    people: [],
    answers: { diseaseFromWork: 'yes' },
    rest: { disease: { kind: 'asthma', diagnosedOn: '2026-05-04' } },
  })
  expect(clockOf(ill, screenIncident(ill, '2026-05-05'))).toEqual({ startedOn: '2026-05-04', reportBy: '2026-05-04' })
  const away = incident({ people: [person({ absences: [{ from: '2026-03-03' }] })] })
  expect(clockOf(away, screenIncident(away, '2026-03-12'))).toEqual({ startedOn: '2026-03-10', reportBy: '2026-03-17' })
})

test('a further day of an absence changes no proposal, but a new duty does', () => {
  const away = incident({ people: [person({ absences: [{ from: '2026-03-03' }] })] })
  const [before, after] = [screenIncident(away, '2026-03-11'), screenIncident(away, '2026-03-12')]
  expect(before.duties[0]?.reason).not.toBe(after.duties[0]?.reason)
  expect(isSameProposal(before, after)).toBe(true)
  expect(isSameProposal(screenIncident(away, '2026-03-09'), after)).toBe(false)
})

test('a report is late from the day after its last day, even once it has been sent', () => {
  expect(countDaysLate({ reportBy: '2026-03-12', hseSentOn: null }, '2026-03-12')).toBe(0)
  expect(countDaysLate({ reportBy: '2026-03-12', hseSentOn: null }, '2026-03-13')).toBe(1)
  expect(countDaysLate({ reportBy: '2026-03-12', hseSentOn: '2026-03-15' }, '2026-12-31')).toBe(3)
  expect(countDaysLate({ reportBy: null, hseSentOn: null }, '2026-12-31')).toBe(0)
})

test('a clock shows the days remaining, and shows its lateness even after the report', () => {
  const clock = { clockStartedOn: '2026-03-02', reportBy: '2026-03-12', hseSentOn: null }
  const words = ['2026-03-02', '2026-03-10', '2026-03-12', '2026-03-13'].map((on) => describeClock(clock, on)?.text)
  expect(words).toEqual(['10 days left to report', '2 days left to report', 'Report today', 'Report 1 day late'])
  expect(describeClock({ ...clock, hseSentOn: '2026-03-12' }, '2026-04-01')?.text).toBe('Reported in time')
  expect(describeClock({ ...clock, hseSentOn: '2026-03-14' }, '2026-04-01')?.text).toBe('Reported 2 days late')
  expect(describeClock({ ...clock, reportBy: '2026-03-02' }, '2026-03-02')?.text).toBe('Report without delay')
  expect(describeClock({ clockStartedOn: null, reportBy: null, hseSentOn: null }, '2026-03-02')).toBeUndefined()
})

const PERIODS = [
  { id: 1, record: 'RIDDOR record', keepYears: 3, reference: 'reg 12' },
  { id: 3, record: 'Accident to a child', keepYears: null, reference: 'Limitation Act 1980' },
]

test('a child’s record is stored until the child is 21, or for three years if that is later', () => {
  const until = (dateOfBirth: string | null, age: number | null = null) =>
    retentionOf(PERIODS, '2026-03-03', '2026-03-02', [{ dateOfBirth, age }]).keepUntil
  expect(until(null)).toBe('2029-03-03')
  expect(until('2008-03-02')).toBe('2029-03-03')
  expect(until('2008-03-03')).toBe('2029-03-03')
  expect(until('2020-02-29')).toBe('2041-02-28')
  expect(until(null, 3)).toBe('2044-03-02')
  expect(until(null, 18)).toBe('2029-03-03')
})
