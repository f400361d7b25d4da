import { problem, type Violation } from '#kernel/errors.ts'
import { clean } from '#kernel/forms/clean.ts'
import { fieldsByName } from '#kernel/forms/fields-in.ts'
import { lossesIn } from '#kernel/forms/losses.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { idByIri } from '#kernel/iri.ts'
import { uploadedDocument } from '#rooms/portal/files/uploaded-document.ts'
import type { Context } from '#server/engine/context.ts'
import { cleanAnswers } from '../forms/answers.server.ts'
import { addressOf, type DocumentKind } from '../kinds/kind.ts'

type Content = Readonly<Record<string, unknown>>

/** Fields of the engine that a form keeps as lists: their contents are the form's to judge. */
const LISTS = new Set(['json', 'strings'])

/**
 * Of the values, those that the revision's form keeps as lists or rows, those of the kind's own inputs and those of additional
 * fields, as they are kept. Throws 422 for what would be lost by that.
 */
export function cleanWords(kind: DocumentKind, schema: FormSchema, values: Content, before?: Content): Content {
  const fields = fieldsByName(schema)
  const declared: Readonly<Record<string, { readonly kind: string }>> = kind.resource.fields
  const wrong: Violation[] = []
  const cleaned = Object.entries(values).flatMap(([name, value]) => {
    const [f, own] = [fields.get(name), kind.kept?.[name]]
    if (value === undefined) return []
    if (own) {
      const lost = own.wrong(value, name)
      wrong.push(...lost)
      return lost.length ? [] : [[name, own.clean(value)]]
    }
    if (!f || f.kind === 'custom' || !LISTS.has(declared[name]?.kind ?? '')) return []
    wrong.push(...lossesIn(f, value))
    return [[name, clean(f, value)]]
  })
  const answers = cleanAnswers(kind, schema, values, before)
  wrong.push(...answers.wrong)
  if (wrong.length) throw problem.invalid(wrong)
  return { ...Object.fromEntries(cleaned), ...answers.values }
}

/** Throws 400 for a file that is not there: documents refer to their client's own files, and to those of the provider's templates. */
export async function assertFiles(c: Context, kind: DocumentKind, values: Content): Promise<void> {
  const fields = fieldsByName(kind.schema)
  const given = Object.entries(values).flatMap(([name, value]) =>
    fields.get(name)?.kind === 'uploads' && Array.isArray(value)
      ? value.map(addressOf)
      : name === kind.picture && addressOf(value)
        ? [addressOf(value)]
        : [],
  )
  if (!given.length) return
  const ids = given.map((iri) => idByIri(uploadedDocument, iri) ?? 0)
  const there = await c.find(uploadedDocument, { id: ids })
  const known = new Set(there.map((file) => file.id))
  const lost = given.find((_, i) => !known.has(ids[i] ?? 0))
  if (lost !== undefined) throw problem.unknownTarget(lost)
}
