import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { type Upload, uploadsIn } from '#kernel/forms/uploads.ts'
import type { DocumentKind } from './kind.ts'

type Kind = Pick<DocumentKind, 'schema' | 'picture'>
type Values = Readonly<Record<string, unknown>>

/** The names of the fields of a kind that hold uploaded files, in the order in which they are printed. */
export const uploadFieldsOf = ({ schema, picture }: Kind): string[] => [
  ...(picture ? [picture] : []),
  ...fieldsIn(schema).flatMap((f) => (f.kind === 'uploads' ? [f.name] : [])),
]

/** The files that a record names in these fields, as it calls them. */
export const uploadsOf = (kind: Kind, record: Values): Upload[] =>
  uploadFieldsOf(kind).flatMap((name) => uploadsIn(Array.isArray(record[name]) ? record[name] : [record[name]]))
