import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { type AnswerUpload, uploadsInAnswer } from '#kernel/forms/uploads.ts'
import type { DocumentKind } from './kind.ts'

type UploadKind = Pick<DocumentKind, 'schema' | 'picture'>
type Values = Readonly<Record<string, unknown>>

const isUploads = (f: FormField) => f.kind === 'uploads'
const holdsUploads = ({ kind, fields }: FormField) => kind === 'rows' && fields?.some(isUploads) === true

/** Returns a record's files with their labels, in print order. The files of rows are included, row by row. */
export const documentUploads = ({ schema, picture }: UploadKind, record: Values): AnswerUpload[] => [
  ...(picture ? uploadsInAnswer([record[picture]]) : []),
  ...formFieldsIn(schema).flatMap((f) => uploadsUnder(f, record[f.name])),
]

const uploadsUnder = (f: FormField, value: unknown): AnswerUpload[] =>
  isUploads(f)
    ? uploadsInAnswer(value)
    : holdsUploads(f)
      ? toRowObjects(value).flatMap((row) => (f.fields ?? []).flatMap((own) => uploadsUnder(own, row[own.name])))
      : []

export const withoutUploads = ({ schema, picture }: UploadKind, record: Values): Values => ({
  ...record,
  ...(picture ? { [picture]: null } : {}),
  ...Object.fromEntries(
    formFieldsIn(schema).flatMap((f) =>
      isUploads(f)
        ? [[f.name, []]]
        : holdsUploads(f)
          ? [[f.name, toRowObjects(record[f.name]).map((row) => ({ ...row, ...noneIn(f.fields ?? []) }))]]
          : [],
    ),
  ),
})

const noneIn = (fields: readonly FormField[]) => Object.fromEntries(fields.filter(isUploads).map((f) => [f.name, []]))
