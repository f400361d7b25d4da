import { Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { drawingProblem, isName, isSameName } from '#kernel/signature.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { DOCUMENT_APPROVERS } from '#modules/documents/rights.ts'
import type { BeforeSave } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import type { AttendeeDraft } from './people.server.ts'
import { isSignedRecord, type presentedTalk } from './toolbox-talk.ts'

type Facts = ValuesOf<typeof presentedTalk>

export const signedAttendeeConflict = ({ name }: AttendeeDraft): Problem =>
  problem.conflict(`${name} has signed, and a signature can’t be changed. Please reload the list.`)

/**
 * Throws 409 for changes of a closed or deleted record, 403 for deleting a signed record without permission and for
 * changing what people signed for.
 */
export function assertRecordEditable(c: Context & BeforeSave<typeof presentedTalk>): void {
  const { before, changes, rows } = c
  if (!before) {
    // The database accepts no attendees in a closed record.
    if (changes.complete) throw problem.conflict('Please save the record first, then close it.')
    return
  }
  const isMore = Object.keys(changes).some((name) => name !== 'retired') || rows.length > 0
  if (before.complete && isMore) throw problem.conflict('This record is closed and can’t be changed.')
  if (before.retired && changes.retired === undefined && isMore)
    throw problem.conflict('This record is deleted. Please restore it first.')
  if (changes.retired !== undefined && (before.complete || before.signed > 0) && !hasRole(c.actor, DOCUMENT_APPROVERS))
    throw problem.forbidden(
      'People have signed this record. Please ask your safety administrators to delete or restore it.',
    )
  if (!Object.keys(changes).some((name) => isSignedRecord(before, name))) return
  if (!hasRole(c.actor, DOCUMENT_APPROVERS))
    throw problem.forbidden(
      'People have signed this record. Please ask your safety administrators to correct the time, place or presenter.',
    )
  throw problem.conflict(
    'People have signed for this. Please add a correction with a reason instead; the signed version is retained beside it.',
  )
}

export function validateTalkFacts(changes: Facts, values: Facts, now: Context['now']): Violation[] {
  const { date, startTime, finishTime } = values
  const today = londonDate(now)
  const isPast = changes.date !== undefined && date && date < today.subtract({ years: 1 }).toString()
  const isLater = changes.date !== undefined && date && date > today.toString()
  const isReversed =
    (changes.startTime !== undefined || changes.finishTime !== undefined) && startTime && finishTime
      ? finishTime < startTime
      : false
  return [
    ...(changes.presenter?.trim() && !isName(changes.presenter)
      ? [violation('presenter', 'Please enter the name of the presenter')]
      : []),
    ...(isLater
      ? [violation('date', 'Talks can’t be recorded in advance. Please choose today or an earlier date', 'too_big')]
      : []),
    ...(isPast
      ? [violation('date', 'Talks must be recorded within a year. Please choose a later date', 'too_small')]
      : []),
    ...(isReversed
      ? [violation('finishTime', 'The talk can’t finish before it starts. Please correct the times', 'too_small')]
      : []),
  ]
}

export function validateSignature({
  method,
  strokes,
  name,
}: Pick<AttendeeDraft, 'method' | 'strokes' | 'name'>): Violation[] {
  const drawing = method === 'finger' || strokes ? drawingProblem(strokes) : undefined
  const said = name?.trim() ? `${name.trim()}: ` : ''
  return [
    ...(method ? [] : [violation('method', `${said}please sign in the box`)]),
    ...(drawing ? [violation('strokes', `${said}${drawing}`)] : []),
  ]
}

/** Finds a person signed for on their behalf who is also marked as absent, in the same row or another. */
export function findAbsentSignedOnBehalf(people: readonly AttendeeDraft[]): AttendeeDraft | undefined {
  const absent = people.filter((p) => hasVisibleText(p.absence ?? ''))
  const isTheirs = (a: AttendeeDraft, b: AttendeeDraft) =>
    a.user && b.user ? a.user === b.user : isSameName(a.name ?? '', b.name ?? '')
  return people.find((p) => p.signedAt && p.method === 'on behalf' && absent.some((one) => isTheirs(one, p)))
}

/** Nobody can sign on behalf of an absent person. */
export const absentOnBehalfConflict = ({ name }: AttendeeDraft): Problem =>
  problem.conflict(
    `${name} can’t be absent and be signed for by another person. Absent people sign for themselves later.`,
  )

/** Returns what prevents the record from being closed. */
export function closingViolations(people: readonly AttendeeDraft[]): Violation[] {
  if (!people.length) return [violation('attendees', 'Please add the people who attended the talk')]
  return people.flatMap((p, i) =>
    p.signedAt || hasVisibleText(p.absence ?? '')
      ? []
      : [
          violation(
            `attendees[${i}].signedAt`,
            `${p.name?.trim() ?? ''} has not signed. Ask them to sign, or enter why they were absent`,
          ),
        ],
  )
}

/** Moves a row's error to its position in the list. */
export const prefixRowError = (e: unknown, i: number): unknown =>
  e instanceof Problem && e.violations
    ? problem.invalid(e.violations.map((v) => ({ ...v, propertyPath: `attendees[${i}].${v.propertyPath}` })))
    : e
