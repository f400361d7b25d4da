import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/**
 * Where a field's value stands in SQL over `t`, to be compared and ordered by: its column, its place within one, or what is worked out. What is
 * within a column is of no type there: whatever it holds, the answer is of the field's own, or nothing.
 */
export function placeOf(r: Pick<Resource, 'fields' | 'columns'>, name: string): string {
  const f: Field | undefined = r.fields[name]
  if (f?.sql) return f.sql
  return f?.inJson ? placeWithin(f, `t.${f.inJson}->'${name}'`, `t.${f.inJson}->>'${name}'`) : `t.${r.columns[name]}`
}

function placeWithin(f: Field, json: string, words: string): string {
  switch (f.kind) {
    case 'flag':
      return `coalesce(${json} = 'true', false)`
    case 'integer':
    case 'decimal':
      return `(CASE jsonb_typeof(${json}) WHEN 'number' THEN (${words})::numeric END)`
    case 'strings':
      return `ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE '[]' END))`
    default:
      return `(${words})`
  }
}
