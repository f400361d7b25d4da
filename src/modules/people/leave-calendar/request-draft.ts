import type { Portion, RequestPart } from '../leave-rules/request-part.ts'

/** A part of a request while it is entered. Values that are not entered yet are empty. */
export interface DraftPart {
  readonly key: number
  readonly firstDay: string
  readonly lastDay: string
  readonly portion: Portion
  readonly from: string
  readonly until: string
}

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
