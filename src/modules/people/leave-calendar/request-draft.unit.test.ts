import { expect, test } from 'vitest'
import { addPart, completeParts, draftOfBody, emptyDraft, type LeaveDraft, toRequestBody } from './request-draft.ts'

const draft: LeaveDraft = {
  employee: '/api/employees/employees/7',
  kind: '/api/employees/leave_kinds/3',
  notes: 'A wedding',
  facts: { eventOn: '2027-02-20', noticeOn: null, details: 'Twins' },
  parts: [
    { key: 0, firstDay: '2027-03-01', lastDay: '2027-03-05', portion: 'day', from: '', until: '' },
    { key: 1, firstDay: '2027-03-08', lastDay: '2027-03-08', portion: 'hours', from: '09:00', until: '11:00' },
  ],
}

test('the body of a refused request gives back everything that was entered', () => {
  const parts = completeParts(draft.parts) ?? []
  const body = JSON.parse(JSON.stringify(toRequestBody(draft, parts, true)))
  expect(draftOfBody(body)).toEqual(draft)
  const annual = toRequestBody(draft, parts, false)
  expect(Object.keys(annual)).toEqual(['employee', 'kind', 'parts', 'notes'])
  expect(draftOfBody(annual).facts).toEqual({ eventOn: null, noticeOn: null, details: '' })
})

test('parts are complete once each has its days, and hours their times', () => {
  const empty = emptyDraft(draft.employee, draft.kind)
  expect(completeParts(empty.parts)).toBeUndefined()
  expect(addPart(empty.parts).map(({ key }) => key)).toEqual([0, 1])
  const [days, hours] = draft.parts
  expect(completeParts(draft.parts)?.map(({ from }) => from)).toEqual([null, '09:00'])
  expect(days && hours && completeParts([days, { ...hours, until: '' }])).toBeUndefined()
})
