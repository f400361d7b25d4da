import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { foldName, isSameName, keptDrawing } from '#kernel/signature.ts'
import { type Claim, type Hand, handOf, signedByName } from '#modules/documents/signing/hand.server.ts'
import { prepare } from '#server/data/values.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { refuseOutOfForce, signTalk } from './in-force.server.ts'
import { isOwn, MOST_PEOPLE, nameAccounts, namingProblems, type Person } from './people.server.ts'
import { presentedEvidence } from './presented-evidence.ts'
import { absentHeard, behalfRefused, handProblems, stands } from './presented-rules.server.ts'
import { tellNamed } from './sign-notice.server.ts'
import { attendance, attendee } from './toolbox-talk.ts'

type Row = RowOf<typeof attendee>
type Record = RowOf<typeof attendance>
type Method = Row['method']

/** Signature for a talk: in a given row, under one's own name, or as an unlisted person. */
export interface Signing {
  /** Row of the attendee; without it, one's own or a new one. */
  readonly attendee: number | null
  readonly name: string
  readonly method: Method
  readonly strokes?: unknown
  /** A person without an account, on someone else's device. */
  readonly visitor: boolean
  /** Name and account of the row when it was displayed, as offline signatures arrive later. Compared only if sent. */
  readonly shownName?: string | null
  readonly shownUser?: number | null
}

const BY_RIGHT = 'the author of the record manages its attendees'

/** Locks the record against other signatures and changes. Throws 404 and 409. */
async function hold(c: Context, id: number): Promise<Record> {
  const record = await c.lock(attendance, id)
  if (record.retired) throw problem.conflict('This record is deleted. Please restore it first.')
  return record
}

/** Locks the record while its list is open. Throws 409 for a closed one. */
async function holdOpen(c: Context, id: number): Promise<Record> {
  const record = await hold(c, id)
  if (!record.complete) return record
  throw problem.conflict(
    'This record is closed and can’t be changed. People who attended and have not signed can sign late.',
  )
}

/** Attendee of a locked record. Throws 400 for another record's attendee, 409 if they have signed. */
async function unsigned(c: Context, record: number, id: number): Promise<Row> {
  const [row] = await c.lockAll(attendee, { id, presented: record })
  if (!row) throw problem.unknownTarget(`${attendee.url}/${id}`)
  if (row.signedAt) throw stands(row)
  return row
}

/** Adds attendees without duplicates and returns their rows. */
export async function addPeople(
  c: Context,
  id: number,
  names: readonly string[],
): Promise<PendingWrite<typeof attendee>[]> {
  const record = await holdOpen(c, id)
  const there = await peopleOf(c, record.id)
  refuseCrowd(there.length + names.length)
  const added = await nameAccounts(
    c,
    names.map((name) => ({ name: name.trim() })),
  )
  const wrong = namingProblems([...there, ...added], isAdded, (i) => `names[${i - there.length}]`)
  if (wrong.length) throw problem.invalid(wrong)
  const first = nextPlace(there)
  const written: PendingWrite<typeof attendee>[] = []
  for (const [i, person] of added.entries())
    written.push(
      await c
        .withoutPermissionCheck(BY_RIGHT)
        .create(attendee, { ...person, presented: record.id, position: first + i }),
    )
  await c.work.flush()
  await tellNamed(
    c,
    written.map((one) => one.row()),
  )
  return written
}

/** Throws 409 above the maximum number of attendees, as a record is printed and saved as a whole. */
function refuseCrowd(people: number): void {
  if (people > MOST_PEOPLE)
    throw problem.conflict(
      `A record can have at most ${MOST_PEOPLE.toLocaleString('en-GB')} people. Please start another record for the rest.`,
    )
}

const isAdded = ({ id }: Person) => id === undefined
const nextPlace = (people: readonly Person[]) => Math.max(-1, ...people.map((p) => p.position ?? 0)) + 1

export async function markAbsent(c: Context, id: number, person: number, absence: string) {
  const row = await unsigned(c, (await holdOpen(c, id)).id, person)
  if (absentHeard([...(await peopleOf(c, id)), { ...row, absence }])) throw behalfRefused(row)
  return c.set(attendee, row, { absence: absence.trim() }, 'absent')
}

/** Removes an attendee who has not signed. */
export async function strikeOff(c: Context, id: number, person: number): Promise<void> {
  const row = await unsigned(c, (await holdOpen(c, id)).id, person)
  await c.withoutPermissionCheck(BY_RIGHT).remove(attendee, row)
}

/**
 * Saves an attendance signature at server time, under the rules on who may sign for whom. After the record was closed
 * it is late and sealed in the audit chain. Throws 409 if already signed or the talk is not in force.
 */
export async function signAttendance(c: Context, id: number, given: Signing): Promise<PendingWrite<typeof attendee>> {
  const wrong = handProblems({ method: given.method, strokes: given.strokes })
  if (wrong.length) throw problem.invalid(wrong)
  // Sent together, in this order: the list is read once the record is locked.
  const [record, people, named] = await settleAll(
    hold(c, id),
    peopleOf(c, id),
    given.attendee === null ? undefined : unsigned(c, id, given.attendee),
  )
  if (named) refuseRenamed(named, given)
  const [, hand] = await settleAll(refuseOutOfForce(c, record.talk), handOf(c, claimOf(c, given, named)))
  const row = named ?? (await ownRow(c, record, people, hand))
  refuseAgain(people, row, hand, given.method)
  const late = record.complete
  if (given.method === 'on behalf') refuseBehalf(people, hand, late)
  if (!row) refuseCrowd(people.length + 1)
  const values = {
    ...hand,
    // Values sealed when the record was closed don't change.
    ...(row && late ? { name: row.name } : {}),
    method: given.method,
    strokes: keptDrawing(given.method, given.strokes),
    signedAt: c.now.toString(),
    absence: late ? (row?.absence ?? null) : null,
    late,
  }
  const written = row
    ? await c.set(attendee, row, values, 'sign')
    : await c
        .withoutPermissionCheck(BY_RIGHT)
        .create(attendee, { ...values, presented: record.id, position: nextPlace(people) })
  await c.set(attendance, record, { signed: record.signed + 1 }, 'sign')
  if (isOwn(values)) await signTalk(c, record.talk, values)
  if (late) await sealEvent(c, presentedEvidence, { event: 'signed late', id: record.id, added: row?.id ?? written })
  return written
}

/** Throws 409 if the row belongs to another person than the one who signed. */
function refuseRenamed({ name, user }: Row, { shownName, shownUser }: Signing): void {
  if (shownName && !isSameName(shownName, name))
    throw problem.conflict(`This signature was for ${shownName}, but the list now shows ${name}. Please sign again.`)
  if (shownUser && shownUser !== user)
    throw problem.conflict(`This signature was for another ${name} than the one now on the list. Please sign again.`)
}

/** Signatory and the person signed for. The row determines whether its person has an account. */
function claimOf({ actor }: Context, { name, method, visitor }: Signing, row: Row | undefined): Claim {
  if (!row) return { name, method, visitor }
  const own = row.user === null ? isSameName(row.name, actor.name) : row.user === actor.userId
  return { name: own && method !== 'on behalf' ? '' : row.name, method, visitor: !own }
}

/** Finds the user's own unsigned row if no row is named. */
async function ownRow(
  c: Context,
  record: Record,
  people: readonly Person[],
  { user, name }: Hand,
): Promise<Row | undefined> {
  const isTheirs = (p: Person) => (user !== null && p.user ? p.user === user : isSameName(p.name ?? '', name))
  const found = people.find((p) => !p.signedAt && isTheirs(p))
  return found?.id === undefined ? undefined : unsigned(c, record.id, found.id)
}

/**
 * Each account signs once for itself and is signed for once; an unlisted visitor is distinguished from a listed one.
 */
function refuseAgain(people: readonly Person[], row: Row | undefined, hand: Hand, method: Method): void {
  const { user, signer, name } = hand
  const signed = people.filter((p) => p.signedAt)
  const again =
    user !== null
      ? signed.some((p) => p.user === user && (isOwn(p) || (method === 'on behalf' && signer !== user)))
      : !row && signed.some((p) => !p.user && foldName(p.name ?? '') === foldName(name))
  if (!again) return
  const said = user === null ? signedByName(name) : `${name} has already signed.`
  throw problem.invalid([violation('name', said, 'duplicate')])
}

/** Throws 409 for a signature on behalf of an absent person, or after the record was closed. */
function refuseBehalf(people: readonly Person[], { name, user }: Hand, late: boolean): void {
  if (late)
    throw problem.conflict(
      'This record is closed. People who attended and have not signed can only sign late for themselves.',
    )
  const signed = { name, user, method: 'on behalf', signedAt: 'now' } as const
  if (absentHeard([...people, signed])) throw behalfRefused(signed)
}

const PEOPLE = prepare(
  `SELECT id, position, name, method, user_id, signer_id, visitor, signed_at, absence FROM talk_attendee
   WHERE client_id = $1::int AND presented_id = $2::bigint ORDER BY position, id`,
)
type Listed = [number, number, string, Method, number | null, number | null, boolean, string | null, string | null]

/** All attendees of a list, without drawn signatures. */
const peopleOf = async (c: Context, id: number): Promise<Person[]> =>
  ((await c.work.tx.arrays(PEOPLE, [c.clientId, id])) as Listed[]).map(
    ([row, position, name, method, user, signer, visitor, signedAt, absence]) => ({
      id: row,
      position,
      name,
      method,
      user,
      signer,
      visitor,
      signedAt,
      absence,
    }),
  )
