import { formFieldsByName, formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'

/** Returns the paths of the pages to view and change a type's form. */
export const formPaths = ({ screens: { list } }: Pick<DocumentTypeInfo, 'screens'>) => ({
  list: `${list}/form`,
  change: `${list}/form/change`,
  of: (id: number | string) => `${list}/form/version/${id}`,
})

/** Returns the labels that differ from the declared form, by field name. */
export function changedLabels(declared: FormSchema, schema: FormSchema): Readonly<Record<string, string>> {
  const usual = formFieldsByName(declared)
  return Object.fromEntries(
    formFieldsIn(schema).flatMap(({ name, label }) =>
      usual.has(name) && usual.get(name)?.label !== label ? [[name, label] as const] : [],
    ),
  )
}
