import { problem, type Violation, violation } from '#kernel/errors.ts'
import { cleanAnswer } from '#kernel/forms/clean.ts'
import { fieldsByName } from '#kernel/forms/fields-in.ts'
import { findDataLoss } from '#kernel/forms/losses.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { storedUpload, uploadsIn } from '#kernel/forms/uploads.ts'
import { idByIri } from '#kernel/iri.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { readableIds } from '#server/data/access-sql.ts'
import type { Context } from '#server/engine/types.ts'
import { sanitizeAnswerHtml } from '#server/parse-html.ts'
import { cleanAnswers } from '../forms/answers.server.ts'
import type { DocumentKind } from '../types/kind.ts'
import { uploadsOf } from '../types/upload-fields.ts'

type Content = Readonly<Record<string, unknown>>

/** Engine fields that a form stores as lists; the form validates their contents. */
const LISTS = new Set(['json', 'strings'])

/**
 * Cleans list and row values, in the type's own fields and in additional fields. Throws 422 for anything that would be
 * lost.
 */
export function cleanContent(kind: DocumentKind, schema: FormSchema, values: Content, before?: Content): Content {
  const fields = fieldsByName(schema)
  const declared: Readonly<Record<string, { readonly kind: string }>> = kind.resource.fields
  const wrong: Violation[] = []
  const cleaned = Object.entries(values).flatMap(([name, value]) => {
    const [f, own] = [fields.get(name), kind.kept?.[name]]
    if (value === undefined) return []
    if (own) {
      const lost = own.wrong(value, name)
      wrong.push(...lost)
      return lost.length ? [] : [[name, own.clean(value, sanitizeAnswerHtml)]]
    }
    if (name === kind.picture) {
      const [picture] = uploadsIn([value])
      if (!picture && value !== null && value !== '') wrong.push(violation(name, 'This picture can’t be opened'))
      return [[name, picture ? storedUpload(picture) : null]]
    }
    if (!f || f.kind === 'custom' || !LISTS.has(declared[name]?.kind ?? '')) return []
    wrong.push(...findDataLoss(f, value))
    return [[name, cleanAnswer(f, value, sanitizeAnswerHtml)]]
  })
  const answers = cleanAnswers(kind, schema, values, before)
  wrong.push(...answers.wrong)
  if (wrong.length) throw problem.invalid(wrong)
  return { ...Object.fromEntries(cleaned), ...answers.values }
}

/**
 * URL of a file in a document's content, as the database function `files_named` finds it. Readers of the document may
 * read the file.
 */
const FILE = /^\/(api\/)?(safety\/)?uploaded_documents\/\d{1,18}$/

const filesIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? FILE.test(value)
      ? [value]
      : []
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(filesIn)
      : []

/**
 * Throws 400 if any field contains a file that the author can't access, as a document gives its readers access to its
 * files. Files of provider templates are shared.
 */
export async function assertFilesAccessible(c: Context, kind: DocumentKind, values: Content): Promise<void> {
  const words = Object.entries(values).flatMap(([name, value]) => (kind.rows.includes(name) ? [] : filesIn(value)))
  await assertReadable(c, [...uploadsOf(kind, values).map((upload) => upload['@id']), ...words])
}

/** Throws 400 for inaccessible files in a form outside documents. */
export const assertFormFilesAccessible = (c: Context, schema: FormSchema, values: Content): Promise<void> =>
  assertReadable(c, [...uploadsOf({ schema }, values).map((upload) => upload['@id']), ...filesIn(values)])

async function assertReadable(c: Context, named: readonly string[]): Promise<void> {
  const given = [...new Set(named)]
  if (!given.length) return
  // The database finds only this notation; with any other, the document would be sealed without its file.
  const ids = given.map((iri) => (FILE.test(iri) && idByIri(uploadedDocument, iri)) || 0)
  if (c.work.hasPending(uploadedDocument.table)) await c.work.flush()
  const known = await readableIds(c.work.tx, c.actor, uploadedDocument, ids)
  const lost = given.find((_, i) => !known.has(ids[i] ?? 0))
  if (lost !== undefined) throw problem.unknownTarget(lost)
}
