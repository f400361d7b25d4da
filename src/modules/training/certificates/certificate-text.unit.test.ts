import { expect, test } from 'vitest'
import { proposeFromText } from './certificate-text.ts'

const PEOPLE = [
  { id: 1, name: 'Callum Fraser' },
  { id: 2, name: 'Zoë O’Brien' },
  { id: 3, name: 'Al' },
]
const COURSES = [
  { id: 7, name: 'Manual handling', alsoKnownAs: [''] },
  { id: 8, name: 'Site Management Safety Training Scheme', alsoKnownAs: ['SMSTS'] },
]
const propose = (text: string) => proposeFromText(text, PEOPLE, COURSES)

test('a certificate proposes the people and courses that it names in whole words', () => {
  const found = propose('This is to certify that CALLUM  FRASER\nhas passed Manual Handling')
  expect([found.people, found.courses]).toEqual([
    [{ id: 1, name: 'Callum Fraser' }],
    [{ id: 7, name: 'Manual handling' }],
  ])
  expect(propose("Zoe O'Brien, SMSTS").people).toEqual([{ id: 2, name: 'Zoë O’Brien' }])
  expect(propose("Zoe O'Brien, SMSTS").courses.map(({ id }) => id)).toEqual([8])
  expect(propose('Callum Frasers of Al, manual handlings')).toEqual({ people: [], courses: [], dates: [] })
})

test.each([
  ['2026-03-02', '2026-03-02'],
  ['02/03/2026', '2026-03-02'],
  ['2.3.2026', '2026-03-02'],
  ['2nd March 2026', '2026-03-02'],
  ['the 2nd of Mar 2026', '2026-03-02'],
  ['March 2, 2026', '2026-03-02'],
])('the date “%s” is proposed as %s', (text, date) => {
  expect(propose(`Completed on ${text}.`).dates.map((one) => one.date)).toEqual([date])
})

test('days that do not exist are not proposed, and each date is shown with its words, in the order of the text', () => {
  expect(propose('31/02/2026 and 12/13/2026').dates).toEqual([])
  expect(propose('Completed on 2 March 2026. Valid until 01/03/2029').dates).toEqual([
    { date: '2026-03-02', words: expect.stringContaining('Completed on 2 March 2026') },
    { date: '2029-03-01', words: expect.stringContaining('Valid until 01/03/2029') },
  ])
})
