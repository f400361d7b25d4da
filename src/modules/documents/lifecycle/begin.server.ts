import type { Fields } from '#kernel/fields.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Context, Reader } from '#server/engine/types.ts'
import { wordsInNewForm } from '../forms/draft-form.server.ts'
import { nextDocumentNumber } from '../settings/in-use.server.ts'
import { isOneInClient } from '../types/in-force.ts'
import {
  type DocumentKind,
  type DocumentRow,
  type DocumentValues,
  type DocumentWords,
  ownOnly,
  type ReadList,
} from '../types/kind.ts'
import { flagsOf } from '../types/states.ts'
import { assertMay } from './checks.server.ts'
import { nextRevision } from './numbering.server.ts'
import { chosenAudience } from './transition.server.ts'

/** Locks the revision that a new one follows. Throws if it can't be followed. */
export async function lockFormer(c: Context, kind: DocumentKind, parent: unknown): Promise<DocumentRow | undefined> {
  if (typeof parent !== 'number') return undefined
  const former = await c.lock(kind.resource, parent)
  await assertMay(c, kind, 'revise', former)
  return former
}

/** Initial values of a draft: the next number, or the next revision of the number it follows. */
export async function beginDraft(
  c: Context,
  kind: DocumentKind,
  given: Readonly<Record<string, unknown>>,
  former: DocumentRow | undefined,
) {
  return {
    documentNumber: former?.documentNumber ?? (await nextDocumentNumber(c, kind)),
    ...('parentDocumentNumber' in kind.resource.fields ? { parentDocumentNumber: former?.documentNumber ?? '' } : {}),
    revision: former ? await nextRevision(c, kind, former.documentNumber) : 1,
    createdAt: c.now.toString(),
    approved: false,
    perClient: isOneInClient(kind, given),
    origin: typeof given.origin === 'number' ? given.origin : (former?.origin ?? null),
    improvedTo: former?.improvedTo ?? null,
    ...(await audienceOf(c, kind, given.audience, former)),
    ...flagsOf('draft', false),
  }
}

/** Default values that the request leaves out: default statements (safety specification, section 4). */
export async function leftOut(c: Reader, kind: DocumentKind, given: DocumentValues): Promise<DocumentWords> {
  const said: Readonly<Record<string, unknown>> = given
  const begun = Object.entries(kind.begun ?? {}).filter(([name]) => (said[name] ?? null) === null)
  const list: ReadList = async (of, where) =>
    (await c.find(of, where)).map((row) => ({ '@id': iriOf(of, row.id), ...row }))
  return Object.fromEntries(await Promise.all(begun.map(async ([name, make]) => [name, await make(list)] as const)))
}

/** Audience of a new revision: as chosen, else of the previous revision, else of its type. */
async function audienceOf(
  c: Context,
  kind: DocumentKind,
  given: unknown,
  former: DocumentRow | undefined,
): Promise<DocumentValues> {
  const chosen = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []
  if (chosen.length) return chosenAudience(c, kind, chosen)
  return { audience: former?.audience.length ? former.audience : [...kind.audience] }
}

export function carriedWords(kind: DocumentKind, row: DocumentRow): DocumentWords {
  const fields: Fields = kind.resource.fields
  const own = ownOnly(kind)
  const words = Object.entries(row)
    .filter(
      ([name]) => !own.has(name) && (fields[name]?.inJson || kind.rows.includes(name) || name === kind.title.field),
    )
    .map(([name, value]) => {
      const of = fields[name]?.kind === 'rows' ? fields[name].target?.().fields : undefined
      return [name, of && Array.isArray(value) ? rowsOf(value).map((line) => chosenIn(of, line)) : value]
    })
  return { ...Object.fromEntries(words), industry: row.industry }
}

/** Old sealed rows may hold an empty text as a choice; in new rows it becomes null. */
const chosenIn = (fields: Fields, line: object) =>
  Object.fromEntries(
    Object.entries(line).filter(
      ([name, value]) => !(fields[name]?.kind === 'choice' && typeof value === 'string' && value.trim() === ''),
    ),
  )

/** Starts the next revision as a draft with the same content. */
export async function revise(c: Context, kind: DocumentKind, row: DocumentRow, reason: string | null | undefined) {
  const words = carriedWords(kind, row)
  const values: DocumentWords = {
    ...words,
    ...(await wordsInNewForm(c, kind, row, words)),
    isTemplate: row.isTemplate,
    ...('reviewReason' in kind.resource.fields ? { reviewReason: reason ?? '' } : {}),
    [kind.parent]: row.id,
  }
  return (await c.create(kind.resource, values)).saved()
}
