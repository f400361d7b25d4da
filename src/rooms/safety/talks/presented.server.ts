import { problem, violation } from '#kernel/errors.ts'
import { drawingProblem } from '#kernel/signature.ts'
import { textOf } from '#kernel/text.ts'
import { behaviour } from '#server/behaviour.ts'
import { listRoute } from '#server/http/list-route.ts'
import { presentedTalk } from './toolbox-talk.ts'

interface Person {
  readonly name?: unknown
  readonly method?: unknown
  readonly byName?: unknown
  readonly strokes?: unknown
  readonly signedAt?: unknown
  readonly absence?: unknown
}

const sign = (person: Record<string, unknown>, at: string) => {
  if (person.signedAt) person.signedAt = at
}
const text = (v: unknown) => textOf(v).trim()

/** Presenting a talk: people are named, sign one after the other, and the record is closed when nobody is left out. */
export const presenting = behaviour(presentedTalk, {
  prepare: async (c) => {
    const { before, changes, values, rows, work, now } = c
    if (before?.complete && (Object.keys(changes).some((name) => name !== 'retired') || rows.length))
      throw problem.conflict('This record is closed and stands as it is.')
    const change = rows.find((r) => r.field === 'attendees')
    const people = (change?.after ?? before?.attendees ?? []) as Person[]
    // The clock of the signature is the server's.
    for (const person of change?.added ?? []) sign(person, now.toString())
    for (const person of change?.changed ?? []) if (person.changes.signedAt) sign(person.values, now.toString())
    const wrong = people.flatMap((p, i) => [
      ...(p.signedAt && !p.method
        ? [violation(`attendees[${i}].method`, `${text(p.name)}: please sign in the box`)]
        : []),
      ...(p.signedAt && (p.method === 'finger' || p.strokes) && drawingProblem(p.strokes)
        ? [violation(`attendees[${i}].strokes`, `${text(p.name)}: ${drawingProblem(p.strokes)}`)]
        : []),
      ...(p.method === 'on behalf' && p.signedAt && !text(p.byName)
        ? [violation(`attendees[${i}].byName`, `${text(p.name)}: please enter who signs on behalf`)]
        : []),
    ])
    if (values.complete) {
      if (!people.length) wrong.push(violation('attendees', 'Please name the people who heard the talk'))
      people.forEach((p, i) => {
        if (!p.signedAt && !text(p.absence))
          wrong.push(
            violation(
              `attendees[${i}].signedAt`,
              `${text(p.name)} has not signed. Have them sign, or say why they were absent`,
            ),
          )
      })
    }
    if (wrong.length) throw problem.invalid(wrong)
    const signed = { signed: people.filter((p) => p.signedAt).length }
    if (before && changes.talk === undefined) return signed
    const [talk] = await work.tx.rows<{ title: string; state: string }>(
      "SELECT title, state FROM document WHERE id = $1 AND kind = 'toolbox_talk' AND NOT retired",
      [values.talk],
    )
    if (!talk || talk.state === 'draft') throw problem.conflict('Only a talk that is complete can be presented.')
    return { ...signed, title: talk.title }
  },
})

export const presentedTalks = listRoute(
  presentedTalk,
  '/api/safety/toolbox_talks_presented/list',
  'The talks that were presented',
  (c) => ({ query: { retired: 'false', ...c.query } }),
)
