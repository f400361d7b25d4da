import { problem, type Violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { auditedValues, differenceOf } from './difference.ts'
import type { Input, Reference } from './input.ts'
import { defaultsOf, type Row } from './plan.ts'

type Values = Record<string, unknown>

/** The changes of one `rows` field. Values by field name, relations as ids. */
export interface RowsChange {
  readonly field: string
  readonly target: Resource
  readonly by: string
  readonly before: readonly Row[]
  readonly added: readonly Values[]
  readonly changed: readonly { readonly before: Row; readonly changes: Values; readonly values: Values }[]
  readonly removed: readonly Row[]
  /** The rows after the save, in their order; existing ones with their id. */
  readonly after: readonly Values[]
  /** The number of added, changed and removed rows. */
  readonly size: number
}

/** Compares the rows of a body with the stored ones. Throws 400 for a row that is not among them. */
function compareRows(
  field: string,
  f: Field,
  given: readonly (Values & { readonly iri?: string | undefined })[],
  before: readonly Row[],
): RowsChange {
  const target = (f.target as () => Resource)()
  const left = new Map(before.map((row) => [row.id, row]))
  const after = given.map(({ iri, ...row }): Values => {
    if (iri === undefined) return row
    const stored = left.get(Number(idFromIri(target, iri)))
    if (!stored) throw problem.unknownTarget(iri)
    left.delete(stored.id)
    return { ...stored, ...row }
  })
  return changeRows(field, f, before, after)
}

/** The changes that a body makes to the rows of a record. */
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
      const stored = (before?.[field] as Row[] | undefined) ?? []
      const ours = new Set(stored.map((row) => row.id))
      return compareRows(
        field,
        f,
        rows.map(({ iri, id, values, references }) => ({
          // Plain JSON has no IRI; an id that is none of these rows' is a row copied from elsewhere.
          iri: iri ?? (id !== undefined && ours.has(id) ? iriOf(target, id) : undefined),
          ...values,
          ...Object.fromEntries(references.map((ref) => [ref.field, ids.get(ref)])),
        })),
        stored,
      )
    })
    .filter((change) => change.size > 0)
}

/** The change from the stored rows to the given ones: rows with an id are changed, rows without one are new. */
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

/** Violations in the rows, by place: `controls[2].probability`. */
export const rowProblems = (change: RowsChange): Violation[] =>
  change.after.flatMap((values, i) =>
    fieldViolations(withoutLink(change), values).map((v) => ({
      ...v,
      propertyPath: `${change.field}[${i}].${v.propertyPath}`,
    })),
  )

/** The engine fills in the relation back to the record. */
const withoutLink = ({ target, by }: RowsChange) =>
  Object.fromEntries(Object.entries<Field>(target.fields).filter(([name]) => name !== by))

/** The change as the audit stores it. */
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
