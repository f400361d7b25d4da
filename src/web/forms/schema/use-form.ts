import type { FormCompletion } from '#kernel/forms/completion.ts'
import type { ValueLookup } from '#kernel/forms/conditions.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { visibleFieldsInRow } from '#kernel/forms/visible.ts'
import { type ValuePath, valueAt } from '../store/path.ts'
import { useDerivedValue } from '../store/use-value-store.ts'
import type { FormStore } from './store.ts'

/** Returns how complete the form is. The “Add” button is enabled at 100 percent. */
export function useFormCompletion(store: FormStore): FormCompletion {
  useDerivedValue(store, () => JSON.stringify(store.derived().completion))
  return store.derived().completion
}

export function useVisibleRowFields(
  store: FormStore,
  fields: readonly FormField[],
  row: ValuePath,
): readonly FormField[] {
  const names = useDerivedValue(store, () => {
    const here = valueAt(store.values(), row)
    const seen = visibleFieldsInRow(fields, toRowObjects([here])[0] ?? {}, aroundOf(store, row))
    return seen.fields.map((f) => f.name).join(' ')
  }).split(' ')
  return fields.filter((f) => names.includes(f.name))
}

/**
 * Returns a lookup for the values that a row's conditions may depend on: values in the surrounding rows and in the
 * form.
 */
function aroundOf(store: FormStore, row: ValuePath): ValueLookup {
  let fields: readonly FormField[] = formFieldsIn(store.schema)
  let around = store.derived().visible.value
  for (let depth = 1; depth + 2 < row.length; depth += 2) {
    fields = fields.find((f) => f.name === row[depth - 1])?.fields ?? []
    around = visibleFieldsInRow(
      fields,
      toRowObjects([valueAt(store.values(), row.slice(0, depth + 1))])[0] ?? {},
      around,
    ).value
  }
  return around
}
