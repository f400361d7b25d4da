import type { Values } from '#kernel/forms/visible.ts'
import { LEAVE_PATHS } from '../leave/nav.ts'
import type { Portion, RequestPart } from '../leave-rules/request-part.ts'

/** Parameter of the page of a request: key of a refused request that this device stores. */
export const UNSENT_PARAMETER = 'unsent'

/** Path of the page on which a request that is not sent yet can be seen, and edited once it is refused. */
export const unsentRequestPath = (key: string): string => `${LEAVE_PATHS.request}?${UNSENT_PARAMETER}=${key}`

/** A part of a request while it is entered. Values that are not entered yet are empty. */
export interface DraftPart {
  readonly key: number
  readonly firstDay: string
  readonly lastDay: string
  readonly portion: Portion
  readonly from: string
  readonly until: string
}

/** Facts of leave other than annual leave. Days that are not stated are null. */
export interface LeaveFacts {
  readonly eventOn: string | null
  readonly noticeOn: string | null
  readonly details: string
}

/** A request while it is entered. `employee` and `kind` are IRIs, empty until they are chosen. */
export interface LeaveDraft {
  readonly employee: string
  readonly kind: string
  readonly parts: readonly DraftPart[]
  readonly notes: string
  readonly facts: LeaveFacts
}

const EMPTY_PART: DraftPart = { key: 0, firstDay: '', lastDay: '', portion: 'day', from: '', until: '' }
export const EMPTY_FACTS: LeaveFacts = { eventOn: null, noticeOn: null, details: '' }

export const emptyDraft = (employee: string, kind: string): LeaveDraft => ({
  employee,
  kind,
  parts: [EMPTY_PART],
  notes: '',
  facts: EMPTY_FACTS,
})

/** Returns the parts as they are sent; undefined while one of them lacks a value. */
export function completeParts(parts: readonly DraftPart[]): RequestPart[] | undefined {
  const complete = parts.every(
    ({ firstDay, lastDay, portion, from, until }) => firstDay && lastDay && (portion !== 'hours' || (from && until)),
  )
  return complete
    ? parts.map(({ firstDay, lastDay, portion, from, until }) => ({
        firstDay,
        lastDay,
        portion,
        from: portion === 'hours' ? from : null,
        until: portion === 'hours' ? until : null,
      }))
    : undefined
}

/** Adds a part without dates. */
export const addPart = (parts: readonly DraftPart[]): readonly DraftPart[] => [
  ...parts,
  { ...EMPTY_PART, key: Math.max(...parts.map(({ key }) => key)) + 1 },
]

type Body = Omit<LeaveDraft, 'parts' | 'facts'> & Partial<LeaveFacts> & { readonly parts: readonly RequestPart[] }

/** Returns the body of a request, with the facts only for leave that has them. */
export const toRequestBody = (
  { employee, kind, notes, facts }: LeaveDraft,
  parts: readonly RequestPart[],
  hasFacts: boolean,
): Body & Values => ({ employee, kind, parts: [...parts], notes, ...(hasFacts ? facts : {}) })

/** Returns the draft from which a body was sent, so that a refused request can be edited. */
export function draftOfBody(body: Values): LeaveDraft {
  const { employee, kind, parts, notes, eventOn = null, noticeOn = null, details = '' } = body as unknown as Body
  return {
    employee,
    kind,
    notes,
    facts: { eventOn, noticeOn, details },
    parts: parts.map((part, key) => ({ ...part, key, from: part.from ?? '', until: part.until ?? '' })),
  }
}
