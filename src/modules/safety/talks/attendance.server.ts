import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { isSamePersonName, toStoredSignatureDrawing } from '#kernel/signature.ts'
import { londonDate } from '#kernel/time.ts'
import { resolveSignatory, type Signatory, type SignatureClaim } from '#modules/documents/signing/signing.server.ts'
import { signature } from '#modules/documents/types/document.ts'
import { prepareSql } from '#server/data/values.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { lockAccessibleRecord } from '#server/engine/lock-accessible.ts'
import { RecordNotAccessibleProblem } from '#server/engine/refusals.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { type DevicePin, notifyPinMismatch, settlePinCheck } from './device-pin.server.ts'
import { type AddedPeopleOptions, withChosenEmployees } from './employees-at-talks.server.ts'
import { talkAttendedEvent } from './events.ts'
import { assertTalkInForce, isInForce, talkOf } from './in-force.server.ts'
import {
  type AttendanceSignature,
  type AttendeeDraft,
  AttendeeIndex,
  absentAttendeeSignedForConflict,
  areOfDifferentEmployers,
  attendeeSignedConflict,
  findAbsentAttendeeSignedFor,
  hasSignedWithOwnAccount,
  linkAttendeeAccounts,
  MAX_ATTENDEES,
  notifyNewAttendees,
  pickEmployer,
  refuseRenamed,
  refuseSecondSignature,
  validateAttendeeNames,
  validateAttendeeSignature,
} from './presented-rules.server.ts'
import { presentedTalkEvidence, talkAttendance, talkAttendee } from './toolbox-talk.ts'

/**
 * Also signs the talk itself when a user signs its attendance list under their own account, so that no signature
 * request stays open. Templates and revisions no longer in force are not signed.
 */
export async function signAttendedTalk(c: Context, id: number, { method, strokes }: AttendeeDraft): Promise<void> {
  const talk = await talkOf(c, id)
  // Uses only fields for which there is an index.
  const signed = { document: id, user: c.actor.userId, mine: true, again: false }
  if (talk?.clientId !== c.clientId || talk.isTemplate || !isInForce(talk) || (await c.exists(signature, signed)))
    return
  await c.create(signature, {
    document: id,
    method: method ?? 'typed',
    strokes: strokes ?? null,
    statement: 'I have heard and understood this toolbox talk.',
  })
}

type Row = RowOf<typeof talkAttendee>
type Record = RowOf<typeof talkAttendance>
const BY_RIGHT = 'the author of the record manages its attendees'

/**
 * Locks the record, so that simultaneous signatures and changes wait. Throws 404 if the record doesn't exist, 409 if it
 * is deleted.
 */
async function hold(c: Context, id: number): Promise<Record> {
  const record = await c.lock(talkAttendance, id)
  if (record.retired)
    throw problem.conflict('This record has been deleted. It must be restored before it can be signed or changed.')
  return record
}

/** Locks a record that must be open. Throws 409 if the record is closed or deleted. */
async function holdOpen(c: Context, id: number): Promise<Record> {
  const record = await hold(c, id)
  if (!record.complete) return record
  throw problem.conflict(
    'This record is closed and can’t be changed. People who attended but have not signed can sign late.',
  )
}

/**
 * Locks and returns an unsigned attendee of a locked record. Throws 400 if the attendee belongs to another record, 409
 * if the attendee has signed.
 */
async function unsigned(c: Context, record: number, id: number): Promise<Row> {
  const [row] = await c.lockAll(talkAttendee, { id, presented: record })
  if (!row) throw problem.unknownTarget(`${talkAttendee.url}/${id}`)
  if (row.signedAt) throw attendeeSignedConflict(row)
  return row
}

/** Row of an attendee: either added by this request or already on the list. */
type AddedAttendee = PendingWrite<typeof talkAttendee> | { readonly id: number }

/**
 * Adds attendees and returns their rows in the order of the names. The company and trade are stored for those without
 * an account. With `listed`, people who are already on the list retain their row, because the names may have been
 * entered on two devices; otherwise 422 is thrown for them. Visitors of the same name whose company or trade differs
 * are different people.
 */
export async function addAttendees(
  c: Context,
  id: number,
  names: readonly string[],
  { listed = false, employees = [], ...employer }: AddedPeopleOptions = {},
): Promise<AddedAttendee[]> {
  const record = await holdOpen(c, id)
  const there = await loadAttendees(c, record.id)
  const given = names.map((name) => ({ name: name.trim() }))
  const linked = await withChosenEmployees(c, await linkAttendeeAccounts(c, given), employees)
  const named = linked.map((person) => (person.visitor ? { ...person, ...employer } : person))
  const index = new AttendeeIndex(there)
  const rowOf = (person: AttendeeDraft) => (listed ? index.find(person)?.id : undefined)
  const added = named.filter((person) => rowOf(person) === undefined)
  assertAttendeeLimit(there.length + added.length)
  const wrong = validateAttendeeNames([...there, ...added], isAdded, (i) => `names[${i - there.length}]`)
  if (wrong.length) throw problem.invalid(wrong)
  const first = nextPosition(there)
  const written: PendingWrite<typeof talkAttendee>[] = []
  for (const [i, person] of added.entries())
    written.push(
      await c.withoutPermissionCheck(BY_RIGHT).create(talkAttendee, {
        ...person,
        presented: record.id,
        position: first + i,
      }),
    )
  await c.work.flush()
  await notifyNewAttendees(
    c,
    written.map((one) => one.row()),
  )
  const rest = written.values()
  return named.flatMap((person) => {
    const row = rowOf(person)
    return row === undefined ? (rest.next().value ?? []) : { id: row }
  })
}

/**
 * Throws 409 if a record would have more than the maximum number of attendees. The number is limited because a record
 * is printed and saved as a whole.
 */
export function assertAttendeeLimit(people: number): void {
  if (people > MAX_ATTENDEES)
    throw problem.conflict(
      `A record can list at most ${MAX_ATTENDEES.toLocaleString('en-GB')} people. Please start another record for the remaining people.`,
    )
}

const isAdded = ({ id }: AttendeeDraft) => id === undefined
/** Returns the position after the last one on a list. */
export const nextPosition = (people: readonly AttendeeDraft[]) =>
  Math.max(-1, ...people.map((p) => p.position ?? 0)) + 1

export async function markAttendeeAbsent(c: Context, id: number, person: number, absence: string) {
  const row = await unsigned(c, (await holdOpen(c, id)).id, person)
  if (findAbsentAttendeeSignedFor([...(await loadAttendees(c, id)), { ...row, absence }]))
    throw absentAttendeeSignedForConflict(row)
  return c.set(talkAttendee, row, { absence: absence.trim() }, 'absent')
}

/** Removes an attendee who has not signed. */
export async function removeAttendee(c: Context, id: number, person: number): Promise<void> {
  const row = await unsigned(c, (await holdOpen(c, id)).id, person)
  await c.withoutPermissionCheck(BY_RIGHT).remove(talkAttendee, row)
}

/**
 * Saves a signature on the attendance list with the server's time, and checks who may sign for whom. If the record is
 * closed, the signature is late and sealed in the audit chain. `pin`: the compared PIN of a person who signs on another
 * person's device. Throws 409 if the person has already signed, or the talk was not in force when it was held. A late
 * signature also needs a talk that is still in force.
 */
export async function saveAttendanceSignature(
  c: Context,
  id: number,
  given: AttendanceSignature,
  pin?: DevicePin,
): Promise<PendingWrite<typeof talkAttendee>> {
  const wrong = validateAttendeeSignature({ method: given.method, strokes: given.strokes })
  if (wrong.length) throw problem.invalid(wrong)
  const other = await visitorOfSameName(c, id, given)
  if (other) return saveAttendanceSignature(c, id, other)
  // The queries are sent together but run in this order, so that the list is read only after the record is locked.
  const [record, people, named] = await settleAll(
    hold(c, id),
    loadAttendees(c, id),
    given.attendee === null ? undefined : unsigned(c, id, given.attendee),
  )
  if (named) refuseRenamed(named, given)
  const claim = claimOf(c, given, named)
  if (claim.account) await assertDeviceSignatureAllowed(c, record, claim.name)
  const [, hand] = await settleAll(
    assertTalkInForce(c, record.talk, record.complete ? undefined : record),
    resolveSignatory(c, claim),
  )
  const row = named ?? (await ownRow(c, record, people, hand, given))
  refuseSecondSignature(people, row, hand, given)
  const late = record.complete
  const pinCheck = claim.account ? await settlePinCheck(c, claim.account, pin) : null
  if (given.method === 'on behalf') refuseBehalf(people, hand, late)
  if (!row) assertAttendeeLimit(people.length + 1)
  const values = {
    ...hand,
    // Retains the values that were sealed when the record was closed.
    ...(row && late ? { name: row.name } : {}),
    method: given.method,
    strokes: toStoredSignatureDrawing(given.method, given.strokes),
    signedAt: c.now.toString(),
    drawnAt: mayStateOwnTime(given, row, late) ? timeOnDevice(c, record, given.drawnAt) : null,
    absence: late ? (row?.absence ?? null) : null,
    late,
    pinCheck,
    ...(hand.visitor ? pickEmployer(given) : {}),
  }
  const written = row
    ? await c.set(talkAttendee, row, values, 'sign')
    : await c
        .withoutPermissionCheck(BY_RIGHT)
        .create(talkAttendee, { ...values, presented: record.id, position: nextPosition(people) })
  await c.set(talkAttendance, record, { signed: record.signed + 1 }, 'sign')
  if (row && claim.account) await notifyPinMismatch(c, row.id, claim.account, pinCheck)
  if (hasSignedWithOwnAccount(values)) await signAttendedTalk(c, record.talk, values)
  if (late) {
    await sealEvent(c, presentedTalkEvidence, { event: 'signed late', id: record.id, added: row?.id ?? written })
    await c.emit(talkAttendedEvent, { presented: record.id })
  }
  return written
}

/**
 * Returns a signature for a new row if the given row belongs to another visitor with the same name, who has signed with
 * a different company or trade. Both were entered on different devices before either was delivered.
 */
async function visitorOfSameName(
  c: Context,
  id: number,
  given: AttendanceSignature,
): Promise<AttendanceSignature | undefined> {
  if (given.attendee === null || given.shownUser) return undefined
  const [row] = await c.find(talkAttendee, { id: given.attendee, presented: id })
  if (!row?.signedAt || row.user !== null) return undefined
  if (!areOfDifferentEmployers(row, given)) return undefined
  refuseRenamed(row, given)
  return { ...given, attendee: null, name: row.name, visitor: true }
}

/**
 * Returns true if a signature may state when it was drawn. A typed one can be sent at any time by anyone, and a record
 * that was closed without the person, or with their absence, contradicts an earlier time.
 */
const mayStateOwnTime = ({ method, strokes }: AttendanceSignature, row: Row | undefined, late: boolean): boolean =>
  method !== 'typed' &&
  toStoredSignatureDrawing(method, strokes) !== null &&
  !(late && (row === undefined || row.absence !== null))

/** Delay in seconds up to which a signature counts as sent at once. */
const IMMEDIATE_SECONDS = 60

/**
 * Returns the time at which a signature was drawn offline. Returns null if it was sent at once, or if the time is
 * before the day of the talk, because the device's clock is then wrong.
 */
function timeOnDevice({ now }: Context, { date }: Record, drawnAt: string | null | undefined): string | null {
  const drawn = drawnAt ? Temporal.Instant.from(drawnAt) : undefined
  const isOffline = drawn && drawn.until(now).total('seconds') > IMMEDIATE_SECONDS
  return isOffline && londonDate(drawn).toString() >= date ? drawn.toString() : null
}

/**
 * Throws if a person with an account can't sign on the actor's device: 409 if the record is closed, 403 unless the
 * actor manages the record. Other attendees could otherwise sign for each other.
 */
async function assertDeviceSignatureAllowed(c: Context, { id, complete, presenter }: Record, name: string) {
  if (complete) throw problem.conflict(`This record is closed. ${name} can only sign late under their own account.`)
  await lockAccessibleRecord(c, talkAttendance, 'update', id).catch((e: unknown) => {
    throw e instanceof RecordNotAccessibleProblem
      ? problem.forbidden(
          `${name} has an account. They can sign under it, or by hand on the device of the person who manages the record of ${presenter}’s talk.`,
        )
      : e
  })
}

/** Returns the signatory and the person signed for. The row determines whether the person signed for has an account. */
function claimOf(
  { actor }: Context,
  { name, method, visitor }: AttendanceSignature,
  row: Row | undefined,
): SignatureClaim {
  if (!row) return { name, method, visitor }
  const own = row.user === null ? isSamePersonName(row.name, actor.name) : row.user === actor.userId
  if (own && method !== 'on behalf') return { name: '', method, visitor: false }
  return {
    name: row.name,
    method,
    visitor: row.user === null,
    account: own || method === 'on behalf' ? null : row.user,
  }
}

/**
 * Locks and returns the signatory's own unsigned row, for a signature without a row ID. Returns undefined if there is
 * no such row.
 */
async function ownRow(
  c: Context,
  record: Record,
  people: readonly AttendeeDraft[],
  { user, name }: Signatory,
  given: AttendanceSignature,
): Promise<Row | undefined> {
  const isTheirs = (p: AttendeeDraft) =>
    user !== null && p.user
      ? p.user === user
      : isSamePersonName(p.name ?? '', name) && !areOfDifferentEmployers(p, given)
  const found = people.find((p) => !p.signedAt && isTheirs(p))
  return found?.id === undefined ? undefined : unsigned(c, record.id, found.id)
}

/** Throws 409 if someone signs on behalf of another person in a closed record, or on behalf of an absent person. */
function refuseBehalf(people: readonly AttendeeDraft[], { name, user }: Signatory, late: boolean): void {
  if (late)
    throw problem.conflict(
      'This record is closed. People who attended but have not signed can only sign late for themselves.',
    )
  const signed = { name, user, method: 'on behalf', signedAt: 'now' } as const
  if (findAbsentAttendeeSignedFor([...people, signed])) throw absentAttendeeSignedForConflict(signed)
}

const PEOPLE = prepareSql(
  `SELECT id, position, name, method, user_id, signer_id, visitor, signed_at, absence, company, trade, by_link FROM talk_attendee
   WHERE client_id = $1::int AND presented_id = $2::bigint ORDER BY position, id`,
)
type Listed = [
  number,
  number,
  string,
  AttendanceSignature['method'],
  number | null,
  number | null,
  boolean,
  string | null,
  string | null,
  string,
  string,
  boolean,
]

/** Returns all attendees of a record, without their signature drawings. */
export const loadAttendees = async (c: Context, id: number): Promise<AttendeeDraft[]> =>
  ((await c.work.tx.arrays(PEOPLE, [c.clientId, id])) as Listed[]).map(
    ([row, position, name, method, user, signer, visitor, signedAt, absence, company, trade, byLink]) => ({
      id: row,
      position,
      name,
      method,
      user,
      signer,
      visitor,
      signedAt,
      absence,
      company,
      trade,
      byLink,
    }),
  )
