import { fieldsIn } from './fields-in.ts'
import { rowsOf } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** Removes placeholder values: text in a template that each document replaces with its own. */
export const withoutPlaceholders = (schema: FormSchema, values: Values): Values => without(fieldsIn(schema), values)

function without(fields: readonly FormField[], values: Values): Values {
  const changed = fields.flatMap((f): [string, unknown][] => {
    const value = values[f.name]
    if (f.placeholder !== undefined && value === f.placeholder) return [[f.name, null]]
    const { fields: own = [] } = f
    if (!own.some(({ placeholder }) => placeholder !== undefined)) return []
    const rows = rowsOf(value)
    const next = rows.map((row) => without(own, row))
    return next.some((row, i) => row !== rows[i]) ? [[f.name, next]] : []
  })
  return changed.length ? { ...values, ...Object.fromEntries(changed) } : values
}
