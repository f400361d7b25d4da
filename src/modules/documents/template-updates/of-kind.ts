import type { Field } from '#kernel/fields.ts'
import { fieldsByName, fieldsIn } from '#kernel/forms/fields-in.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { type DocumentKind, ORIGIN_FIELDS } from '../types/kind.ts'
import { firstReferenceFields } from '../types/reference.ts'
import { rowTitle } from '../types/value-text.ts'
import type { TemplateComparison } from './three-way.ts'

/** Fields of a revision or its form rather than its content. */
const BESIDE = ['additional', 'unplaced', 'reviewReason']

/** Row fields about storage and confirmation rather than content. */
const KEPT = new Set(['position', 'retired', 'unconfirmed'])

/**
 * Fields of a type to compare with its template: all content except what a copy must confirm by name (place, date and
 * people), the title, files and references, which are the copy's own.
 */
export function templateComparisonOf(kind: DocumentKind): TemplateComparison {
  const form = fieldsByName(kind.schema)
  const declared: Readonly<Record<string, Field>> = kind.resource.fields
  const own = new Set([
    ...ORIGIN_FIELDS,
    ...BESIDE,
    ...Object.keys({ ...kind.references, ...kind.follows, ...firstReferenceFields(kind.references) }),
    ...(kind.picture ? [kind.picture] : []),
    kind.title.field,
  ])
  const isCompared = (name: string) => {
    const [f, asked] = [declared[name], form.get(name)]
    if (!f || own.has(name) || !(f.inJson || kind.rows.includes(name))) return false
    return f.kind !== 'link' && isWritten(f) && !asked?.confirm && asked?.kind !== 'uploads'
  }
  const names = [...fieldsIn(kind.schema).map((f) => f.name), ...Object.keys(declared)]
  return {
    fields: [...new Set(names)].filter(isCompared),
    called: (field) => kind.called?.[field] ?? { row: rowTitle },
    says: (field, name) => {
      const of = rowFields(kind, field)
      if (!of) return true
      const f = of.fields[name]
      return f !== undefined && isWritten(f) && name !== of.by && !KEPT.has(name)
    },
  }
}

const isWritten = (f: Field) => !f.readonly && f.editable !== 'nobody'

/** Row fields of a field in a table of its own, and the field that refers to the document. */
function rowFields(kind: DocumentKind, field: string) {
  const f: Field | undefined = (kind.resource.fields as Readonly<Record<string, Field>>)[field]
  return f?.kind === 'rows' ? { fields: f.target?.().fields ?? {}, by: f.by } : undefined
}

/** Part of a field for display, without links to other records. */
export function displayedPart(kind: DocumentKind, field: string, value: unknown): unknown {
  const of = rowFields(kind, field)
  if (!of) return value
  return rowsOf(value).map(
    (row): Values =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([name]) => name in of.fields && of.fields[name]?.kind !== 'link' && !KEPT.has(name),
        ),
      ),
  )
}
