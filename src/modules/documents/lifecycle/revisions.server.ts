import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { hydraCollection, listRoute } from '#server/http/list-route.ts'
import { idsChangedByUsers } from '#server/seed/fill.ts'
import { convertAnswersToNewForm } from '../forms/routes.server.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { allocateDocumentNumber } from '../settings/settings.server.ts'
import { document } from '../types/document.ts'
import { allowsOneInForcePerClient, needsApproval } from '../types/in-force.ts'
import type { DocumentKind, DocumentRow } from '../types/kind.ts'
import {
  type DocumentContent,
  type DocumentValues,
  documentRecordTitle,
  type RecordsReader,
  uncopiedFieldNames,
} from '../types/kind.ts'
import { stateFlags } from '../types/transitions.ts'
import { assertTransitionAllowed, nextRevisionNumber, validateAudience } from './transition.server.ts'

/** Locks the revision that a new revision follows. Throws if no revision can follow it. */
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

/**
 * Returns the initial values of a draft. The draft gets either a new document number, or the next revision of the
 * document number that it continues.
 */
export async function initialDraftValues(
  c: Context,
  kind: DocumentKind,
  given: Readonly<Record<string, unknown>>,
  former: DocumentRow | undefined,
) {
  return {
    documentNumber: former?.documentNumber ?? (await allocateDocumentNumber(c, kind)),
    ...('parentDocumentNumber' in kind.resource.fields ? { parentDocumentNumber: former?.documentNumber ?? '' } : {}),
    revision: former ? await nextRevisionNumber(c, kind, former.documentNumber) : 1,
    createdAt: c.now.toString(),
    approved: false,
    perClient: allowsOneInForcePerClient(kind, given),
    pack: kind.pack,
    readerGroup: kind.readerGroup ?? '',
    origin: typeof given.origin === 'number' ? given.origin : (former?.origin ?? null),
    improvedTo: former?.improvedTo ?? null,
    ...(await audienceOf(c, kind, given.audience, former)),
    ...stateFlags('draft', false),
  }
}

/**
 * Returns default values, such as the default statements, for fields that the request omits (safety specification,
 * section 4).
 */
export async function defaultContentFor(
  c: RecordReader,
  kind: DocumentKind,
  given: DocumentValues,
): Promise<DocumentContent> {
  const said: Readonly<Record<string, unknown>> = given
  const begun = Object.entries(kind.begun ?? {}).filter(([name]) => (said[name] ?? null) === null)
  const list: RecordsReader = async (of, where) =>
    (await c.find(of, where)).map((row) => ({ '@id': iriOf(of, row.id), ...row }))
  return Object.fromEntries(await Promise.all(begun.map(async ([name, make]) => [name, await make(list)] as const)))
}

/** Returns the audience of a new revision: the chosen one, otherwise the previous revision's, otherwise the type's. */
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

function contentForNext(kind: DocumentKind, row: DocumentRow): DocumentContent {
  const fields: Fields = kind.resource.fields
  const own = uncopiedFieldNames(kind)
  const words = Object.entries(row)
    .filter(
      ([name]) => !own.has(name) && (fields[name]?.inJson || kind.rows.includes(name) || name === kind.title.field),
    )
    .map(([name, value]) => {
      const of = fields[name]?.kind === 'rows' ? fields[name].target?.().fields : undefined
      return [name, of && Array.isArray(value) ? toRowObjects(value).map((line) => chosenIn(of, line)) : value]
    })
  return { ...Object.fromEntries(words), industry: row.industry }
}

/** Returns a row's choices. Old sealed rows may contain an empty string as a choice, which becomes null in new rows. */
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
    ...(await convertAnswersToNewForm(c, kind, row, words)),
    isTemplate: row.isTemplate,
    ...('reviewReason' in kind.resource.fields ? { reviewReason: reason ?? '' } : {}),
    [kind.parent]: row.id,
  }
  // The content is that of the record, so that fields which an impersonator may not enter are continued as well.
  return (await c.withoutPermissionCheck('continue a document').create(kind.resource, values)).saved()
}

/**
 * Adds system templates as sealed revisions in force. A template that exists already gets a next revision if its
 * content differs, unless a user has revised, changed, withdrawn or deleted it.
 */
export async function addSystemTemplates(
  c: Context,
  kind: DocumentKind,
  templates: readonly DocumentContent[],
): Promise<void> {
  const revisions = (await c.find(document, { kind: kind.kind })).filter((d) => d.clientId === PROVIDER_CLIENT_ID)
  const changedByUsers = await idsChangedByUsers(c, kind.resource)
  for (const words of templates) {
    const title = documentRecordTitle(kind, words)
    const template: DocumentContent = { ...words, isTemplate: true, complete: true, approved: needsApproval(kind) }
    const one = revisions.find((d) => d.title === title)
    if (!one) {
      await c.create(kind.resource, template)
      continue
    }
    const last = revisions
      .filter(({ documentNumber }) => documentNumber === one.documentNumber)
      .reduce((newest, d) => (d.revision > newest.revision ? d : newest))
    if (!last.current || last.retired || last.title !== title || changedByUsers.has(last.id)) continue
    const stored = await c.get(kind.resource, last.id)
    if (stored && !containsContent(stored, words))
      await (await c.create(kind.resource, { ...template, [kind.parent]: last.id })).saved()
  }
}

/**
 * Returns whether stored content has all given values. Fields that are not given are ignored, and so are the positions
 * of rows, which their order states.
 */
function containsContent(stored: unknown, given: unknown): boolean {
  if (Array.isArray(given))
    return (
      Array.isArray(stored) && stored.length === given.length && given.every((v, i) => containsContent(stored[i], v))
    )
  if (given === null || typeof given !== 'object') return (stored ?? null) === (given ?? null)
  if (stored === null || typeof stored !== 'object') return false
  const fields: Readonly<Record<string, unknown>> = { ...stored }
  return Object.entries(given).every(([name, value]) => name === 'position' || containsContent(fields[name], value))
}

/**
 * Returns the content of a system template, for a document that copies the template. Throws if no template has the
 * title.
 */
export async function systemTemplateContent(c: Context, kind: DocumentKind, title: string): Promise<DocumentContent> {
  const found = (await c.find(document, { kind: kind.kind, title, current: true })).find(
    (d) => d.clientId === PROVIDER_CLIENT_ID,
  )
  const template = found && (await c.get(kind.resource, found.id))
  if (!template) throw new Error(`There is no template "${title}"`)
  return { ...contentForNext(kind, template), origin: template.id }
}

/** SQL join of references `r` to replaced revisions `d` whose number has a later revision `n` in force. */
const OUTDATED = `document_reference r
  JOIN document d ON d.client_id = r.target_client_id AND d.id = r.target_id AND NOT d.current
  JOIN document n ON n.client_id = d.client_id AND n.kind = d.kind AND n.number = d.number AND n.current AND n.revision > d.revision`

const refersToReplaced: QueryCondition = {
  sql: () =>
    `(t.current OR t.state = 'draft' AND NOT t.retired) AND EXISTS (SELECT FROM ${OUTDATED} WHERE r.client_id = t.client_id AND r.document_id = t.id)`,
}

/** Returns the newer revisions of the documents to which a document refers, as far as the actor may read them. */
async function newerOf(db: SqlConn, actor: Actor, clientId: number, id: number): Promise<Newer[]> {
  const found = await db.rows<Newer>(
    `SELECT r.id AS reference, d.number AS "documentNumber", d.revision AS "from", n.revision AS "to", n.id AS newer
     FROM ${OUTDATED} WHERE r.client_id = $1 AND r.document_id = $2 ORDER BY r.position`,
    [clientId, id],
  )
  const ids = found.map(({ newer }) => newer)
  const readable = await filterReadableIds(db, actor, document, ids)
  return found.filter(({ newer }) => readable.has(newer))
}

interface Newer {
  readonly reference: number
  readonly documentNumber: string
  readonly from: number
  readonly to: number
  readonly newer: number
}

/**
 * Creates the routes that list a user's documents that refer to replaced revisions, list the newer revisions, and
 * switch the references to them.
 */
export const outdatedReferenceRoutes = (kinds: readonly DocumentKind[]): Route[] => [
  listRoute(
    document,
    `${document.url}/refers_to_replaced`,
    'List the user’s documents that refer to replaced revisions',
    ({ me, query }) => ({
      query: { ...query, author: me.username },
      extra: [{ sql: (next) => `t.client_id = ${next(me.clientId)}::int` }, refersToReplaced],
    }),
    { allow: DOCUMENT_AUTHOR_ROLES },
  ),
  {
    method: 'GET',
    path: `${document.url}/{id}/newer`,
    title: 'List the replaced revisions that a document refers to, with their replacements',
    allow: DOCUMENT_AUTHOR_ROLES,
    listOf: 'objects',
    handle: async (c) => {
      const { id } = await c.engine.one(document, c.actor, parseId(c.params.id) ?? -1)
      const found = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) => newerOf(tx, c.me, c.me.clientId, id))
      return hydraCollection(
        found.map(({ newer, documentNumber, from, to }) => ({
          '@id': iriOf(document, newer),
          documentNumber,
          from,
          to,
        })),
      )
    },
  },
  {
    method: 'POST',
    path: `${document.url}/{id}/take_newer`,
    title: 'Update a document’s references to the newer revisions, in the draft itself or in the next revision',
    allow: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: true,
    handle: async (c) => {
      const { id, kind: name } = await c.engine.one(document, c.actor, parseId(c.params.id) ?? -1)
      const kind = kinds.find((k) => k.kind === name)
      if (!kind) throw problem.notFound()
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const draft = await takeNewer(unit, kind, await unit.lock(kind.resource, id))
        return () => c.engine.one(kind.resource, c.actor, draft)
      })
    },
  },
]

/**
 * Replaces a document's outdated references with references to the newer revisions, in its open draft or in a new one.
 * Returns the draft's ID. Throws 409 if no reference has a newer revision that the actor can read.
 */
async function takeNewer(c: Context, kind: DocumentKind, row: DocumentRow): Promise<number> {
  if (!(await newerOf(c.work.tx, c.actor, c.clientId, row.id)).length)
    throw problem.conflict('None of this document’s references has a newer revision that you can read.')
  const draft = row.state === 'draft' ? row : await draftAfter(c, kind, row)
  await c.work.flush()
  const found = await newerOf(c.work.tx, c.actor, c.clientId, draft.id)
  const newer = new Map<unknown, number>(found.map((n) => [n.reference, n.newer]))
  const whole: Readonly<Record<string, unknown>> = (await c.get(kind.resource, draft.id)) ?? {}
  const changes = Object.keys(kind.references ?? {}).map((field) => {
    return [
      field,
      toRowObjects(whole[field]).map((one) => (newer.has(one.id) ? { ...one, target: newer.get(one.id) } : one)),
    ] as const
  })
  if (newer.size) await c.change(kind.resource, draft.id, Object.fromEntries(changes))
  return draft.id
}

/** Returns the document number's open draft, or starts one. */
async function draftAfter(c: Context, kind: DocumentKind, row: DocumentRow): Promise<DocumentRow> {
  const { documentNumber } = row
  const [open] = await c.lockAll(kind.resource, { documentNumber, state: 'draft', retired: false })
  return open ?? (await startNextRevision(c, kind, row, 'Refers to a replaced document'))
}
