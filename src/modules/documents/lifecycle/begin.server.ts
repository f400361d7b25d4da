import type { Fields } from '#kernel/fields.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Context, Reader } from '#server/engine/types.ts'
import { answersInNewForm } from '../forms/draft-form.server.ts'
import { nextDocumentNumber } from '../settings/in-use.server.ts'
import { isOnePerClient } from '../types/in-force.ts'
import {
  type DocumentContent,
  type DocumentKind,
  type DocumentRow,
  type DocumentValues,
  type ReadRecords,
  uncopiedFields,
} from '../types/kind.ts'
import { stateFlags } from '../types/states.ts'
import { assertTransitionAllowed } from './checks.server.ts'
import { nextRevisionNumber } from './numbering.server.ts'
import { validateAudience } from './transition.server.ts'

/** Locks the revision that a new one follows. Throws if it can't be followed. */
export async function lockPreviousRevision(
  c: Context,
  kind: DocumentKind,
  parent: unknown,
): Promise<DocumentRow | undefined> {
  if (typeof parent !== 'number') return undefined
  const former = await c.lock(kind.resource, parent)
  await assertTransitionAllowed(c, kind, 'revise', former)
  return former
}

/** Initial values of a draft: the next number, or the next revision of the number it follows. */
export async function initialDraftValues(
  c: Context,
  kind: DocumentKind,
  given: Readonly<Record<string, unknown>>,
  former: DocumentRow | undefined,
) {
  return {
    documentNumber: former?.documentNumber ?? (await nextDocumentNumber(c, kind)),
    ...('parentDocumentNumber' in kind.resource.fields ? { parentDocumentNumber: former?.documentNumber ?? '' } : {}),
    revision: former ? await nextRevisionNumber(c, kind, former.documentNumber) : 1,
    createdAt: c.now.toString(),
    approved: false,
    perClient: isOnePerClient(kind, given),
    origin: typeof given.origin === 'number' ? given.origin : (former?.origin ?? null),
    improvedTo: former?.improvedTo ?? null,
    ...(await audienceOf(c, kind, given.audience, former)),
    ...stateFlags('draft', false),
  }
}

/** Default values that the request leaves out: default statements (safety specification, section 4). */
export async function defaultWords(c: Reader, kind: DocumentKind, given: DocumentValues): Promise<DocumentContent> {
  const said: Readonly<Record<string, unknown>> = given
  const begun = Object.entries(kind.begun ?? {}).filter(([name]) => (said[name] ?? null) === null)
  const list: ReadRecords = async (of, where) =>
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
  if (chosen.length) return validateAudience(c, kind, chosen)
  return { audience: former?.audience.length ? former.audience : [...kind.audience] }
}

export function contentForNext(kind: DocumentKind, row: DocumentRow): DocumentContent {
  const fields: Fields = kind.resource.fields
  const own = uncopiedFields(kind)
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
export async function startNextRevision(
  c: Context,
  kind: DocumentKind,
  row: DocumentRow,
  reason: string | null | undefined,
) {
  const words = contentForNext(kind, row)
  const values: DocumentContent = {
    ...words,
    ...(await answersInNewForm(c, kind, row, words)),
    isTemplate: row.isTemplate,
    ...('reviewReason' in kind.resource.fields ? { reviewReason: reason ?? '' } : {}),
    [kind.parent]: row.id,
  }
  return (await c.create(kind.resource, values)).saved()
}
