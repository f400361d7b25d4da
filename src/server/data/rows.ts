import { problem, type Violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { auditedValues, diffRecord } from './difference.ts'
import type { RecordInput, RelationReference } from './input.ts'
import { defaultValuesOf, type Row } from './plan.ts'

type Values = Record<string, unknown>

/** Changes to one `rows` field. Values are by field name, relations as IDs. */
export interface RowsFieldChange {
  readonly field: string
  readonly target: Resource
  readonly by: string
  readonly before: readonly Row[]
  readonly added: readonly Values[]
  readonly changed: readonly { readonly before: Row; readonly changes: Values; readonly values: Values }[]
  readonly removed: readonly Row[]
  /** Rows after the save, in order. Rows that already existed have their ID. */
  readonly after: readonly Values[]
  /** Number of added, changed and removed rows. */
  readonly size: number
}

/**
 * Compares the rows in a body with the stored rows. Throws 400 if a row in the body refers to none of the stored rows.
 */
function compareRows(
  field: string,
  f: Field,
  given: readonly (Values & { readonly iri?: string | undefined })[],
  before: readonly Row[],
): RowsFieldChange {
  const target = (f.target as () => Resource)()
  const left = new Map(before.map((row) => [row.id, row]))
  const after = given.map(({ iri, ...row }): Values => {
    if (iri === undefined) return row
    const stored = left.get(Number(idFromIri(target, iri)))
    if (!stored) throw problem.unknownTarget(iri)
    left.delete(stored.id)
    return { ...stored, ...row }
  })
  return diffRows(field, f, before, after)
}

/**
 * Returns the ID of the record that a row refers to. Throws 400 if the actor can't access that record, unless the
 * stored row already refers to it.
 */
function referencedId(
  ref: RelationReference,
  ids: ReadonlyMap<RelationReference, number>,
  before: Row | undefined,
): number {
  const id = ids.get(ref) ?? (before?.[ref.field] === ref.id ? ref.id : undefined)
  if (id === undefined) throw problem.unknownTarget(ref.given)
  return id
}

/** Returns the changes that a body makes to the rows of a record. */
export function rowsFieldChangesIn(
  r: Resource,
  input: RecordInput,
  ids: ReadonlyMap<RelationReference, number>,
  before: Row | undefined,
): RowsFieldChange[] {
  return Object.entries(input.rows)
    .map(([field, rows]) => {
      const f = r.fields[field] as Field
      const target = (f.target as () => Resource)()
      const stored = (before?.[field] as Row[] | undefined) ?? []
      const ours = new Map(stored.map((row) => [row.id, row]))
      return compareRows(
        field,
        f,
        rows.map(({ iri, id, values, references }) => {
          const before = ours.get(iri === undefined ? (id ?? 0) : Number(idFromIri(target, iri)))
          return {
            // Plain JSON has no IRI. A row with an unknown ID is treated as new, because it was copied from another
            // record.
            iri: iri ?? (before && iriOf(target, before.id)),
            ...values,
            ...Object.fromEntries(references.map((ref) => [ref.field, referencedId(ref, ids, before)])),
          }
        }),
        stored,
      )
    })
    .filter((change) => change.size > 0)
}

/**
 * Compares the given rows with the stored rows. Rows with a stored ID are changed, other given rows are added, and
 * stored rows that are not given are removed.
 */
export function diffRows(field: string, f: Field, before: readonly Row[], given: readonly Values[]): RowsFieldChange {
  const target = (f.target as () => Resource)()
  const left = new Map(before.map((row) => [row.id, row]))
  const added: Values[] = []
  const changed: { before: Row; changes: Values; values: Values }[] = []
  const after = given.map((line, i): Values => {
    const placed: Values = { ...line, ...f.only, ...(target.columns.position ? { position: i } : {}) }
    const row = left.get(Number(line.id))
    if (!row) {
      const { id: _, clientId: __, ...values }: Values = { ...defaultValuesOf(target.fields), ...placed }
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

/** Returns the violations in the rows, by path, such as `controls[2].probability`. */
export const rowProblems = (change: RowsFieldChange): Violation[] =>
  change.after.flatMap((values, i) =>
    fieldViolations(withoutLink(change), values).map((v) => ({
      ...v,
      propertyPath: `${change.field}[${i}].${v.propertyPath}`,
    })),
  )

/** Returns the fields of a row without the relation back to the record, which the engine fills in. */
const withoutLink = ({ target, by }: RowsFieldChange) =>
  Object.fromEntries(Object.entries<Field>(target.fields).filter(([name]) => name !== by))

export const toAuditedRowsChange = (c: RowsFieldChange): Values => ({
  ...(c.added.length ? { added: c.added.map((values) => auditedValues(c.target, values)) } : {}),
  ...(c.changed.length
    ? {
        changed: c.changed.map(({ before, changes }) => ({
          id: before.id,
          ...diffRecord(c.target, before, changes, Object.keys(changes)),
        })),
      }
    : {}),
  ...(c.removed.length ? { removed: c.removed.map((r) => r.id) } : {}),
})
