import { Problem, problem, violation } from '#kernel/errors.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { iriOf } from '#kernel/resource.ts'
import { isSamePersonName, toStoredSignatureDrawing } from '#kernel/signature.ts'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { raiseAction, retireActionsWith } from '#modules/actions/raise.server.ts'
import { resolveSignatory } from '#modules/documents/signing/signing.server.ts'
import { type DocumentFacts, defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import { type AfterSaveInput, type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { listRoute } from '#server/http/list-route.ts'
import { isOutstanding } from '../attendance/attendance-text.ts'
import { signAttendedTalk } from './attendance.server.ts'
import { isPinRequired, pinLockedNotification, pinMismatchNotification, signingPinsRoute } from './device-pin.server.ts'
import { settlePresenter } from './employees-at-talks.server.ts'
import { talkAttendedEvent, talkRecordedEvent } from './events.ts'
import { assertTalkInForce, loadPresentableTalkTitle, validateHeldInForce } from './in-force.server.ts'
import {
  type AttendeeDraft,
  absentAttendeeSignedForConflict,
  assertTalkRecordEditable,
  attendeeSignedConflict,
  findAbsentAttendeeSignedFor,
  hasSignedInPerson,
  hasSignedWithOwnAccount,
  isAlreadyListed,
  isNewlySigned,
  linkAttendeeAccounts,
  notifyAbsentAttendees,
  notifyNewAttendeesInRecord,
  ownTalksToSignRoute,
  talkSignatureNotification,
  validateAttendeeNames,
  validateAttendeeSignature,
  validateTalkClosing,
  validateTalkRecordFields,
} from './presented-rules.server.ts'
import { presentedTalk, presentedTalkEvidence, talkAttendee, talkCorrection, toolboxTalk } from './toolbox-talk.ts'

type Save = Context & BeforeSaveInput<typeof presentedTalk>

/**
 * Rules for creating, changing and closing a talk record. API clients may send the attendees with the record;
 * individual signatures have their own route.
 */
const presentedTalkBehaviour = behaviour(presentedTalk, {
  beforeSave: async (c) => {
    const { before, changes, values, rows, now } = c
    assertTalkRecordEditable(c)
    const wrong = validateTalkRecordFields(changes, values, now)
    if (wrong.length) throw problem.invalid(wrong)
    const isMoved = [changes.date, changes.startTime, changes.talk].some((value) => value !== undefined)
    const outside = isMoved ? await validateHeldInForce(c, values.talk, values) : []
    if (outside.length) throw problem.invalid(outside)
    const isClosing = changes.complete === true
    const presenter = await settlePresenter(c)
    const listed = rows.length || isClosing || changes.talk !== undefined ? await preparePeople(c) : undefined
    const title =
      before && changes.talk === undefined ? undefined : await loadPresentableTalkTitle(c, values.talk, values)
    return {
      ...(rows.length && listed ? { attendees: listed } : {}),
      ...(listed ? { signed: listed.filter((p) => p.signedAt).length } : {}),
      ...(changes.lateSignatures || isClosing
        ? { lateSignatures: isClosing && (values.lateSignatures ?? false) && listed?.some(isOutstanding) === true }
        : {}),
      ...presenter,
      ...(title === undefined ? {} : { title }),
      ...(before ? {} : { createdAt: now.toString() }),
    }
  },
  afterSave: async (c) => {
    const people = c.rows.flatMap((change) => change.after as AttendeeDraft[])
    const former = c.before?.attendees ?? []
    const own = people.find((p) => isNewlySigned(p, former) && hasSignedWithOwnAccount(p) && p.user === c.actor.userId)
    const talk = c.changes.talk ?? c.before?.talk
    if (own && talk !== undefined) await signAttendedTalk(c, talk, own)
    if (people.some((p) => p.user)) await notifyNewAttendeesInRecord(c, (await c.written.saved()).id, former)
    if (c.changes.complete && c.before) await notifyAbsentAttendees(c, c.before.id)
    if (!c.before || c.changes.retired !== undefined)
      await c.emit(talkRecordedEvent, { presented: (await c.written.saved()).id })
    if (c.changes.complete) await c.emit(talkAttendedEvent, { presented: (await c.written.saved()).id })
    const event = eventOf(c)
    if (c.before && event) await sealEvent(c, presentedTalkEvidence, { event, id: c.before.id })
  },
  actions: {
    raiseAction: async (c) => {
      const { id, title, date, retired } = c.row
      if (retired) throw problem.conflict('This record is deleted. Restore it first.')
      const sourceTitle = `${title}, ${formatIsoDateAsUk(date)}`
      await raiseAction(c, c.input, { source: iriOf(presentedTalk, id), sourceTitle })
      return {}
    },
  },
})

/** Returns the name of the audit chain event for a change to a record. */
function eventOf({
  before,
  changes,
}: Pick<AfterSaveInput<typeof presentedTalk>, 'before' | 'changes'>): string | undefined {
  if (changes.complete) return 'closed'
  if (!before?.complete || changes.retired === undefined) return undefined
  return changes.retired ? 'retired' : 'restored'
}

/** Returns the attendees to save, with the signing rules applied. Throws if a signature would be lost. */
async function preparePeople(c: Save): Promise<AttendeeDraft[]> {
  const { before, changes, values, rows } = c
  // Reads the attendees again, because the record is only locked now and `before` may lack the newest signatures.
  const former: AttendeeDraft[] = before ? await c.find(talkAttendee, { presented: before.id }) : []
  if (before && changes.talk !== undefined && former.some((p) => p.signedAt))
    throw problem.conflict(
      'People have already signed for this talk. Please start a separate record for the other talk.',
    )
  const people = rows.length ? await stampSignatures(c, values.attendees ?? [], former) : former
  if (people.some((p) => isNewlySigned(p, former))) await assertTalkInForce(c, values.talk, values)
  if (rows.length) refuseAbsentHeard(people, former)
  const absent = values.complete ? validateTalkClosing(people, values.lateSignatures ?? false) : []
  if (absent.length) throw problem.invalid(absent)
  return people
}

/** Throws 409 if someone signs for an absent person. Checks both the submitted list and the stored list. */
function refuseAbsentHeard(people: readonly AttendeeDraft[], former: readonly AttendeeDraft[]): void {
  const behalf = people.filter((p) => isNewlySigned(p, former) && p.method === 'on behalf')
  const heard =
    findAbsentAttendeeSignedFor([...behalf, ...former.filter((p) => !p.signedAt)]) ??
    findAbsentAttendeeSignedFor(people.filter((p) => !p.late))
  if (heard) throw absentAttendeeSignedForConflict(heard)
}

const SIGNED = ['name', 'method', 'strokes'] as const
/** Values that only signing sets. They are cleared in unsigned rows. */
const NOBODYS_HAND = { method: null, strokes: null, signer: null, byName: null } as const

/**
 * Sets each attendee's account, and each new signature's signatory and server time. Throws 409 if an existing signature
 * would be changed or lost, even if the cause is an outdated screen.
 */
async function stampSignatures(
  c: Context,
  people: readonly AttendeeDraft[],
  before: readonly AttendeeDraft[],
): Promise<AttendeeDraft[]> {
  const wrong = people.flatMap((p, i) =>
    isNewlySigned(p, before)
      ? validateAttendeeSignature(p).map((v) => ({ ...v, propertyPath: `attendees[${i}].${v.propertyPath}` }))
      : [],
  )
  if (wrong.length) throw problem.invalid(wrong)
  const left = new Map(before.flatMap((p) => (p.signedAt ? [[p.id, p] as const] : [])))
  const named = await nameNew(c, people, before)
  const stamped: AttendeeDraft[] = []
  for (const [i, person] of named.entries()) {
    const former = left.get(person.id)
    if (!former) {
      stamped.push(person.signedAt ? await signedRow(c, person, i) : { ...person, ...NOBODYS_HAND })
      continue
    }
    if (!person.signedAt || SIGNED.some((name) => !areStoredValuesEqual(person[name], former[name])))
      throw attendeeSignedConflict(former)
    left.delete(person.id)
    stamped.push({ ...former, position: i })
  }
  for (const gone of left.values()) throw attendeeSignedConflict(gone)
  const again = stamped.findIndex(
    (p, i) => hasSignedInPerson(p) && stamped.slice(0, i).some((q) => hasSignedInPerson(q) && q.user === p.user),
  )
  if (again >= 0) throw problem.invalid([violation(`attendees[${again}].name`, hasSigned(stamped[again]), 'duplicate')])
  return stamped
}

const hasSigned = (person: AttendeeDraft | undefined) => `${person?.name} has already signed.`

/** Returns the list with the accounts of new attendees. Throws 422 for invalid or duplicate names. */
async function nameNew(
  c: Context,
  people: readonly AttendeeDraft[],
  before: readonly AttendeeDraft[],
): Promise<AttendeeDraft[]> {
  const isNew = (person: AttendeeDraft) => !isAlreadyListed(person, before)
  const found = (await linkAttendeeAccounts(c, people.filter(isNew))).values()
  const named = people.map((person) => (isNew(person) ? (found.next().value ?? person) : person))
  // People who have already signed are excluded here, because they get another message below.
  const wrong = validateAttendeeNames(
    named,
    (p) => isNew(p) && !p.signedAt,
    (i) => `attendees[${i}].name`,
  )
  if (wrong.length) throw problem.invalid(wrong)
  return named
}

/** Returns the row of a new signature, with the general signing rules applied. */
async function signedRow(c: Context, person: AttendeeDraft, i: number): Promise<AttendeeDraft> {
  const { name = '', method = null, user = null } = person
  const own = user === null ? isSamePersonName(name, c.actor.name) : user === c.actor.userId
  const account = own ? null : user
  if (account !== null && (await isPinRequired(c, c.clientId)))
    throw problem.invalid([
      violation(
        `attendees[${i}].method`,
        `${name} has an account, and your company requires their signing PIN. Please save the list first, and let ${name} sign there`,
      ),
    ])
  const claim = { name: own ? '' : name, method, visitor: !own && account === null, account }
  const hand = await resolveSignatory(c, claim).catch((e: unknown) => {
    throw prefixAttendeeErrorPath(e, i)
  })
  const strokes = toStoredSignatureDrawing(method, person.strokes)
  // An absent person who signs for themselves was present after all, so the absence is removed.
  const absence = method === 'on behalf' ? (person.absence ?? null) : null
  return { ...person, ...hand, strokes, absence, signedAt: c.now.toString() }
}

/** Adds the row's position in the list to the path of its errors. */
const prefixAttendeeErrorPath = (e: unknown, i: number): unknown =>
  e instanceof Problem && e.violations
    ? problem.invalid(e.violations.map((v) => ({ ...v, propertyPath: `attendees[${i}].${v.propertyPath}` })))
    : e

const presentedTalksRoute = listRoute(
  presentedTalk,
  '/api/safety/toolbox_talks_presented/list',
  'List presented talks',
  (c) => ({ query: { retired: 'false', ...c.query } }),
)

/** Points of the talk, each under the point before it, because points have no headings. */
const talkFacts: DocumentFacts = {
  load: async (reader, ids) =>
    (await reader.find(toolboxTalk.resource, { id: ids })).flatMap(
      ({ id, points }: { readonly id: number; readonly points?: unknown }) => {
        const texts = toRowObjects(points).map(({ text }) => toText(text))
        return texts.slice(1).map((statement, i) => ({ document: id, topic: texts[i] ?? '', statement }))
      },
    ),
  ask: (topic) => `Which point of the talk follows “${topic}”?`,
}

export const toolboxTalksFeature = defineDocumentFeature({
  pack: 'safety',
  resources: [presentedTalk, talkAttendee, talkCorrection],
  kinds: [toolboxTalk],
  facts: { [toolboxTalk.kind]: talkFacts },
  behaviours: [presentedTalkBehaviour],
  guards: [retireActionsWith(presentedTalk)],
  routes: [presentedTalksRoute, ownTalksToSignRoute, signingPinsRoute],
  notifications: [talkSignatureNotification, pinMismatchNotification, pinLockedNotification],
  evidence: [presentedTalkEvidence],
  seeds: () => import('./demo.server.ts'),
})
