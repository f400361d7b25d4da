import type { Fields } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
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
  const words = Object.entries(row)
    .filter(([name]) => fields[name]?.within || kind.rows.includes(name) || name === kind.title.field)
    .map(([name, value]) => {
      const of = fields[name]?.kind === 'rows' ? (fields[name].target as () => Resource)().fields : undefined
      return [name, of && Array.isArray(value) ? value.map((line) => chosenIn(of, line)) : value]
    })
  return { ...Object.fromEntries(words), industry: row.industry }
}

/** Sealed lines stand as they were written, some in years when an empty text was taken for a choice: in new ones that is none. */
const chosenIn = (fields: Fields, line: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(line).filter(
      ([name, value]) => !(fields[name]?.kind === 'choice' && typeof value === 'string' && value.trim() === ''),
    ),
  )

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
