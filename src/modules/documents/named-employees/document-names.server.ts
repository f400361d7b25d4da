import type { Context } from '#server/engine/types.ts'
import type { DocumentContent, DocumentKind } from '../types/kind.ts'
import { type NamedPersonChange, settleNamedPeople } from './check.server.ts'
import { holdersOf, type NamePlace, namePlaces, personIn } from './name-places.ts'

type Values = Readonly<Record<string, unknown>>

interface Revision {
  /** All values after the change, including rows. */
  readonly next: Values
  readonly before: Values | undefined
}

const employeesIn = (kind: DocumentKind, values: Values): number[] =>
  namePlaces(kind).flatMap((place) => holdersOf(values, place).map((one) => personIn(one, place).employee))

/** Returns the stored values to which a row belongs: by its ID or, in a list without IDs, by its employee. */
function formerOf(holder: Values, stored: readonly Values[], place: NamePlace): Values | undefined {
  if (place.rows === undefined) return stored[0]
  if (holder.id !== undefined) return stored.find(({ id }) => id === holder.id)
  return stored.find((one) => one[place.employee] === holder[place.employee])
}

/**
 * Returns the names of a revision's employees as they are stored, if they differ from those sent. Throws 422 for
 * employees who can't be chosen. The next revision, and a copy within the company, may name the employees of its source.
 */
export async function settleDocumentNames(
  c: Context,
  kind: DocumentKind,
  { next, before }: Revision,
): Promise<DocumentContent> {
  if (!employeesIn(kind, next).some(Boolean)) return {}
  const sources = before ? [] : [next[kind.parent], next.origin].filter((id) => typeof id === 'number')
  const earlier: Values[] = before ? [before] : []
  for (const id of sources) earlier.push((await c.get(kind.resource, id)) ?? {})
  const continued = new Set(earlier.flatMap((values) => employeesIn(kind, values)))
  const changes = namePlaces(kind).flatMap((place) =>
    holdersOf(next, place).map((holder, i): NamedPersonChange => {
      const former = before && formerOf(holder, holdersOf(before, place), place)
      return {
        path: `${place.rows === undefined ? '' : `${place.rows}[${i}].`}${place.employee}`,
        before: former && personIn(former, place),
        next: personIn(holder, place),
      }
    }),
  )
  const settled = (await settleNamedPeople(c, changes, (id) => continued.has(id))).values()
  const stored: Record<string, unknown> = {}
  for (const place of namePlaces(kind)) {
    const holders = holdersOf({ ...next, ...stored }, place)
    const people = holders.map((holder) => settled.next().value ?? personIn(holder, place))
    const isChanged = people.some((person, i) => {
      const sent = personIn(holders[i] ?? {}, place)
      return person.employee !== sent.employee || person.name !== sent.name
    })
    if (!isChanged) continue
    // A field of the form is empty without an employee. A line of a table has the number 0, as the specification writes.
    const values = people.map(({ employee, name }) => ({
      [place.name]: name,
      [place.employee]: employee || (place.rows === undefined ? null : 0),
    }))
    if (place.rows === undefined) Object.assign(stored, values[0])
    else stored[place.rows] = holders.map((holder, i) => ({ ...holder, ...values[i] }))
  }
  return stored
}

/** Returns the content without the references to employees, for another company. The names remain. */
export function withoutEmployees(kind: DocumentKind, words: Values): Values {
  const cleared: Record<string, unknown> = {}
  for (const place of namePlaces(kind)) {
    if (place.rows === undefined) cleared[place.employee] = null
    else
      cleared[place.rows] = holdersOf({ ...words, ...cleared }, place).map((row) => ({ ...row, [place.employee]: 0 }))
  }
  return cleared
}
