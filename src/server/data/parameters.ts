import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { isFilterableField, isPartialMatchFilter, isSearchable } from './filters.ts'
import { DATE_FILTER_SUFFIXES } from './values.ts'

const NUMBERS = new Set<Field['kind']>(['integer', 'decimal', 'unixSeconds'])
const rangesOf = ({ kind }: Field) => (NUMBERS.has(kind) ? ['gt', 'gte', 'lt', 'lte', 'between'] : [])

/** Returns the query parameters of a list, for `hydra:search` and OpenAPI. */
export function listQueryParameters(r: Resource): { variable: string; property: string }[] {
  const out: { variable: string; property: string }[] = [
    { variable: 'id', property: 'id' },
    { variable: 'id[]', property: 'id' },
    { variable: 'order[id]', property: 'id' },
  ]
  const add = (property: string, ...variables: string[]) =>
    out.push(...variables.map((variable) => ({ variable, property })))
  for (const [name, f] of Object.entries<Field>(r.fields)) {
    if (!isFilterableField(f)) continue
    const target = f.kind === 'link' ? (f.target as () => Resource)() : undefined
    const inner = Object.entries<Field>(target?.fields ?? {}).filter(([, t]) => isFilterableField(t))
    if (f.order) {
      add(name, `order[${name}]`)
      for (const [k] of inner.filter(([, t]) => t.order)) add(`${name}.${k}`, `order[${name}.${k}]`)
    }
    for (const k of Object.keys(f.nested ?? {})) add(`${name}.${k}`, `${name}.${k}`, `${name}.${k}[]`)
    if (!f.filter) continue
    if (f.kind === 'rows') {
      for (const [k, row] of Object.entries((f.target as () => Resource)().fields).filter(
        ([, t]) => isFilterableField(t) && t.filter,
      ))
        add(`${name}.${k}`, `${name}.${k}`, ...rangesOf(row).map((op) => `${name}.${k}[${op}]`))
      continue
    }
    add(name, name)
    if (target) add(`${name}.id`, `${name}.id`)
    // Leaves out nested `rows` fields, because rows are filtered in their own list.
    for (const [k] of inner.filter(([k, t]) => t.filter && t.kind !== 'rows' && !f.nested?.[k]))
      add(`${name}.${k}`, `${name}.${k}`)
    if (f.kind !== 'flag') add(name, `${name}[]`)
    if (isPartialMatchFilter(f)) add(name, `${name}[exact]`)
    add(name, ...rangesOf(f).map((op) => `${name}[${op}]`))
    if (f.kind === 'date' || f.kind === 'instant' || f.kind === 'unixSeconds')
      add(name, ...[...DATE_FILTER_SUFFIXES].map((op) => `${name}[${op}]`))
    add(name, `exists[${name}]`)
  }
  if (isSearchable(r)) add('', 'q')
  return out
}
