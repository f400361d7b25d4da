import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { sendStoredFile } from '#modules/portal/files/files.server.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { ACCEPTED_FILE_TYPES } from '#server/files/kinds.ts'
import { loadRecordForm } from '../forms/routes.server.ts'
import { listParts, partsOf } from '../signing/parts.server.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'

/** A document that the holder of a link may read. */
export interface LinkedDocument {
  readonly clientId: number
  readonly document: Pick<RowOf<typeof document>, 'id' | 'kind'>
  /** Documents to which it refers, which the holder reads as well. */
  readonly papers: readonly Pick<RowOf<typeof document>, 'id' | 'kind'>[]
  /** Actor that reads for the holder of the link. */
  readonly reader: Actor
}

interface LinkReading {
  /** URL of the link in the API, with `{token}`. */
  readonly at: string
  /** What the link opens, as in the titles of the routes: `the pack`. */
  readonly what: string
  readonly kinds: readonly DocumentKind[]
  /** Resolves the link. Throws 404 for an unknown link and 410 for one that opens nothing any more. */
  readonly resolve: (c: RouteContext) => Promise<LinkedDocument>
}

/** Fields of every type that the holder of a link sees; of a type's own fields, those that are not confidential. */
const SHOWN = new Set(['documentNumber', 'revision', 'state', 'current', 'retired', 'isTemplate', 'title', 'location'])
const TIMES = new Set(['completedAt', 'approvedAt', 'reviewDue'])

/** Returns a record as the holder of a link sees it: its content, and the names of its author and approver. */
async function recordForHolder(engine: Engine, kind: DocumentKind, { clientId, reader }: LinkedDocument, id: number) {
  const record = await engine.one(kind.resource, reader, id)
  const fields = kind.resource.fields as Readonly<Record<string, Field>>
  const shown = Object.entries(record).filter(([name]) => {
    const field = fields[name]
    if (!field) return name.startsWith('@') || name === 'id'
    if (field.visible !== undefined || field.confidential !== undefined) return false
    return SHOWN.has(name) || TIMES.has(name) || !(name in document.fields)
  })
  const people = [record.author, record.authorUsername].flatMap((username) => username ?? [])
  const names = await readUserNames(engine, clientId, people)
  const nameOf = (username: string | null) => (username === null ? null : (names.get(username) ?? username))
  return {
    record,
    shown: {
      ...Object.fromEntries(shown),
      author: nameOf(record.author),
      authorUsername: nameOf(record.authorUsername),
    },
  }
}

/** Loads an uploaded file that the linked document, or a document in it, contains. Throws 404 for any other file. */
async function findLinkedFile(c: RouteContext, { at, resolve }: LinkReading) {
  const { clientId, document: shared, papers } = await resolve(c)
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const documents = [shared, ...papers].map((one) => one.id)
  const [used] = await c.engine.db.tx({ clientId }, (tx) =>
    tx.rows('SELECT 1 FROM documents_with_file($1) used WHERE used = ANY($2::bigint[]) LIMIT 1', [id, documents]),
  )
  const file = used && (await c.engine.readIn(clientId, 'read a file by a link', (r) => r.get(uploadedDocument, id)))
  if (!file || file.retired) throw problem.notFound()
  return { file, at: at.replace('{token}', c.params.token ?? '') }
}

/** Creates the routes with which the holder of a link reads a document in place, with its parts and files. */
export const linkReadingRoutes = (link: LinkReading): Route[] => [
  {
    method: 'GET',
    path: `${link.at}/parts`,
    title: `List the documents and files of ${link.what} behind a link`,
    allow: 'anonymous',
    listOf: 'objects',
    refuses: [410],
    handle: async (c) => {
      const { reader, clientId, document: shared } = await link.resolve(c)
      return listParts(await partsOf(c.engine, reader, clientId, shared.id))
    },
  },
  {
    method: 'GET',
    path: `${link.at}/parts/{part}`,
    title: `Get ${link.what} behind a link, or a document in it, with its form`,
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const linked = await link.resolve(c)
      const id = parseId(c.params.part)
      const part = [linked.document, ...linked.papers].find((one) => one.id === id)
      const kind = link.kinds.find((one) => one.kind === part?.kind)
      if (!part || !kind) throw problem.notFound()
      const { record, shown } = await recordForHolder(c.engine, kind, linked, part.id)
      return { '@type': 'PartOfDocument', record: shown, form: await loadRecordForm(c, kind, record) }
    },
  },
  {
    method: 'GET',
    path: `${link.at}/files/{id}`,
    title: `Get the name and size of a file in ${link.what} behind a link`,
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const { file, at } = await findLinkedFile(c, link)
      const { id, name, label, type, size, width, height, thumbnailKey } = file
      const url = `${at}/files/${id}`
      return {
        '@id': iriOf(uploadedDocument, id),
        '@type': uploadedDocument.type,
        id,
        name,
        label,
        type,
        size,
        width,
        height,
        url: `${url}/file`,
        thumbnailUrl: thumbnailKey === null ? null : `${url}/thumb`,
      }
    },
  },
  ...(['file', 'thumb'] as const).map(
    (which): Route => ({
      method: 'GET',
      path: `${link.at}/files/{id}/${which}`,
      title: `Get the ${which === 'file' ? 'content' : 'thumbnail'} of a file in ${link.what} behind a link`,
      allow: 'anonymous',
      file: ACCEPTED_FILE_TYPES,
      refuses: [410, 416],
      handle: async (c) => sendStoredFile(c, (await findLinkedFile(c, link)).file, which === 'thumb'),
    }),
  ),
]
