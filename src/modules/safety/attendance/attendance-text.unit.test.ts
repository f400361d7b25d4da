import { expect, test } from 'vitest'
import {
  attendanceSummaryText,
  closeTalkRecordWarningText,
  countAttendance,
  outstandingAttendeesText,
  signatureConfirmationText,
} from './attendance-text.ts'

const at = '2026-11-20T08:00:00Z'
const own = { name: 'Callum Fraser', signedAt: at, method: 'finger' }
const behalf = { name: 'Liam Young', signedAt: at, method: 'on behalf' }
const away = { name: 'Ewa Kowalska', absence: 'On leave' }
const waits = { name: 'Owen Price' }
const said = (...people: readonly Parameters<typeof countAttendance>[0][number][]) =>
  attendanceSummaryText(countAttendance(people))

test('the attendance counts distinguish people who signed in person from people who were signed for', () => {
  expect(said(own, behalf, waits)).toBe('1 of 3 signed, 1 on behalf')
  expect(said()).toBe('0 of 0 signed')
})

test('a person marked absent is never counted as present, even if that person signs late or is signed for', () => {
  expect(said(own, behalf, away)).toBe('1 of 3 signed, 1 on behalf, 1 absent')
  expect(said(own, { ...away, signedAt: at, method: 'finger' })).toBe(
    '1 of 2 signed, 1 absent on the day and signed late',
  )
  expect(said(own, { ...away, signedAt: at, method: 'on behalf' })).toBe(
    '1 of 2 signed, 1 absent on the day and signed late',
  )
})

test('the confirmation of a signature on behalf of another person names both people', () => {
  expect(signatureConfirmationText('Liam Young', 'Priya Shah')).toBe('Priya Shah has signed for Liam Young.')
  expect(signatureConfirmationText('Vic of Acme', undefined)).toBe('Vic of Acme has signed.')
})

test('people who have neither signed nor been marked absent are named before a record is closed', () => {
  expect(outstandingAttendeesText([own, behalf, waits])).toBe('Owen Price has neither signed nor been marked absent.')
  expect(outstandingAttendeesText([own, waits, { name: 'Pat' }])).toBe(
    'Owen Price and Pat have neither signed nor been marked absent.',
  )
})

test('the warning before a record is closed shows the attendance and the missing details', () => {
  expect(closeTalkRecordWarningText({ people: [own, behalf], missing: ['the place'] })).toBe(
    '1 of 2 signed, 1 on behalf. A closed record can’t be changed. People who attended but have not signed can still sign late, but only for themselves. Not stated: the place.',
  )
  expect(closeTalkRecordWarningText({ people: [own, away], missing: [] })).toBe(
    '1 of 2 signed, 1 absent. A closed record can’t be changed. People who attended but have not signed can still sign late, but only for themselves.',
  )
})
