import { type Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { isPersonName, isSamePersonName, normalisePersonName, signatureDrawingProblem } from '#kernel/signature.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { alreadySignedMessage, type Signatory } from '#modules/documents/signing/signing.server.ts'
import { findAccountsByName, type NamedAccount } from '#modules/identity/people/accounts.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { prepareSql } from '#server/data/values.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import { isOutstanding } from '../attendance/attendance-text.ts'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import { attendeeWithTalk, isSignedTalkField, type presentedTalk, talkAttendee } from './toolbox-talk.ts'

/** Attendee of a talk, whether already stored or still to be added. */
export type AttendeeDraft = Partial<RowOf<typeof talkAttendee>>

export const MAX_ATTENDEES = 1000

/** Returns true if the attendee signed under their own account. */
export const hasSignedWithOwnAccount = ({ signedAt, user, signer }: AttendeeDraft): boolean =>
  Boolean(signedAt && user && user === signer)

/**
 * Returns true if a person with an account signed for themselves, on their own device or the presenter's. A signature
 * by link in their name does not count as their own.
 */
export const hasSignedInPerson = ({ signedAt, user, method, byLink }: AttendeeDraft): boolean =>
  Boolean(signedAt && user && method !== 'on behalf' && !byLink)

export const isNewlySigned = (person: AttendeeDraft, former: readonly AttendeeDraft[]): boolean =>
  Boolean(person.signedAt) && !former.some((p) => p.id === person.id && p.signedAt)

/** Returns true if the person's row is already on the list with the same name. */
export const isAlreadyListed = (person: AttendeeDraft, former: readonly AttendeeDraft[]): boolean =>
  former.some((p) => p.id === person.id && p.name === person.name)

/**
 * Links each person to the account with their name, if only one account has that name. Other people are visitors.
 * Replaces each username with the person's name.
 */
export async function linkAttendeeAccounts(c: Context, people: readonly AttendeeDraft[]): Promise<AttendeeDraft[]> {
  const names = people.flatMap(({ name }) => (name?.trim() ? [name] : []))
  const accounts = names.length ? await findAccountsByName(c, names) : new Map<string, NamedAccount[]>()
  return people.map((person) => {
    const { name = '' } = person
    const [one, ...others] = accounts.get(name) ?? []
    const account = others.length ? undefined : one
    const called = account && !isSamePersonName(account.name, name) ? account.name : name
    return { ...person, name: called, user: account?.id ?? null, visitor: !one }
  })
}

/** Validates names to be added to a list. Each violation contains the name's path. */
export function validateAttendeeNames(
  people: readonly AttendeeDraft[],
  isNew: (person: AttendeeDraft) => boolean,
  at: (i: number) => string,
): Violation[] {
  const kept = new AttendeeIndex(people.filter((p) => !isNew(p)))
  return people.flatMap((person, i) => {
    if (!isNew(person)) return []
    if (!isPersonName(person.name)) return [violation(at(i), 'Please enter the person’s name')]
    const isThere = kept.find(person) !== undefined
    kept.add(person)
    return isThere ? [violation(at(i), onTheList(person), 'duplicate')] : []
  })
}

/**
 * Returns the key that identifies a person on a list. If someone else signed for the person, the key is different, so
 * that the person can still sign in a row of their own. Visitors with the same name are different people if their
 * company or trade differs.
 */
const attendeeKeyOf = (person: AttendeeDraft): string => {
  const { user, name = '' } = person
  const behalf = isSignedByAnother(person) ? 'for ' : ''
  return user ? `${behalf}${user}` : `${behalf}"${normalisePersonName(name)}" ${employerKeyOf(person)}`
}

/** True for a signature that is not the person's own: on behalf of them, or by link in their name. */
const isSignedByAnother = ({ user, method, signedAt, byLink }: AttendeeDraft): boolean =>
  Boolean(signedAt && (method === 'on behalf' || (byLink && user)))

/** Index of the people on a list. A visitor whose company and trade are unknown matches any visitor with that name. */
export class AttendeeIndex {
  private readonly byKey = new Map<string, AttendeeDraft>()
  private readonly visitors = new Map<string, AttendeeDraft>()
  private readonly visitorsOfUnknownEmployer = new Map<string, AttendeeDraft>()

  constructor(people: readonly AttendeeDraft[]) {
    for (const person of people) this.add(person)
  }

  add(person: AttendeeDraft): void {
    const addTo = (map: Map<string, AttendeeDraft>, key: string) => void (map.has(key) || map.set(key, person))
    addTo(this.byKey, attendeeKeyOf(person))
    if (person.user || isSignedByAnother(person)) return
    const name = normalisePersonName(person.name ?? '')
    addTo(this.visitors, name)
    if (!employerKeyOf(person)) addTo(this.visitorsOfUnknownEmployer, name)
  }

  find(person: AttendeeDraft): AttendeeDraft | undefined {
    const same = this.byKey.get(attendeeKeyOf(person))
    if (same || person.user || isSignedByAnother(person)) return same
    const visitors = employerKeyOf(person) ? this.visitorsOfUnknownEmployer : this.visitors
    return visitors.get(normalisePersonName(person.name ?? ''))
  }
}

/** Returns the company and trade of a person for comparison; empty if both are empty. */
const employerKeyOf = ({ company, trade }: Pick<AttendeeDraft, 'company' | 'trade'>): string =>
  [company, trade]
    .map((one) => normalisePersonName(one ?? ''))
    .join('/')
    .replace(/^\/$/, '')

const onTheList = ({ name, visitor }: AttendeeDraft) =>
  visitor
    ? `${name} is already on the list. Please add their company to distinguish two people with the same name`
    : `${name} is already on the list.`

/** Notification: the user is listed as an attendee and has not signed yet, or was absent and can sign late. */
export const talkSignatureNotification = declareNotificationType({
  kind: 'talk.sign',
  label: 'Talks to sign as attendee',
  for: DOCUMENT_READER_ROLES,
  icon: 'checklist',
  of: attendeeWithTalk,
  words: ({ absence, presented: { title, presenter } }) =>
    absence?.trim()
      ? `Read “${title}” and sign late: you were absent when ${presenter} presented it`
      : `Sign that you attended “${title}”, presented by ${presenter}`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  waits: 'Documents',
  todo: 'to sign',
  mail: false,
})

/** Returns true if the person has an account, was not absent and has not signed. */
const waits = ({ user, signedAt, absence }: AttendeeDraft) => Boolean(user) && !signedAt && !absence?.trim()

/** Notifies newly listed people who have to sign, except the user who listed them. */
export async function notifyNewAttendees(
  c: Context,
  people: readonly AttendeeDraft[],
  former: readonly AttendeeDraft[] = [],
): Promise<void> {
  const known = new Map(former.flatMap((p) => (waits(p) ? [[p.id, p.user] as const] : [])))
  const told = people.filter((p) => waits(p) && p.user !== c.actor.userId && known.get(p.id) !== p.user)
  await notifyUsers(
    c,
    talkSignatureNotification,
    told.flatMap(({ id, user }) => (id && user ? [{ to: user, about: id }] : [])),
  )
}

/**
 * Notifies people listed in a record that was saved together with its attendees. Waits until the attendees' rows have
 * IDs.
 */
export async function notifyNewAttendeesInRecord(
  c: Context,
  record: number,
  former: readonly AttendeeDraft[],
): Promise<void> {
  await c.work.flush()
  await notifyNewAttendees(c, await c.find(talkAttendee, { presented: record }), former)
}

const CATCHING_UP = prepareSql(
  `SELECT a.id, a.user_id FROM talk_attendee a
   WHERE a.client_id = $1::int AND a.presented_id = $2::bigint AND a.user_id IS NOT NULL AND a.signed_at IS NULL AND talk_waits(a)`,
)

/** Notifies absent people when a record is closed, so that they can sign late. */
export async function notifyAbsentAttendees(c: Context, record: number): Promise<void> {
  await c.work.flush()
  const waiting = (await c.work.tx.arrays(CATCHING_UP, [c.clientId, record])) as [number, number][]
  await notifyUsers(
    c,
    talkSignatureNotification,
    waiting.map(([about, to]) => ({ to, about })),
  )
}

/** Narrows the list of attendees to talks in force that the user has not signed. */
export const narrowToOwnTalks = ({ me, query }: Pick<RouteContext, 'me' | 'query'>) => ({
  query: { 'order[id]': 'desc', ...query, user: String(me.userId), 'exists[signedAt]': 'false' },
  extra: [{ sql: () => 'talk_waits(t)' }],
})

export const ownTalksToSignRoute = listRoute(
  attendeeWithTalk,
  `${talkAttendee.url}/mine`,
  'List the records of talks in force that the user has not signed as an attendee, newest first: open records, and closed records in which the user was marked as absent',
  narrowToOwnTalks,
  { allow: DOCUMENT_READER_ROLES },
)

type Facts = ValuesOf<typeof presentedTalk>

export const attendeeSignedConflict = ({ name }: AttendeeDraft): Problem =>
  problem.conflict(`${name} has signed, and a signature can’t be changed. Please reload the list.`)

/**
 * Throws 409 if a closed or deleted record would be changed, or a new record saved as closed. Throws 403 if a signed
 * record would be deleted or restored, or its signed values changed, without permission. Users with permission get 409
 * for signed values, because these need a correction.
 */
export function assertTalkRecordEditable(c: Context & BeforeSaveInput<typeof presentedTalk>): void {
  const { before, changes, rows } = c
  if (!before) {
    // A new record can't be saved as closed, because the database rejects attendees of a closed record.
    if (changes.complete) throw problem.conflict('Please save the record first, then close it.')
    return
  }
  const isMore = Object.keys(changes).some((name) => name !== 'retired') || rows.length > 0
  if (before.complete && isMore) throw problem.conflict('This record is closed and can’t be changed.')
  if (before.retired && changes.retired === undefined && isMore)
    throw problem.conflict('This record has been deleted. Please restore it first.')
  if (
    changes.retired !== undefined &&
    (before.complete || before.signed > 0) &&
    !hasRole(c.actor, DOCUMENT_APPROVER_ROLES)
  )
    throw problem.forbidden(
      'People have signed this record. Please ask your safety administrators to delete or restore it.',
    )
  if (!Object.keys(changes).some((name) => isSignedTalkField(before, name))) return
  if (!hasRole(c.actor, DOCUMENT_APPROVER_ROLES))
    throw problem.forbidden(
      'People have signed this record. Please ask your safety administrators to correct the time, place or presenter.',
    )
  throw problem.conflict(
    'People have signed this record. Please add a correction with a reason instead; the signed version is retained alongside the correction.',
  )
}

export function validateTalkRecordFields(changes: Facts, values: Facts, now: Context['now']): Violation[] {
  const { date, startTime, finishTime } = values
  const today = londonDate(now)
  const isPast = changes.date !== undefined && date && date < today.subtract({ years: 1 }).toString()
  const isLater = changes.date !== undefined && date && date > today.toString()
  const isReversed =
    (changes.startTime !== undefined || changes.finishTime !== undefined) && startTime && finishTime
      ? finishTime < startTime
      : false
  return [
    ...(changes.presenter?.trim() && !isPersonName(changes.presenter)
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

export function validateAttendeeSignature({
  method,
  strokes,
  name,
}: Pick<AttendeeDraft, 'method' | 'strokes' | 'name'>): Violation[] {
  const drawing = method === 'finger' || strokes ? signatureDrawingProblem(strokes) : undefined
  const said = name?.trim() ? `${name.trim()}: ` : ''
  return [
    ...(method ? [] : [violation('method', `${said}please sign in the box`)]),
    ...(drawing ? [violation('strokes', `${said}${drawing}`)] : []),
  ]
}

/** Finds a person who was signed for but is also marked as absent, in the same row or in another. */
export function findAbsentAttendeeSignedFor(people: readonly AttendeeDraft[]): AttendeeDraft | undefined {
  const absent = people.filter((p) => hasVisibleText(p.absence ?? ''))
  const isTheirs = (a: AttendeeDraft, b: AttendeeDraft) =>
    a.user && b.user ? a.user === b.user : isSamePersonName(a.name ?? '', b.name ?? '')
  return people.find((p) => p.signedAt && p.method === 'on behalf' && absent.some((one) => isTheirs(one, p)))
}

/** Returns the conflict problem for an attendee who is marked as absent but was also signed for. */
export const absentAttendeeSignedForConflict = ({ name }: AttendeeDraft): Problem =>
  problem.conflict(
    `${name} can’t be marked as absent and also signed for by another person. Absent people sign for themselves later.`,
  )

/** Returns the problems that prevent closing the record. `late`: those who have not signed can sign late. */
export function validateTalkClosing(people: readonly AttendeeDraft[], late: boolean): Violation[] {
  if (!people.length) return [violation('attendees', 'Please add the people who attended the talk')]
  return people.flatMap((p, i) =>
    late || !isOutstanding(p)
      ? []
      : [
          violation(
            `attendees[${i}].signedAt`,
            `${p.name?.trim() ?? ''} has not signed. Ask them to sign, enter why they were absent, or close the record and let them sign late`,
          ),
        ],
  )
}

/** Signature on an attendance list: for a given row, in the user's own name, or for a person who is not listed. */
export interface AttendanceSignature {
  /** ID of the attendee's row. If null, the user's own row is signed, or a new row is added. */
  readonly attendee: number | null
  readonly name: string
  readonly method: RowOf<typeof talkAttendee>['method']
  readonly strokes?: unknown
  /** True for a person without an account who signs on someone else's device. */
  readonly visitor: boolean
  /**
   * Name that the row showed when the person signed. `shownUser` is the account. If sent, both are compared with the
   * row, because the row may have changed before an offline signature arrives.
   */
  readonly shownName?: string | null
  readonly shownUser?: number | null
  /** Time by the clock of the device at which the person signed. */
  readonly drawnAt?: string | null
  /** Sealed PIN of a person with an account, if the person signs on another person's device. */
  readonly pin?: string | null
  /** Company and trade of a visitor; if omitted, those in the visitor's row remain. */
  readonly company?: string
  readonly trade?: string
}

/** Returns the company and trade in a signature. */
export const pickEmployer = ({ company, trade }: AttendanceSignature) => ({
  ...(company?.trim() ? { company: company.trim() } : {}),
  ...(trade?.trim() ? { trade: trade.trim() } : {}),
})

/** Throws 409 if the row no longer belongs to the person shown in the row at the time of signing. */
export function refuseRenamed(
  { name, user }: RowOf<typeof talkAttendee>,
  { shownName, shownUser, company }: AttendanceSignature,
): void {
  if (shownName && !isSamePersonName(shownName, name))
    throw problem.conflict(`This signature was for ${shownName}, but the list now shows ${name}. Please sign again.`)
  if (shownUser === null && company?.trim() && user !== null)
    throw problem.conflict(
      `This signature was for ${name} of ${company.trim()}, a visitor, but the list shows ${name} with an account. Please add the visitor under a name that tells them apart, and sign again.`,
    )
  if (shownUser && shownUser !== user)
    throw problem.conflict(
      `This signature was for a different ${name} from the one now on the list. Please sign again.`,
    )
}

/** Returns true if a visitor states a different company or trade from the one in the row. */
export const areOfDifferentEmployers = (row: AttendeeDraft, given: AttendanceSignature): boolean =>
  Boolean(row.visitor) &&
  Boolean(employerKeyOf(row) && employerKeyOf(given)) &&
  employerKeyOf({ ...row, ...pickEmployer(given) }) !== employerKeyOf(row)

/**
 * Throws 422 for a second signature. Users sign for themselves once, and others can sign for them once. A visitor
 * without a row must not have the same name as a visitor who has signed.
 */
export function refuseSecondSignature(
  people: readonly AttendeeDraft[],
  row: AttendeeDraft | undefined,
  { user, signer, name }: Signatory,
  given: AttendanceSignature,
): void {
  const { method } = given
  const signed = people.filter((p) => p.signedAt)
  const again =
    user !== null
      ? signed.some((p) => p.user === user && (hasSignedInPerson(p) || (method === 'on behalf' && signer !== user)))
      : !row &&
        signed.some((p) => !p.user && isSamePersonName(p.name ?? '', name) && !areOfDifferentEmployers(p, given))
  if (!again) return
  const said = user === null ? alreadySignedMessage(name) : `${name} has already signed.`
  throw problem.invalid([violation('name', said, 'duplicate')])
}
