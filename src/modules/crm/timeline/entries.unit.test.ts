import { expect, it } from 'vitest'
import type { TimelineNote } from '../contacts/data.web.ts'
import { buildTimeline, notedRecordPath } from './entries.web.ts'

const note = (id: number, at: string, more: Partial<TimelineNote> = {}) =>
  ({
    id,
    timestamp: `2026-11-20T${at}:00+00:00`,
    author: 'staff',
    sticky: false,
    lastResult: null,
    ...more,
  }) as TimelineNote
const edit = (id: number, at: string, more: Partial<TimelineNote> = {}) =>
  note(id, at, { lastResult: { id: 40, text: 'Details updated' }, ...more })
const ids = (entries: readonly { notes: readonly TimelineNote[] }[]) => entries.map((e) => e.notes.map((n) => n.id))

it('the timeline groups edits by one person within five minutes', () => {
  const { rest } = buildTimeline(
    [
      edit(1, '10:00'),
      edit(2, '10:04'),
      note(3, '10:05'),
      edit(4, '10:06'),
      edit(5, '10:12'),
      edit(6, '10:13', { author: 'manager' }),
      edit(7, '10:14', { author: 'manager' }),
    ],
    'all',
  )
  expect(ids(rest)).toEqual([[7, 6], [5], [4], [3], [2, 1]])
})

it('the timeline shows notes, edits or both according to the selected scope', () => {
  const notes = [edit(1, '10:00'), note(2, '10:05', { sticky: true }), note(3, '10:06')]
  const activity = buildTimeline(notes, 'activity')
  expect(ids(activity.pinned)).toEqual([[2]])
  expect(ids(activity.rest)).toEqual([[3]])
  expect(ids(buildTimeline(notes, 'history').rest)).toEqual([[1]])
})

it.each([
  ['/api/email/messages/7', '/email/messages?message=7'],
  ['/api/financial/quotes/3', '/crm/quote/3'],
  ['/api/email/messages/7/x', undefined],
  ['', undefined],
  [null, undefined],
])('a note about the record %s links to the screen %s', (about, screen) => expect(notedRecordPath(about)).toBe(screen))
