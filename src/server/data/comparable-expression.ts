import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/**
 * A field's value in SQL over `t`, for comparing and ordering: its column, its key in a jsonb column, or its expression. A jsonb value of
 * another type than the field's counts as none.
 */
export function comparableExpression(r: Pick<Resource, 'fields' | 'columns'>, name: string): string {
  const f: Field | undefined = r.fields[name]
  if (f?.sql) return f.sql
  return f?.inJson ? jsonExpression(f, `t.${f.inJson}->'${name}'`, `t.${f.inJson}->>'${name}'`) : `t.${r.columns[name]}`
}

function jsonExpression(f: Field, json: string, words: string): string {
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
