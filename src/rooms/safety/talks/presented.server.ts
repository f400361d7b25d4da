import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { drawingProblem } from '#kernel/signature.ts'
import { titleIn } from '#rooms/documents/kinds/kind.ts'
import { sealEvent } from '#rooms/documents/offers.server.ts'
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
    const people = stampSignatures(values.attendees ?? [], former, now.toString())
    const wrong = [...people.flatMap(signatureProblems), ...(values.complete ? absenceProblems(people) : [])]
    if (wrong.length) throw problem.invalid(wrong)
    const title = before && changes.talk === undefined ? undefined : await presentableTitle(c, values.talk)
    return {
      ...(rows.length ? { attendees: people } : {}),
      signed: people.filter((p) => p.signedAt).length,
      ...(title === undefined ? {} : { title }),
      ...(before ? {} : { createdAt: now.toString() }),
    }
  },
  saved: async (c) => {
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

const SIGNED = ['name', 'method', 'byName', 'strokes'] as const

/**
 * The clock of a signature is the server's. Throws 409 where one that was given would say something else, or be gone: also what
 * is sent from a screen that has not heard of it yet.
 */
function stampSignatures(people: readonly Person[], before: readonly Person[], now: string): Person[] {
  const left = new Map(before.flatMap((p) => (p.signedAt ? [[p.id, p] as const] : [])))
  const stamped = people.map((person) => {
    const former = left.get(person.id)
    if (!former) return person.signedAt ? { ...person, signedAt: now } : person
    if (!person.signedAt || SIGNED.some((name) => !same(person[name], former[name]))) throw stands(former)
    left.delete(person.id)
    return { ...person, signedAt: former.signedAt ?? now }
  })
  for (const gone of left.values()) throw stands(gone)
  return stamped
}

const stands = ({ name }: Person) =>
  problem.conflict(`${name} has signed, and the signature stands. Please look again.`)

function signatureProblems(p: Person, i: number): Violation[] {
  if (!p.signedAt) return []
  const name = p.name?.trim() ?? ''
  const at = (field: string) => `attendees[${i}].${field}`
  const drawing = p.method === 'finger' || p.strokes ? drawingProblem(p.strokes) : undefined
  return [
    ...(p.method ? [] : [violation(at('method'), `${name}: please sign in the box`)]),
    ...(drawing ? [violation(at('strokes'), `${name}: ${drawing}`)] : []),
    ...(p.method === 'on behalf' && !p.byName?.trim()
      ? [violation(at('byName'), `${name}: please enter who signs on behalf`)]
      : []),
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
  if (!talk || talk.retired || talk.state === 'draft')
    throw problem.conflict('Only a talk that is complete can be presented.')
  return titleIn(toolboxTalk, talk)
}

export const presentedTalks = listRoute(
  presentedTalk,
  '/api/safety/toolbox_talks_presented/list',
  'The talks that were presented',
  (c) => ({ query: { retired: 'false', ...c.query } }),
)
