import { toRowObjects } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import type { Values } from './visible.ts'

/** Object with the structure of a form: steps with groups of fields. */
interface InSteps {
  readonly steps: readonly { readonly groups: readonly { readonly fields: readonly FormField[] }[] }[]
}

/** Returns the fields of a form or its visible part, in order. Fields within rows are not included. */
export const formFieldsIn = ({ steps }: InSteps): readonly FormField[] =>
  steps.flatMap(({ groups }) => groups.flatMap(({ fields }) => fields))

export const formFieldsByName = (schema: FormSchema): ReadonlyMap<string, FormField> =>
  new Map(formFieldsIn(schema).map((f) => [f.name, f]))

/** Returns the name of the value with the employee's ID beside the name in a field of kind `person`. */
export const employeeFieldOf = ({ name, also }: Pick<FormField, 'name' | 'also'>): string =>
  also?.[0] ?? `${name}Employee`

/** Returns the initial values of a form: the record's values, and the defaults for fields that have no value. */
export function initialFormValues(schema: FormSchema, record: Values = {}): Values {
  const fields = formFieldsIn(schema)
  const defaults = fields.flatMap((f) =>
    f.default !== undefined && (record[f.name] ?? null) === null ? [[f.name, f.default] as const] : [],
  )
  return { ...record, ...Object.fromEntries(defaults) }
}

/** Removes placeholder values. A placeholder is text in a template that each document replaces with its own. */
export const removePlaceholders = (schema: FormSchema, values: Values): Values => without(formFieldsIn(schema), values)

function without(fields: readonly FormField[], values: Values): Values {
  const changed = fields.flatMap((f): [string, unknown][] => {
    const value = values[f.name]
    if (f.placeholder !== undefined && value === f.placeholder) return [[f.name, null]]
    const { fields: own = [] } = f
    if (!own.some(({ placeholder }) => placeholder !== undefined)) return []
    const rows = toRowObjects(value)
    const next = rows.map((row) => without(own, row))
    return next.some((row, i) => row !== rows[i]) ? [[f.name, next]] : []
  })
  return changed.length ? { ...values, ...Object.fromEntries(changed) } : values
}
