import { toRowObjects } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentKind } from '../types/kind.ts'

type Values = Readonly<Record<string, unknown>>

/** A person in a record: the name as entered and, if an employee was chosen, the employee's ID; otherwise 0. */
export interface NamedPerson {
  readonly employee: number
  readonly name: string
}

/** Place of a name in a document: a field or, with `rows`, a field of each row. */
export interface NamePlace {
  readonly rows: string | undefined
  readonly name: string
  /** Field with the ID of the employee. */
  readonly employee: string
}

export const namePlaces = ({ namedEmployees = {} }: Pick<DocumentKind, 'namedEmployees'>): NamePlace[] =>
  Object.entries(namedEmployees).map(([path, employee]) => {
    const [first = '', second] = path.split('.')
    return second === undefined ? { rows: undefined, name: first, employee } : { rows: first, name: second, employee }
  })

export const personIn = (values: Values, { name, employee }: NamePlace): NamedPerson => ({
  employee: Number(values[employee]) || 0,
  name: toText(values[name]),
})

/** Returns the values that have the name: those of the document, or of each row. */
export const holdersOf = (values: Values, { rows }: NamePlace): readonly Values[] =>
  rows === undefined ? [values] : toRowObjects(values[rows])
