import { problem, violation } from '#kernel/errors.ts'
import { isSameName, keptDrawing } from '#kernel/signature.ts'
import { handOf } from '#modules/documents/signing/hand.server.ts'
import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import { sameValue } from '#server/data/difference.ts'
import { type AfterSave, type BeforeSave, behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { listRoute } from '#server/http/list-route.ts'
import { talkRecorded } from '../attendance/recorded.ts'
import { presentableTitle, refuseOutOfForce, signTalk } from './in-force.server.ts'
import { isKnown, isNewlySigned, isOwn, nameAccounts, namingProblems, type Person } from './people.server.ts'
import { presentedEvidence } from './presented-evidence.ts'
import {
  absenceProblems,
  absentHeard,
  atRow,
  behalfRefused,
  factProblems,
  handProblems,
  refuseStanding,
  stands,
} from './presented-rules.server.ts'
import { ownTalks, talkNotice, tellAbsent, tellNamedIn } from './sign-notice.server.ts'
import { attendee, presentedTalk, talkCorrection, toolboxTalk } from './toolbox-talk.ts'

type Save = Context & BeforeSave<typeof presentedTalk>

/**
 * Rules for a talk record as a whole: creation, correction, closing. API clients may send the attendees with it; single
 * signatures have a route of their own.
 */
const presenting = behaviour(presentedTalk, {
  beforeSave: async (c) => {
    const { before, changes, values, rows, now } = c
    refuseStanding(c)
    const wrong = factProblems(changes, values, now)
    if (wrong.length) throw problem.invalid(wrong)
    const [presenter] = changes.presenter === undefined ? [] : await nameAccounts(c, [{ name: changes.presenter }])
    const listed = rows.length || changes.complete || changes.talk !== undefined ? await preparePeople(c) : undefined
    const title = before && changes.talk === undefined ? undefined : await presentableTitle(c, values.talk)
    return {
      ...(rows.length && listed ? { attendees: listed } : {}),
      ...(listed ? { signed: listed.filter((p) => p.signedAt).length } : {}),
      ...(presenter ? { presenterVisitor: presenter.visitor ?? false } : {}),
      ...(title === undefined ? {} : { title }),
      ...(before ? {} : { createdAt: now.toString() }),
    }
  },
  afterSave: async (c) => {
    const people = c.rows.flatMap((change) => change.after as Person[])
    const former = c.before?.attendees ?? []
    const own = people.find((p) => isNewlySigned(p, former) && isOwn(p) && p.user === c.actor.userId)
    const talk = c.changes.talk ?? c.before?.talk
    if (own && talk !== undefined) await signTalk(c, talk, own)
    if (people.some((p) => p.user)) await tellNamedIn(c, (await c.written.saved()).id, former)
    if (c.changes.complete && c.before) await tellAbsent(c, c.before.id)
    if (!c.before || c.changes.retired !== undefined)
      await c.emit(talkRecorded, { presented: (await c.written.saved()).id })
    const event = eventOf(c)
    if (c.before && event) await sealEvent(c, presentedEvidence, { event, id: c.before.id })
  },
})

/** Name of a change to a closed record in the audit chain. */
function eventOf({ before, changes }: Pick<AfterSave<typeof presentedTalk>, 'before' | 'changes'>): string | undefined {
  if (changes.complete) return 'closed'
  if (!before?.complete || changes.retired === undefined) return undefined
  return changes.retired ? 'retired' : 'restored'
}

/** Attendees to be saved, with the signing rules applied; refuses the loss of a signature. */
async function preparePeople(c: Save): Promise<Person[]> {
  const { before, changes, values, rows } = c
  // The record is locked now: people who signed in the meantime are included here, but not in `before`.
  const former: Person[] = before ? await c.find(attendee, { presented: before.id }) : []
  if (before && changes.talk !== undefined && former.some((p) => p.signedAt))
    throw problem.conflict('People have already signed for this talk. Please start another record for the other talk.')
  const people = rows.length ? await stampSignatures(c, values.attendees ?? [], former) : former
  if (people.some((p) => isNewlySigned(p, former))) await refuseOutOfForce(c, values.talk)
  if (rows.length) refuseAbsentHeard(people, former)
  const absent = values.complete ? absenceProblems(people) : []
  if (absent.length) throw problem.invalid(absent)
  return people
}

/** Throws 409 if an absent person is signed for by another, in the sent or the stored list. */
function refuseAbsentHeard(people: readonly Person[], former: readonly Person[]): void {
  const behalf = people.filter((p) => isNewlySigned(p, former) && p.method === 'on behalf')
  const heard =
    absentHeard([...behalf, ...former.filter((p) => !p.signedAt)]) ?? absentHeard(people.filter((p) => !p.late))
  if (heard) throw behalfRefused(heard)
}

const SIGNED = ['name', 'method', 'strokes'] as const
/** Values set only by signing, cleared for unsigned rows. */
const NOBODYS_HAND = { method: null, strokes: null, signer: null, byName: null } as const

/**
 * Sets the account of each attendee and the signatory and server time of each new signature. Throws 409 if an existing
 * signature would be changed or lost, also when sent from an outdated screen.
 */
async function stampSignatures(c: Context, people: readonly Person[], before: readonly Person[]): Promise<Person[]> {
  const wrong = people.flatMap((p, i) =>
    isNewlySigned(p, before)
      ? handProblems(p).map((v) => ({ ...v, propertyPath: `attendees[${i}].${v.propertyPath}` }))
      : [],
  )
  if (wrong.length) throw problem.invalid(wrong)
  const left = new Map(before.flatMap((p) => (p.signedAt ? [[p.id, p] as const] : [])))
  const named = await nameNew(c, people, before)
  const stamped: Person[] = []
  for (const [i, person] of named.entries()) {
    const former = left.get(person.id)
    if (!former) {
      stamped.push(person.signedAt ? await signedRow(c, person, i) : { ...person, ...NOBODYS_HAND })
      continue
    }
    if (!person.signedAt || SIGNED.some((name) => !sameValue(person[name], former[name]))) throw stands(former)
    left.delete(person.id)
    stamped.push({ ...former, position: i })
  }
  for (const gone of left.values()) throw stands(gone)
  const again = stamped.findIndex((p, i) => isOwn(p) && stamped.slice(0, i).some((q) => isOwn(q) && q.user === p.user))
  if (again >= 0) throw problem.invalid([violation(`attendees[${again}].name`, hasSigned(stamped[again]), 'duplicate')])
  return stamped
}

const hasSigned = (person: Person | undefined) => `${person?.name} has already signed.`

/** List with the accounts of new attendees. Throws 422 for invalid or duplicate names. */
async function nameNew(c: Context, people: readonly Person[], before: readonly Person[]): Promise<Person[]> {
  const isNew = (person: Person) => !isKnown(person, before)
  const found = (await nameAccounts(c, people.filter(isNew))).values()
  const named = people.map((person) => (isNew(person) ? (found.next().value ?? person) : person))
  // People who have signed already get another message below.
  const wrong = namingProblems(
    named,
    (p) => isNew(p) && !p.signedAt,
    (i) => `attendees[${i}].name`,
  )
  if (wrong.length) throw problem.invalid(wrong)
  return named
}

/** Newly signed row, under the rules for all signatures. */
async function signedRow(c: Context, person: Person, i: number): Promise<Person> {
  const { name = '', method = null, user = null } = person
  const own = user === null ? isSameName(name, c.actor.name) : user === c.actor.userId
  const hand = await handOf(c, { name: own ? '' : name, method, visitor: !own }).catch((e: unknown) => {
    throw atRow(e, i)
  })
  const strokes = keptDrawing(method, person.strokes)
  // A person who signs for themselves is present after all.
  const absence = method === 'on behalf' ? (person.absence ?? null) : null
  return { ...person, ...hand, strokes, absence, signedAt: c.now.toString() }
}

const presentedTalks = listRoute(
  presentedTalk,
  '/api/safety/toolbox_talks_presented/list',
  'List presented talks',
  (c) => ({ query: { retired: 'false', ...c.query } }),
)

export const talks = documentFeature({
  pack: 'safety',
  resources: [presentedTalk, attendee, talkCorrection],
  kinds: [toolboxTalk],
  behaviours: [presenting],
  routes: [presentedTalks, ownTalks],
  notifications: [talkNotice],
  evidence: [presentedEvidence],
  seeds: () => import('./demo.server.ts'),
})
