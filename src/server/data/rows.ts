import { Problem, problem, type Violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { problems } from '#kernel/validate.ts'
import { auditedValues, differenceOf } from './difference.ts'
import type { Input, Reference } from './input.ts'
import { defaultsOf, type Row } from './plan.ts'

type Values = Record<string, unknown>

/** What a save does to the rows of one `rows` field. Values by field name, relations as ids. */
export interface RowsChange {
  readonly field: string
  readonly target: Resource
  readonly by: string
  readonly before: readonly Row[]
  readonly added: readonly Values[]
  readonly changed: readonly { readonly before: Row; readonly changes: Values; readonly values: Values }[]
  readonly removed: readonly Row[]
  /** The rows as they will be, in their order; those that are there already with their id. */
  readonly after: readonly Values[]
  /** How many rows come, change or go. */
  readonly size: number
}

/** One row of a body: which record it is, and what it says. */
export interface RowInput extends Input {
  readonly iri: string | undefined
}

/** Reads what a body says against the rows that are there. 400 for a row that is not among them. */
function compareRows(
  field: string,
  f: Field,
  given: readonly (Values & { readonly iri?: string | undefined })[],
  before: readonly Row[],
): RowsChange {
  const target = (f.target as () => Resource)()
  const left = new Map(before.map((row) => [row.id, row]))
  const after = given.map(({ iri, ...said }): Values => {
    if (iri === undefined) return said
    const row = left.get(Number(idFromIri(target, iri)))
    if (!row) throw problem.unknownTarget(iri)
    left.delete(row.id)
    return { ...row, ...said }
  })
  return changeRows(field, f, before, after)
}

/** What a body does to the rows of a record: the rows that are there are those that it came with. */
export function rowChanges(
  r: Resource,
  input: Input,
  ids: ReadonlyMap<Reference, number>,
  before: Row | undefined,
): RowsChange[] {
  return Object.entries(input.rows)
    .map(([field, rows]) => {
      const f = r.fields[field] as Field
      const target = (f.target as () => Resource)()
      const held = (before?.[field] as Row[] | undefined) ?? []
      const ours = new Set(held.map((row) => row.id))
      return compareRows(
        field,
        f,
        rows.map(({ iri, id, values, references }) => ({
          // Plain JSON has no IRI; an id that is none of these rows' is a row copied from elsewhere.
          iri: iri ?? (id !== undefined && ours.has(id) ? iriOf(target, id) : undefined),
          ...values,
          ...Object.fromEntries(references.map((ref) => [ref.field, ids.get(ref)])),
        })),
        held,
      )
    })
    .filter((change) => change.size > 0)
}

/** The change from the rows that are there to those that are to be: rows with an id stay, rows without one are new. */
export function changeRows(field: string, f: Field, before: readonly Row[], given: readonly Values[]): RowsChange {
  const target = (f.target as () => Resource)()
  const left = new Map(before.map((row) => [row.id, row]))
  const added: Values[] = []
  const changed: { before: Row; changes: Values; values: Values }[] = []
  const after = given.map((line, i): Values => {
    const placed: Values = { ...line, ...f.only, ...(target.columns.position ? { position: i } : {}) }
    const row = left.get(Number(line.id))
    if (!row) {
      const { id: _, clientId: __, ...values }: Values = { ...defaultsOf(target.fields), ...placed }
      added.push(values)
      return values
    }
    left.delete(row.id)
    const changes = Object.fromEntries(
      Object.entries(placed).filter(([n, v]) => JSON.stringify(row[n] ?? null) !== JSON.stringify(v ?? null)),
    )
    const values = { ...row, ...changes }
    if (Object.keys(changes).length) changed.push({ before: row, changes, values })
    return values
  })
  const removed = [...left.values()]
  const size = added.length + changed.length + removed.length
  return { field, target, by: f.by as string, before, added, changed, removed, after, size }
}

/** What is wrong in the rows, each under its place: `controls[2].probability`. */
export const rowProblems = (change: RowsChange): Violation[] =>
  change.after.flatMap((values, i) =>
    problems(withoutLink(change), values).map((v) => ({
      ...v,
      propertyPath: `${change.field}[${i}].${v.propertyPath}`,
    })),
  )

/** The relation back is the engine's to fill in. */
const withoutLink = ({ target, by }: RowsChange) =>
  Object.fromEntries(Object.entries<Field>(target.fields).filter(([name]) => name !== by))

/** The rows of a body as a list of objects; 400 for anything else, 413 for more than anybody means. */
export function readRows(name: string, value: unknown, read: (row: Values) => Input): RowInput[] {
  if (!Array.isArray(value)) throw problem.wrongType(name, 'array', value)
  if (value.length > MAX_ROWS_PER_RECORD)
    throw new Problem(413, `"${name}" can have at most ${MAX_ROWS_PER_RECORD} rows; this has ${value.length}.`)
  return value.map((row, i) => {
    if (!row || typeof row !== 'object' || Array.isArray(row))
      throw problem.badRequest(`"${name}[${i}]" must be an object with the row's values.`)
    const iri = (row as Values)['@id']
    if (iri !== undefined && iri !== null && typeof iri !== 'string')
      throw problem.wrongType(`${name}[${i}].@id`, 'string', iri)
    return { ...read(row as Values), iri: iri || undefined }
  })
}

/** Rows of a record. */
export const MAX_ROWS_PER_RECORD = 1000

/** The change as the audit keeps it. */
export const auditOf = (c: RowsChange): Values => ({
  ...(c.added.length ? { added: c.added.map((values) => auditedValues(c.target, values)) } : {}),
  ...(c.changed.length
    ? {
        changed: c.changed.map(({ before, changes }) => ({
          id: before.id,
          ...differenceOf(c.target, before, changes, Object.keys(changes)),
        })),
      }
    : {}),
  ...(c.removed.length ? { removed: c.removed.map((r) => r.id) } : {}),
})
