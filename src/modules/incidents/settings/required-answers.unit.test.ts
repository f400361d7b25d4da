import { expect, test } from 'vitest'
import { isRequirableAnswer, missingAnswers, REQUIRABLE_ANSWERS } from './required-answers.ts'

const ALL = REQUIRABLE_ANSWERS.map(({ value }) => value)
const blank = {
  reporter: 'user',
  nearMiss: false,
  severity: 'minor',
  internalLocation: ' ',
  latitude: null,
  injuredCount: 0,
  photoCount: 0,
  contact: '',
} as const

test('only answers that the company requires count as missing', () => {
  expect(missingAnswers([], blank)).toEqual([])
  expect(missingAnswers(['photo'], blank)).toEqual(['photo'])
  expect(missingAnswers(ALL, blank)).toEqual(['place', 'injured', 'photo'])
  expect(missingAnswers(ALL, { ...blank, internalLocation: 'Bay 3', injuredCount: 1, photoCount: 1 })).toEqual([])
})

test('a position counts as a place, and a visitor gives contact details instead of photos', () => {
  expect(missingAnswers(['place'], { ...blank, latitude: 53.8 })).toEqual([])
  expect(missingAnswers(ALL, { ...blank, reporter: 'visitor' })).toEqual(['place', 'injured', 'contact'])
})

test('an injured person is required only if anyone was hurt', () => {
  expect(missingAnswers(['injured'], { ...blank, nearMiss: true })).toEqual([])
  expect(missingAnswers(['injured'], { ...blank, severity: 'none' })).toEqual([])
  expect(missingAnswers(['injured'], { ...blank, severity: 'fatal' })).toEqual(['injured'])
})

test("unknown words can't be required answers", () => {
  expect([...ALL, 'password', 7].map(isRequirableAnswer)).toEqual([true, true, true, true, false, false])
})
