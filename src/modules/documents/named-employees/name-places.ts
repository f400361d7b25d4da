import { rowFieldsOf } from '#kernel/forms/contacts.ts'
import { employeeFieldOf, formFieldsIn } from '#kernel/forms/fields-in.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentKind } from '../types/kind.ts'

type Values = Readonly<Record<string, unknown>>

/** A person in a record: the name as entered and, if an employee was chosen, the employee's ID; otherwise 0. */
export interface NamedPerson {
  readonly employee: number
  readonly name: string
}

/** Place of a name in a record: a field or, with `rows`, a field of each row. */
export interface NamePlace {
  readonly rows: string | undefined
  readonly name: string
  /** Field with the ID of the employee. */
  readonly employee: string
}

/** Returns the places of names in a form: its fields of kind `person`, also in rows and emergency contacts. */
export const namePlacesInForm = (schema: FormSchema): NamePlace[] =>
  formFieldsIn(schema).flatMap((field) =>
    [{ rows: undefined, field }, ...rowFieldsOf(field).map((own) => ({ rows: field.name, field: own }))].flatMap(
      (one): NamePlace[] =>
        one.field.kind === 'person'
          ? [{ rows: one.rows, name: one.field.name, employee: employeeFieldOf(one.field) }]
          : [],
    ),
  )

/** Returns the places of names in a document: those in its form, and those in rows with a table of their own. */
export const namePlaces = ({
  schema,
  namedEmployees = {},
}: Pick<DocumentKind, 'schema' | 'namedEmployees'>): NamePlace[] => [
  ...namePlacesInForm(schema),
  ...Object.entries(namedEmployees).map(([path, employee]) => {
    const [rows, name = ''] = path.split('.')
    return { rows, name, employee }
  }),
]

export const personIn = (values: Values, { name, employee }: NamePlace): NamedPerson => ({
  employee: Number(values[employee]) || 0,
  name: toText(values[name]),
})

/** Returns the values that have the name: those of the record, or of each row. */
export const holdersOf = (values: Values, { rows }: NamePlace): readonly Values[] =>
  rows === undefined ? [values] : toRowObjects(values[rows])
