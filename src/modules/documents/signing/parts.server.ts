import { canSeeField } from '#kernel/can.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { type Actor, createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import { prepareSql } from '#server/data/values.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { loadRecordForm } from '../forms/routes.server.ts'
import { ANY_DOCUMENT_READER_ROLES, referencedDocument } from '../rights.ts'
import { document, type OpenedPart } from '../types/document.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { documentReference } from '../types/reference.ts'
import type { DocumentPart } from './hand-words.ts'

type Document = RowOf<typeof document>
type UploadedFile = RowOf<typeof uploadedDocument>

interface Part extends Omit<DocumentPart, '@id' | 'signedAt'> {
  readonly iri: string
  readonly id: number
}

/** Where parts are loaded: in a request's transaction, or from the database as last committed. */
interface PartsReader {
  readonly reader: RecordReader
  readonly conn: SqlConn
  readonly actor: Actor
}

/** Returns a document as a part. */
export const partOf = (
  { id, kind, documentNumber, revision, title, state, retired }: Document,
  isReadable: boolean,
): Part => ({
  iri: iriOf(document, id),
  id,
  kind,
  name: `${documentNumber} revision ${revision}`,
  title: isReadable ? (title ?? '') : '',
  type: null,
  replaced: state === 'replaced',
  readable: isReadable && !retired,
})

/** Loads the documents and files to which a document refers, and those to which they refer, in the order of a pack. */
export async function loadParts({ reader, conn, actor }: PartsReader, id: number): Promise<Part[]> {
  const seen = new Set([id])
  const documents: Document[] = []
  const files = new Map<number, UploadedFile>()
  for (let level = [id]; level.length; ) {
    const rows = (await reader.find(documentReference, { document: level })).toSorted(
      (a, b) => level.indexOf(a.document) - level.indexOf(b.document) || a.position - b.position,
    )
    const targets = rows.flatMap(({ target }) => target ?? []).filter((one) => !seen.has(one))
    const [found, uploads] = [
      new Map((targets.length ? await reader.find(document, { id: targets }) : []).map((one) => [one.id, one])),
      rows.flatMap(({ file }) => file ?? []).filter((one) => !files.has(one)),
    ]
    for (const file of uploads.length ? await reader.find(uploadedDocument, { id: uploads }) : [])
      files.set(file.id, file)
    level = []
    for (const target of targets) {
      const part = found.get(target)
      if (!part || seen.has(target)) continue
      seen.add(target)
      documents.push(part)
      level.push(target)
    }
  }
  const [readable, readableFiles] = [
    await filterReadableIds(
      conn,
      actor,
      referencedDocument,
      documents.map((one) => one.id),
    ),
    await filterReadableIds(conn, actor, uploadedDocument, [...files.keys()]),
  ]
  return [
    ...documents.map((part) => partOf(part, readable.has(part.id))),
    ...[...files.values()].map(({ id: file, name, label, type, retired }) => ({
      iri: iriOf(uploadedDocument, file),
      id: file,
      kind: null,
      name,
      title: readableFiles.has(file) ? label : '',
      type,
      replaced: false,
      readable: readableFiles.has(file) && !retired,
    })),
  ]
}

const HAS_PARTS = prepareSql(
  'SELECT 1 FROM document_reference WHERE client_id = $1::int AND document_id = $2::bigint LIMIT 1',
)

/**
 * Loads the parts of a document that is about to be signed. They are loaded before the document is locked, because they
 * never change. A document without parts needs no round trip of its own.
 */
export async function loadPartsToSign(c: Context, id = 0, actor = c.actor): Promise<readonly Part[]> {
  const [has] = await c.work.tx.arrays(HAS_PARTS, [c.clientId, id])
  return has ? loadParts({ reader: c, conn: c.work.tx, actor }, id) : []
}

const MAX_SECONDS = 86_400

/**
 * Caps the reading times that a device reported at the time since an instant. Entries without a valid time are returned
 * unchanged. `since`: null if the instant is unknown.
 */
export function limitReadingTimes(
  opened: readonly OpenedPart[],
  since: string | null,
  { now }: Pick<Context, 'now'>,
): readonly OpenedPart[] {
  if (since === null || !Array.isArray(opened)) return opened
  const most = Math.ceil(Temporal.Instant.from(since).until(now).total('seconds'))
  return opened.map((one) => (isPlainObject(one) && Number(one.seconds) > most ? { ...one, seconds: most } : one))
}

/**
 * Checks the parts that were opened before signing the document, and returns them with their names. A reading time is at
 * most the time since the document's content was completed. Throws 422 if a part that the user may read was not opened to
 * its end. A part that was opened for the user's earlier signature need not be opened again.
 */
export async function readOpenedParts(
  c: Context,
  { completedAt }: Pick<Document, 'completedAt'>,
  parts: readonly Part[],
  given: unknown,
  before: 'sign' | 'accept' = 'sign',
): Promise<readonly OpenedPart[]> {
  const wrong = (message: string) => problem.invalid([violation('opened', message)])
  const sent = new Map(
    (Array.isArray(given) ? given : []).flatMap((one) =>
      isPlainObject(one) && typeof one.part === 'string' ? [[one.part, one.seconds] as const] : [],
    ),
  )
  if (!Array.isArray(given) || sent.size !== given.length)
    throw wrong('The opened documents must be a list of parts, each once, with seconds')
  const known = new Map(parts.map((part) => [part.iri, part]))
  for (const [part, seconds] of sent) {
    if (!known.get(part)?.readable) throw wrong(`“${part}” is not part of this document`)
    if (!Number.isInteger(seconds) || Number(seconds) < 0 || Number(seconds) > MAX_SECONDS)
      throw wrong(`The time must be a whole number of seconds, from 0 to ${MAX_SECONDS}`)
  }
  const unread = parts.filter((part) => part.readable && !sent.has(part.iri))
  const signed = unread.length ? await findSignedParts(c.work.tx, c, unread) : new Map<string, string>()
  const missing = unread.filter((part) => !signed.has(part.iri))
  if (missing.length) throw wrong(`Please open ${namesOf(missing)} and read to the end before you ${before}`)
  const opened = parts.flatMap(({ iri, name }) =>
    sent.has(iri) ? [{ part: iri, name, seconds: Number(sent.get(iri)) }] : [],
  )
  return limitReadingTimes(opened, completedAt, c)
}

const NAMED = 5

function namesOf(parts: readonly Part[]): string {
  const names = parts.slice(0, NAMED).map(({ name }) => name)
  return [...names, ...(parts.length > NAMED ? [`${parts.length - NAMED} more`] : [])].join(', ')
}

/** Returns the time of the user's latest signature for which each part was opened, by IRI. */
async function findSignedParts(
  conn: SqlConn,
  { clientId, actor }: Pick<Context, 'clientId' | 'actor'>,
  parts: readonly Part[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await conn.rows<{ part: string; at: string }>(
    `SELECT o->>'part' AS part, ${isoUtcSql('max(g.signed_at)')} AS at FROM signature g, jsonb_array_elements(g.opened) o
     WHERE g.client_id = $1 AND g.user_id = $2 AND g.signer_id = $2 AND o->>'part' = ANY($3::text[]) GROUP BY 1`,
    [clientId, actor.userId, parts.map(({ iri }) => iri)],
  )
  return new Map(rows.map(({ part, at }) => [part, at]))
}

/** Returns the response with the parts of a document. `signed` is the time of the reader's earlier signature by IRI. */
export const listParts = (parts: readonly Part[], signed: ReadonlyMap<string, string> = new Map()) =>
  hydraCollection(
    parts.map(({ iri, kind, name, title, type, replaced, readable }) => ({
      '@id': iri,
      '@type': 'DocumentPart',
      kind,
      name,
      title,
      type,
      replaced,
      readable,
      signedAt: signed.get(iri) ?? null,
    })),
  )

/** Loads a document as the user may read it, with its client. */
async function findWhole(c: RouteContext) {
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const whole = await c.engine.one(document, c.me, id)
  return { id, whole, clientId: idFromAnyIri(whole.client) ?? PROVIDER_CLIENT_ID }
}

/** Lists the parts of a document, as the actor may read them. */
export const partsOf = (engine: Engine, actor: Actor, clientId: number, id: number) =>
  engine.readIn(clientId, 'list the parts of a document', (reader) =>
    loadParts({ reader, conn: engine.db.read, actor }, id),
  )

/**
 * Loads a part with its form. A revision that has been replaced is shown as sealed, to everybody in its audience, because
 * it is part of the document that they sign. Fields that the user may not see are left out.
 */
async function loadPart(c: RouteContext, kind: DocumentKind, clientId: number, id: number) {
  const own = await c.engine.one(kind.resource, c.me, id).catch((e: unknown) => {
    if (e instanceof Problem && e.status === 404) return undefined
    throw e
  })
  const whole = own ?? (await c.engine.one(kind.resource, createSystemActor(clientId, 'read part of a document'), id))
  const fields = kind.resource.fields as Readonly<Record<string, Field>>
  const record = Object.fromEntries(
    Object.entries(whole).filter(([name]) => {
      const field = fields[name]
      return own || !field || canSeeField(c.me, field, whole)
    }),
  ) as unknown as DocumentRecord
  return { '@type': 'PartOfDocument', record, form: await loadRecordForm(c, kind, whole) }
}

/** Routes with which a reader opens everything that a document refers to, before signing it. */
export const documentPartRoutes = (kinds: readonly DocumentKind[]): Route[] => [
  {
    method: 'GET',
    path: `${document.url}/{id}/parts`,
    title: 'List the documents and files to read before signing this document',
    allow: ANY_DOCUMENT_READER_ROLES,
    listOf: 'objects',
    handle: async (c) => {
      const { id, clientId } = await findWhole(c)
      const parts = await partsOf(c.engine, c.me, clientId, id)
      const signed = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
        findSignedParts(tx, { clientId: c.me.clientId, actor: c.me }, parts),
      )
      return listParts(parts, signed)
    },
  },
  {
    method: 'GET',
    path: `${document.url}/{id}/parts/{part}`,
    title: 'Get a document to which this document refers, with its form',
    allow: ANY_DOCUMENT_READER_ROLES,
    handle: async (c) => {
      const { id, clientId } = await findWhole(c)
      const wanted = iriOf(document, parseId(c.params.part) ?? 0)
      const part = (await partsOf(c.engine, c.me, clientId, id)).find(({ iri, readable }) => iri === wanted && readable)
      const kind = kinds.find((one) => one.kind === part?.kind)
      if (!part || !kind) throw problem.notFound()
      return loadPart(c, kind, clientId, part.id)
    },
  },
]
