import type { TimelineNote } from '../contacts/data.web.ts'
import { EDITED_RESULT_CODE } from '../outcomes/decide.ts'

export const TIMELINE_SCOPES = { all: 'All', activity: 'Activity', history: 'History' } as const
export type TimelineScope = keyof typeof TIMELINE_SCOPES

/** A timeline entry: a single note, or edits by one person within a few minutes. */
export interface TimelineEntry {
  readonly id: number
  readonly edits: boolean
  readonly notes: readonly TimelineNote[]
}

const TOGETHER_MS = 5 * 60_000

const isEdit = (n: TimelineNote) => n.lastResult?.id === EDITED_RESULT_CODE

const timeBetween = (a: TimelineNote, b: TimelineNote) =>
  Math.abs(Date.parse(a.timestamp ?? '') - Date.parse(b.timestamp ?? ''))

/** Builds the timeline, newest first. Pinned entries are returned separately. */
export function buildTimeline(
  notes: readonly TimelineNote[],
  scope: TimelineScope,
): { pinned: readonly TimelineEntry[]; rest: readonly TimelineEntry[] } {
  const wanted = notes
    .filter((n) => (scope === 'history' ? isEdit(n) : scope === 'activity' ? !isEdit(n) : true))
    .toSorted((a, b) => b.id - a.id)
  const entry = (n: TimelineNote): TimelineEntry => ({ id: n.id, edits: isEdit(n), notes: [n] })
  const rest: TimelineEntry[] = []
  for (const n of wanted.filter((n) => !n.sticky)) {
    const last = rest.at(-1)
    const newest = last?.notes[0]
    if (last?.edits && newest && isEdit(n) && n.author === newest.author && timeBetween(newest, n) <= TOGETHER_MS)
      rest[rest.length - 1] = { ...last, notes: [...last.notes, n] }
    else rest.push(entry(n))
  }
  return { pinned: wanted.filter((n) => n.sticky).map(entry), rest }
}

/** Functions that return the screen path for a record's ID, by API URL. */
const SCREENS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^\/api\/email\/messages\/(\d+)$/, (id) => `/email/messages?message=${id}`],
  [/^\/api\/crm\/letter_copies\/(\d+)$/, (id) => `/letters/assigned?copy=${id}`],
  [/^\/api\/financial\/quotes\/(\d+)$/, (id) => `/crm/quote/${id}`],
]

/** Returns the screen path for the record that a note is about; `undefined` if the record has no screen. */
export function notedRecordPath(about: string | null | undefined): string | undefined {
  for (const [address, screen] of SCREENS) {
    const id = address.exec(about ?? '')?.[1]
    if (id) return screen(id)
  }
  return undefined
}
