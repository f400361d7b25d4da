import type { Fields } from '#kernel/fields.ts'
import { nextNumber } from '#server/data/sequences.ts'
import type { Context } from '#server/engine/context.ts'
import type { DocumentKind, DocumentRow, DocumentWords } from '../kinds/kind.ts'
import { flagsOf } from '../kinds/states.ts'
import { assertMay } from './checks.server.ts'
import { nextRevision } from './numbering.server.ts'

/** What a new revision begins with: a draft, with the next number, or the next revision of the number that it follows. */
export async function beginDraft(c: Context, kind: DocumentKind, parent: unknown) {
  const former = typeof parent === 'number' ? await c.lock(kind.resource, parent) : undefined
  if (former) await assertMay(c, kind, 'revise', former)
  return {
    documentNumber: former?.documentNumber ?? (await nextNumber(c, kind.numbers)).text,
    revision: former ? await nextRevision(c, kind, former.documentNumber) : 1,
    createdAt: c.now.toString(),
    approved: false,
    ...flagsOf('draft', false),
  }
}

/** What a document says, for the next one that begins with the same words. */
export function carriedWords(kind: DocumentKind, row: DocumentRow): DocumentWords {
  const fields: Fields = kind.resource.fields
  const words = Object.entries(row).filter(
    ([name]) => fields[name]?.within || kind.rows.includes(name) || name === kind.title.field,
  )
  return { ...Object.fromEntries(words), industry: row.industry }
}

/** Begins the next revision, as a draft that says what this one says. */
export async function revise(c: Context, kind: DocumentKind, row: DocumentRow, reason: string | null | undefined) {
  const values: DocumentWords = {
    ...carriedWords(kind, row),
    isTemplate: row.isTemplate,
    ...('reviewReason' in kind.resource.fields ? { reviewReason: reason ?? '' } : {}),
    [kind.parent]: row.id,
  }
  return (await c.create(kind.resource, values)).saved()
}
