import { Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { drawingProblem, isSameName } from '#kernel/signature.ts'
import { signature } from '#rooms/documents/kinds/document.ts'
import { titleIn } from '#rooms/documents/kinds/kind.ts'
import { handOf, sealEvent } from '#rooms/documents/offers.server.ts'
import { accountsCalled, type Called } from '#rooms/identity/offers.server.ts'
import { same } from '#server/data/difference.ts'
import { behaviour, type Saved } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { listRoute } from '#server/http/list-route.ts'
import { presentedEvidence } from './presented-evidence.ts'
import { type attendee, presentedTalk, toolboxTalk } from './toolbox-talk.ts'

type Person = Partial<RowOf<typeof attendee>>

/** Presenting a talk: people are named, sign one after the other, and the record is closed when nobody is left out. */
export const presenting = behaviour(presentedTalk, {
  prepare: async (c) => {
    const { before, changes, values, rows, now } = c
    if (before?.complete && (Object.keys(changes).some((name) => name !== 'retired') || rows.length))
      throw problem.conflict('This record is closed and stands as it is.')
    // The database takes no people into a closed record.
    if (!before && values.complete) throw problem.conflict('Please save the record first, and close it then.')
    const former = before?.attendees ?? []
    if (changes.talk !== undefined && former.some((p) => p.signedAt))
      throw problem.conflict('People have signed for this talk already. Please make another record for the other talk.')
    const wrong = (values.attendees ?? []).flatMap(signatureProblems)
    if (wrong.length) throw problem.invalid(wrong)
    const people = await stampSignatures(c, values.attendees ?? [], former)
    if (people.some((p) => isNew(p, former))) await refuseOutOfForce(c, values.talk)
    const absent = values.complete ? absenceProblems(people) : []
    if (absent.length) throw problem.invalid(absent)
    const title = before && changes.talk === undefined ? undefined : await presentableTitle(c, values.talk)
    return {
      ...(rows.length ? { attendees: people } : {}),
      signed: people.filter((p) => p.signedAt).length,
      ...(title === undefined ? {} : { title }),
      ...(before ? {} : { createdAt: now.toString() }),
    }
  },
  saved: async (c) => {
    const people = c.rows.flatMap((change) => change.after as Person[])
    const own = people.find((p) => isNew(p, c.before?.attendees ?? []) && isOwn(p) && p.user === c.actor.userId)
    const talk = c.changes.talk ?? c.before?.talk
    if (own && talk !== undefined) await signTalk(c, talk, own)
    const event = eventOf(c)
    if (c.before && event) await sealEvent(c, presentedEvidence, { event, id: c.before.id })
  },
})

/** How the chain calls what is done to a record that is closed, or is so now. */
function eventOf({ before, changes }: Pick<Saved<typeof presentedTalk>, 'before' | 'changes'>): string | undefined {
  if (changes.complete) return 'closed'
  if (!before?.complete || changes.retired === undefined) return undefined
  return changes.retired ? 'retired' : 'restored'
}

const isNew = (person: Person, former: readonly Person[]) =>
  Boolean(person.signedAt) && !former.some((p) => p.id === person.id && p.signedAt)

const SIGNED = ['name', 'method', 'strokes'] as const

/**
 * Says of everybody who is named whether they have an account, and of every new signature whose it is; its clock is the server's.
 * Throws 409 where one that was given would say something else, or be gone: also what is sent from a screen that has not heard
 * of it yet.
 */
async function stampSignatures(c: Context, people: readonly Person[], before: readonly Person[]): Promise<Person[]> {
  const left = new Map(before.flatMap((p) => (p.signedAt ? [[p.id, p] as const] : [])))
  const named = await nameAccounts(c, people, before)
  const stamped: Person[] = []
  for (const [i, person] of named.entries()) {
    const former = left.get(person.id)
    if (!former) {
      stamped.push(person.signedAt ? await signedRow(c, person, i) : person)
      continue
    }
    if (!person.signedAt || SIGNED.some((name) => !same(person[name], former[name]))) throw stands(former)
    left.delete(person.id)
    stamped.push({ ...person, signedAt: former.signedAt ?? c.now.toString() })
  }
  for (const gone of left.values()) throw stands(gone)
  const again = stamped.findIndex((p, i) => isOwn(p) && stamped.slice(0, i).some((q) => isOwn(q) && q.user === p.user))
  if (again < 0) return stamped
  const told = `${stamped[again]?.name} has already signed.`
  throw problem.invalid([violation(`attendees[${again}].name`, told, 'duplicate')])
}

/** Signed by the account whose signature it is. */
const isOwn = ({ signedAt, user, signer }: Person) => Boolean(signedAt && user && user === signer)

const stands = ({ name }: Person) =>
  problem.conflict(`${name} has signed, and the signature stands. Please look again.`)

/** Who is named anew with the account that alone goes by the name; a visitor, where none does. */
async function nameAccounts(c: Context, people: readonly Person[], before: readonly Person[]): Promise<Person[]> {
  const isKnown = (person: Person) => before.some((p) => p.id === person.id && p.name === person.name)
  const names = people.flatMap((p) => (p.name && !isKnown(p) ? [p.name] : []))
  const accounts = names.length ? await accountsCalled(c, names) : new Map<string, Called[]>()
  return people.map((person) => {
    if (!person.name || isKnown(person)) return person
    const [one, ...others] = accounts.get(person.name) ?? []
    return { ...person, user: one && !others.length ? one.id : null, visitor: !one }
  })
}

/** A row that has just been signed, by the rule for all signatures. */
async function signedRow(c: Context, person: Person, i: number): Promise<Person> {
  const { name = '', method = null, user = null } = person
  const own = user === null ? isSameName(name, c.actor.name) : user === c.actor.userId
  const hand = await handOf(c, { name: own ? '' : name, method, visitor: !own }).catch((e: unknown) => {
    throw e instanceof Problem && e.violations
      ? problem.invalid(e.violations.map((v) => ({ ...v, propertyPath: `attendees[${i}].${v.propertyPath}` })))
      : e
  })
  return { ...person, ...hand, signedAt: c.now.toString() }
}

function signatureProblems(p: Person, i: number): Violation[] {
  if (!p.signedAt) return []
  const name = p.name?.trim() ?? ''
  const at = (field: string) => `attendees[${i}].${field}`
  const drawing = p.method === 'finger' || p.strokes ? drawingProblem(p.strokes) : undefined
  return [
    ...(p.method ? [] : [violation(at('method'), `${name}: please sign in the box`)]),
    ...(drawing ? [violation(at('strokes'), `${name}: ${drawing}`)] : []),
  ]
}

/** What keeps the record from being closed. */
function absenceProblems(people: readonly Person[]): Violation[] {
  if (!people.length) return [violation('attendees', 'Please name the people who heard the talk')]
  return people.flatMap((p, i) =>
    p.signedAt || p.absence?.trim()
      ? []
      : [
          violation(
            `attendees[${i}].signedAt`,
            `${p.name?.trim() ?? ''} has not signed. Have them sign, or say why they were absent`,
          ),
        ],
  )
}

/** What the talk is called; throws 409 for one that can't be presented. */
async function presentableTitle(c: Context, id: number | undefined): Promise<string> {
  const talk = id === undefined ? undefined : await c.get(toolboxTalk.resource, id)
  if (!talk?.current) throw problem.conflict('Only a talk that is in force can be presented.')
  return titleIn(toolboxTalk, talk)
}

/** Throws 409 where the revision that was presented is not in force any more. */
async function refuseOutOfForce(c: Context, id: number | undefined): Promise<void> {
  if (id !== undefined && (await c.get(toolboxTalk.resource, id))?.current) return
  throw problem.conflict('This talk is no longer in force. Please present the current revision.')
}

/** Who signs under their own account that they heard a talk has signed the talk: they are not asked for it again. */
async function signTalk(c: Context, id: number, { method, strokes }: Person): Promise<void> {
  const talk = await c.get(toolboxTalk.resource, id)
  const signed = { document: id, user: c.actor.userId, mine: true }
  if (talk?.clientId !== c.clientId || (await c.exists(signature, signed))) return
  await c.create(signature, {
    document: id,
    method: method ?? 'typed',
    strokes: strokes ?? null,
    statement: 'I have heard and understood this toolbox talk.',
  })
}

export const presentedTalks = listRoute(
  presentedTalk,
  '/api/safety/toolbox_talks_presented/list',
  'The talks that were presented',
  (c) => ({ query: { retired: 'false', ...c.query } }),
)
