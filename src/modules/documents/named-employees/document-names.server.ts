import { problem, violation } from '#kernel/errors.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentContent, DocumentKind } from '../types/kind.ts'
import { type NamedPersonChange, settleNamedPeople, UNKNOWN_EMPLOYEE } from './check.server.ts'
import { holdersOf, type NamePlace, namePlaces, personIn } from './name-places.ts'

type Values = Readonly<Record<string, unknown>>

interface Revision {
  /** All values after the change, including rows. */
  readonly next: Values
  readonly before: Values | undefined
}

const employeesIn = (places: readonly NamePlace[], values: Values): number[] =>
  places.flatMap((place) => holdersOf(values, place).map((one) => personIn(one, place).employee))

/** Returns the stored values to which a row belongs: by its ID or, in a list without IDs, by its employee. */
function formerOf(holder: Values, stored: readonly Values[], place: NamePlace): Values | undefined {
  if (place.rows === undefined) return stored[0]
  if (holder.id !== undefined) return stored.find(({ id }) => id === holder.id)
  return stored.find((one) => one[place.employee] === holder[place.employee])
}

const pathOf = ({ rows, employee }: NamePlace, i: number) =>
  rows === undefined ? employee : `${rows}[${i}].${employee}`

/** Throws 422 if a value beside a name can't be the ID of an employee. */
function assertEmployeeIds(places: readonly NamePlace[], values: Values): void {
  const wrong = places.flatMap((place) =>
    holdersOf(values, place).flatMap((holder, i) => {
      const id = holder[place.employee] ?? 0
      return Number.isSafeInteger(id) && Number(id) >= 0 ? [] : [violation(pathOf(place, i), UNKNOWN_EMPLOYEE)]
    }),
  )
  if (wrong.length) throw problem.invalid(wrong)
}

/**
 * Returns the names of a record's employees as they are stored, if they differ from those sent. Throws 422 for employees
 * who can't be chosen. `isContinued` is as for `settleNamedPeople`.
 */
export async function settleNames(
  c: Context,
  places: readonly NamePlace[],
  { next, before }: Revision,
  isContinued?: (id: number) => boolean,
): Promise<Values> {
  assertEmployeeIds(places, next)
  if (!employeesIn(places, next).some(Boolean)) return {}
  const changes = places.flatMap((place) =>
    holdersOf(next, place).map((holder, i): NamedPersonChange => {
      const former = before && formerOf(holder, holdersOf(before, place), place)
      return {
        path: pathOf(place, i),
        before: former && personIn(former, place),
        next: personIn(holder, place),
      }
    }),
  )
  const settled = (await settleNamedPeople(c, changes, isContinued)).values()
  const stored: Record<string, unknown> = {}
  for (const place of places) {
    const holders = holdersOf({ ...next, ...stored }, place)
    const people = holders.map((holder) => settled.next().value ?? personIn(holder, place))
    const isChanged = people.map((person, i) => {
      const sent = personIn(holders[i] ?? {}, place)
      return person.employee !== sent.employee || person.name !== sent.name
    })
    if (!isChanged.includes(true)) continue
    // A field of the form is empty without an employee. A line of a table has the number 0, as the specification writes.
    const values = people.map(({ employee, name }) => ({
      [place.name]: name,
      [place.employee]: employee || (place.rows === undefined ? null : 0),
    }))
    if (place.rows === undefined) Object.assign(stored, values[0])
    else stored[place.rows] = holders.map((holder, i) => (isChanged[i] ? { ...holder, ...values[i] } : holder))
  }
  return stored
}

/** Returns the IDs of the employees in the earlier revision, or in the source of a new document. */
async function continuedEmployees(c: Context, kind: DocumentKind, next: Values): Promise<ReadonlySet<number>> {
  const ids = [next[kind.parent], next.origin].filter((id) => typeof id === 'number')
  const found: number[] = []
  for (const id of ids) found.push(...employeesIn(namePlaces(kind), (await c.get(kind.resource, id)) ?? {}))
  for (const [name, source] of Object.entries(kind.sources?.() ?? {})) {
    const id = idFromAnyIri(next[name]) ?? next[name]
    const record = typeof id === 'number' ? await c.get(source.resource, id) : undefined
    if (record) found.push(...employeesIn(namePlaces(source), record))
  }
  return new Set(found)
}

/**
 * Returns the names of a revision's employees as they are stored, if they differ from those sent. The next revision, a
 * copy within the company, and a document started from another may name the employees of their source.
 */
export async function settleDocumentNames(
  c: Context,
  kind: DocumentKind,
  revision: Revision,
): Promise<DocumentContent> {
  const places = namePlaces(kind)
  const { next, before } = revision
  const isNamed = employeesIn(places, next).some(Boolean)
  const continued =
    before || !isNamed ? new Set(employeesIn(places, before ?? {})) : await continuedEmployees(c, kind, next)
  return settleNames(c, places, revision, (id) => continued.has(id))
}

/** Returns the content without the references to employees, for another company. The names remain. */
export function withoutEmployees(kind: DocumentKind, words: Values): Values {
  const cleared: Record<string, unknown> = {}
  for (const place of namePlaces(kind)) {
    if (place.rows === undefined) cleared[place.employee] = null
    else
      cleared[place.rows] = holdersOf({ ...words, ...cleared }, place).map((row) =>
        place.employee in row ? { ...row, [place.employee]: 0 } : row,
      )
  }
  return cleared
}
