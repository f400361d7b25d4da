import { expect, test } from 'vitest'
import {
  createReportDraft,
  findStepProblems,
  firstOpenStep,
  type ReportDraft,
  toInstant,
  toReportBody,
  toVisitorBody,
} from './report-draft.ts'

const now = '2026-03-02T14:05'
const user = { reporter: 'user', now, required: [], photoCount: 0 } as const
const visitor = { ...user, reporter: 'visitor' } as const
const filled: ReportDraft = {
  ...createReportDraft('key', false),
  description: ' Slipped ',
  internalLocation: 'Bay 3',
  when: '2026-03-02T14:00',
  severity: 'minor',
  injured: 'Ann Carter\n\n Sam Reed ',
}

test('a new report is blank, and asks one question after another', () => {
  const blank = createReportDraft('key', false)
  expect(firstOpenStep(blank, user)).toBe('what')
  expect(firstOpenStep({ ...blank, description: 'Slipped' }, user)).toBe('where')
  expect(firstOpenStep({ ...filled, when: '' }, user)).toBe('when')
  expect(firstOpenStep({ ...filled, severity: null }, user)).toBe('harm')
  expect(firstOpenStep(filled, user)).toBeUndefined()
})

test('a report of a near miss does not ask how bad it was', () => {
  expect(firstOpenStep({ ...filled, nearMiss: true, severity: null }, user)).toBeUndefined()
})

test('an incident time in the future is refused', () => {
  expect(findStepProblems('when', { ...filled, when: '2026-03-02T14:06' }, user)).toEqual({
    when: 'This time is in the future',
  })
})

test('a visitor enters their name, and no site', () => {
  expect(firstOpenStep(filled, visitor)).toBe('check')
  expect(firstOpenStep({ ...filled, internalLocation: '', reportedBy: 'Vera' }, visitor)).toBeUndefined()
})

test('the report names each injured person with the harm that was entered', () => {
  expect(toReportBody(filled, ['parcel:picture'], [])).toMatchObject({
    state: 'reported',
    deviceKey: filled.key,
    description: 'Slipped',
    reportedHarm: 'minor',
    personnel: [
      { recordType: 'IP', name: 'Ann Carter', harm: 'injured' },
      { recordType: 'IP', name: 'Sam Reed', harm: 'injured' },
    ],
    files: ['parcel:picture'],
  })
  expect(toVisitorBody({ ...filled, reportedBy: 'Vera' }, [])).toMatchObject({
    injured: filled.injured,
    reportedBy: 'Vera',
  })
})

test('a report of a fatal incident does not state which of the named people died', () => {
  const { reportedHarm, personnel } = toReportBody({ ...filled, severity: 'fatal' }, [], [])
  expect([reportedHarm, personnel]).toMatchObject(['fatal', [{ harm: null }, { harm: null }]])
})

test('names that were entered before “nobody was hurt” was chosen are not sent', () => {
  expect(toReportBody({ ...filled, severity: 'none' }, [], []).personnel).toEqual([])
  expect(toReportBody({ ...filled, nearMiss: true }, [], []).personnel).toEqual([])
  expect(toVisitorBody({ ...filled, severity: 'none' }, []).injured).toBe('')
})

test('a position is sent only if the device has read it', () => {
  expect(toReportBody(filled, [], [])).not.toHaveProperty('latitude')
  expect(toReportBody({ ...filled, latitude: 51.5, longitude: -0.1 }, [], [])).toMatchObject({
    latitude: 51.5,
    longitude: -0.1,
  })
})

test('a local time is sent as a UTC time', () => {
  expect(Temporal.Instant.from(toInstant('2026-03-02T14:00')).toString()).toBe(toInstant('2026-03-02T14:00'))
})

test('a report names at most forty people, one on each line, and leaves nobody out', () => {
  const injured = Array.from({ length: 45 }, (_, n) => `Person ${n}`).join('\n')
  expect(firstOpenStep({ ...filled, injured }, user)).toBe('harm')
  expect(firstOpenStep({ ...filled, injured: 'x'.repeat(201) }, user)).toBe('harm')
  expect(firstOpenStep({ ...filled, injured: 'Ann Carter\nSam Reed' }, user)).toBeUndefined()
})

test("the form requires the company's required answers, each at its own question", () => {
  const check = { ...user, required: ['place', 'injured', 'photo', 'contact'] }
  const draft = { ...filled, internalLocation: '', site: '/api/safety/incident_sites/1', injured: ' ' }
  expect(firstOpenStep(draft, check)).toBe('where')
  expect(findStepProblems('where', draft, check)).toEqual({
    internalLocation: 'Please state where exactly it happened, or use your position',
  })
  expect(firstOpenStep({ ...draft, internalLocation: 'Bay 3' }, check)).toBe('harm')
  expect(firstOpenStep(filled, check)).toBe('photos')
  expect(firstOpenStep(filled, { ...check, photoCount: 1 })).toBeUndefined()
  expect(firstOpenStep({ ...filled, reportedBy: 'Vera' }, { ...visitor, required: ['photo', 'contact'] })).toBe('check')
})

test("a reporter who can't send a photo can send the report without one, and the report says so", () => {
  const draft = { ...filled, noPhoto: true }
  const check = { ...user, required: ['photo', 'place'] }
  expect(firstOpenStep(draft, check)).toBeUndefined()
  expect(toReportBody(draft, [], check.required).formRequired).toEqual(['place'])
  expect(toReportBody(filled, [], check.required).formRequired).toEqual(['photo', 'place'])
})
