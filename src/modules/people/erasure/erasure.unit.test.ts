import { expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import { describeRefusal, findRetainedData, type RetentionFacts } from './erasure.ts'

const { periods } = readReferenceFile('retention-periods.json')
const NOTHING: RetentionFacts = {
  lastDay: '2020-02-29',
  born: null,
  jobs: 0,
  contracts: 0,
  sickness: 0,
  signatures: 0,
  training: 0,
  patterns: 0,
  rightToWork: 0,
  leave: 0,
  leaveRecordedOn: null,
  documents: 0,
  documentsReplacedOn: null,
  accidents: [],
}
const ends = (facts: Partial<RetentionFacts>) =>
  findRetainedData({ ...NOTHING, ...facts }, periods).map(({ data, until }) => [data, until])

test('each kind of data is retained by its own rule', () => {
  expect(ends({})).toEqual([['Employment and history of jobs', '2026-02-28']])
  const accidents = [{ happenedOn: '2019-01-01', recordedOn: '2024-05-01', reported: true }]
  expect(
    ends({ training: 2, leave: 3, leaveRecordedOn: '2021-06-01', patterns: 1, accidents, born: '2003-01-01' }).slice(1),
  ).toEqual([
    ['Training records', '2026-02-28'],
    ['Leave', '2027-06-01'],
    ['Work patterns', '2022-02-28'],
    ['Accident book entries', '2027-05-01'],
    ['Reports under RIDDOR', '2027-05-01'],
    ['Accidents as a child', '2024-01-01'],
  ])
})

test('an identity is refused until the last rule ends, with its day and reference', () => {
  const retained = findRetainedData(NOTHING, periods)
  expect(describeRefusal(retained, '2026-02-28')).toBe(
    'The identity must be stored until 28/02/2026: employment and history of jobs, by the rule “Contract of employment” (Limitation Act 1980 s 5).',
  )
  expect(describeRefusal(retained, '2026-03-01')).toBe('')
})
