import { Problem, problem, type Violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { idFromIri } from '#kernel/resource.ts'
import { problems } from '#kernel/validate.ts'
import type { Input } from './input.ts'
import { defaultsOf, type Row } from './plan.ts'

type Values = Record<string, unknown>

/** What a body does to the rows of one `rows` field. Values by field name, relations as ids. */
export interface RowsChange {
  readonly field: string
  readonly target: Resource
  readonly by: string
  readonly added: readonly Values[]
  readonly changed: readonly { readonly before: Row; readonly changes: Values; readonly values: Values }[]
  readonly removed: readonly Row[]
  /** The rows as they will be, in their order. */
  readonly after: readonly Values[]
}

/** One row of a body: which record it is, and what it says. */
export interface RowInput extends Input {
  readonly iri: string | undefined
}

export const isChange = (c: RowsChange) => c.added.length + c.changed.length + c.removed.length > 0

/** Compares what a body says with the rows that are there. 400 for a row that is not among them. */
export function compareRows(
  field: string,
  f: Field,
  given: readonly (Values & { readonly iri?: string | undefined })[],
  before: readonly Row[],
): RowsChange {
  const target = (f.target as () => Resource)()
  const left = new Map(before.map((row) => [row.id, row]))
  const added: Values[] = []
  const changed: { before: Row; changes: Values; values: Values }[] = []
  const after: Values[] = []
  given.forEach(({ iri, ...said }, i) => {
    const values = { ...said, ...f.only, ...(target.columns.position ? { position: i } : {}) }
    if (iri === undefined) {
      const whole = { ...defaultsOf(target), ...values }
      added.push(whole)
      after.push(whole)
      return
    }
    const row = left.get(Number(idFromIri(target, iri)))
    if (!row) throw problem.unknownTarget(iri)
    left.delete(row.id)
    const changes = Object.fromEntries(
      Object.entries(values).filter(([n, v]) => JSON.stringify(row[n] ?? null) !== JSON.stringify(v ?? null)),
    )
    const whole = { ...row, ...changes }
    if (Object.keys(changes).length) changed.push({ before: row, changes, values: whole })
    after.push(whole)
  })
  return { field, target, by: f.by as string, added, changed, removed: [...left.values()], after }
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
  if (value.length > MOST) throw new Problem(413, `"${name}" can have at most ${MOST} rows; this has ${value.length}.`)
  return value.map((row, i) => {
    if (!row || typeof row !== 'object' || Array.isArray(row))
      throw problem.badRequest(`"${name}[${i}]" must be an object with the row's values.`)
    const iri = (row as Values)['@id']
    if (iri !== undefined && iri !== null && typeof iri !== 'string')
      throw problem.wrongType(`${name}[${i}].@id`, 'string', iri)
    return { ...read(row as Values), iri: iri || undefined }
  })
}

const MOST = 2000

/** The change as the audit keeps it. */
export const auditOf = (c: RowsChange): Values => ({
  ...(c.added.length ? { added: c.added } : {}),
  ...(c.changed.length
    ? {
        changed: c.changed.map(({ before, changes }) => ({
          id: before.id,
          ...Object.fromEntries(Object.entries(changes).map(([n, v]) => [n, [before[n] ?? null, v ?? null]])),
        })),
      }
    : {}),
  ...(c.removed.length ? { removed: c.removed.map((r) => r.id) } : {}),
})
