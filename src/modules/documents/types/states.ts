/**
 * Lifecycle of a revision: a draft is completed, then approved or rejected; the approved one is current until the next
 * one replaces it. Retiring hides any of them and keeps their state.
 */
export type DocumentState = 'draft' | 'complete' | 'current' | 'rejected' | 'replaced'

export const DOCUMENT_STATES: readonly DocumentState[] = ['draft', 'complete', 'current', 'rejected', 'replaced']
export const SEALED_STATES: readonly DocumentState[] = DOCUMENT_STATES.filter((state) => state !== 'draft')

/** Displayed status: a retired revision is deleted or withdrawn; a rejected one remains rejected. */
export type DocumentStatus = DocumentState | 'retired' | 'withdrawn'

export function documentStatusOf({
  state,
  retired,
}: {
  readonly state: DocumentState
  readonly retired: boolean
}): DocumentStatus {
  if (!isDeletedOrWithdrawn({ state, retired })) return state
  return state === 'current' ? 'withdrawn' : 'retired'
}

export const STATUS_LABELS: Readonly<Record<DocumentStatus, string>> = {
  draft: 'Incomplete',
  complete: 'Awaiting approval',
  current: 'Current',
  rejected: 'Rejected',
  replaced: 'Replaced',
  retired: 'Deleted',
  withdrawn: 'Withdrawn',
}

interface Ended {
  readonly state: DocumentState
  readonly retired: boolean
  readonly endedBy?: string | null
  readonly endedAt?: string | null
}

/** Text with the person who withdrew, rejected or deleted a revision, and the time; empty otherwise or if unknown. */
export function endedText(record: Ended, { day, name }: DateAndNameFormatters): string {
  if (!record.endedBy) return ''
  return `${STATUS_LABELS[documentStatusOf(record)]} by ${name(record.endedBy)} on ${day(record.endedAt ?? null)}`
}

export interface DateAndNameFormatters {
  readonly day: (instant: string | null) => string
  /** Returns a person's name by username. */
  readonly name: (username: string | null) => string
}

/** True if deleted or withdrawn; rejected revisions are listed like others. */
export const isDeletedOrWithdrawn = (record: { readonly state: DocumentState; readonly retired: boolean }): boolean =>
  record.retired && record.state !== 'rejected'

export const STATUS_OPTIONS = Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label }))

export const DOCUMENT_STATE_OPTIONS = DOCUMENT_STATES.map((value) => ({ value, label: STATUS_LABELS[value] }))

/** Flags of a state in the record. The database enforces the same. */
export const stateFlags = (state: DocumentState, retired: boolean) => ({
  state,
  retired,
  complete: state !== 'draft',
  current: state === 'current' && !retired,
})
