import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import { type Field, integer, text } from '#kernel/fields.ts'
import { initialFormValues, removePlaceholders } from '#kernel/forms/fields-in.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { idFromAnyIri, idFromIriOrNumber, parseId } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { convertRecordToNewForm, loadFormForClientDraft } from '../forms/routes.server.ts'
import { withoutEmployees } from '../named-employees/document-names.server.ts'
import { TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import { type DocumentKind, type DocumentRecord, uncopiedFieldNames, uploadIri } from '../types/kind.ts'
import { firstReferenceFields } from '../types/reference.ts'
import { withoutUploads } from '../types/upload-fields.ts'
import { defaultContentFor } from './revisions.server.ts'

type ModelLine = Readonly<Record<string, unknown>>

/**
 * Returns a document's content for another client, without uploads, references and links to the source client's own
 * library items. The provider's library items are shared and remain in the content.
 */
async function contentForOtherClient(engine: Engine, kind: DocumentKind, words: ApiRecord): Promise<ApiRecord> {
  const fields: Fields = kind.resource.fields
  const references = Object.keys(kind.references ?? {})
  const left = [
    ...references.map((name) => [name, []]),
    ...Object.keys(firstReferenceFields(kind.references)).map((name) => [name, null]),
  ]
  const lines: (readonly [string, readonly ModelLine[]])[] = []
  for (const name of kind.rows.filter((field) => !references.includes(field))) {
    const of = fields[name]?.target?.()
    if (of) lines.push([name, await withSharedLinks(engine, of, toRowObjects(words[name]))])
  }
  return { ...withoutUploads(kind, words), ...Object.fromEntries(left), ...Object.fromEntries(lines) }
}

/** Returns the rows, keeping only links to the provider's records. Links to the source client's own records are cleared. */
async function withSharedLinks(
  engine: Engine,
  of: Resource,
  lines: readonly ModelLine[],
): Promise<readonly ModelLine[]> {
  let shared = lines
  for (const [name, f] of Object.entries<Field>(of.fields)) {
    const target = f.kind === 'link' ? f.target?.() : undefined
    if (!target || target.tenant === 'shared') continue
    const ids = lines.flatMap((line) => idFromAnyIri(uploadIri(line[name])) ?? [])
    if (!ids.length) continue
    const providers = new Set(
      (
        await engine.readIn(PROVIDER_CLIENT_ID, 'read the content to copy for another client', (c) =>
          c.find(target, { id: ids }),
        )
      ).map((r) => r.id),
    )
    shared = shared.map((line) =>
      providers.has(idFromAnyIri(uploadIri(line[name])) ?? 0) || line[name] === undefined
        ? line
        : { ...line, [name]: null },
    )
  }
  return shared
}

/**
 * Fields that belong to a stored row: its identifiers, its document and its confirmation. They are omitted because the
 * rows of a model are new.
 */
const OF_A_ROW = new Set([
  '@id',
  '@context',
  'id',
  'document',
  'documentNumber',
  'client',
  'unconfirmed',
  'confirmedBy',
  'confirmedAt',
])

/**
 * Returns the unsaved initial values for a new document (a model), without identifiers, author, state and row IDs
 * (safety specification, section 4).
 */
function modelOf(kind: DocumentKind, sent: ApiRecord): ApiRecord {
  const said = removePlaceholders(kind.schema, sent)
  const own = uncopiedFieldNames(kind)
  const words = Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) =>
    f.kind === 'rows'
      ? [[name, newRows(said[name])]]
      : !own.has(name) && (f.inJson || name === kind.title.field || name === 'industry')
        ? [[name, said[name]]]
        : [],
  )
  return {
    '@type': kind.type,
    ...Object.fromEntries(words),
    documentNumber: null,
    [kind.parent]: null,
    complete: false,
    reviewed: false,
    retired: false,
    isTemplate: false,
  }
}

/**
 * Returns the model for a copy of a document to a client, with its source. Content from the client itself or from the
 * provider is copied unchanged, because the client may use all of it. Content from another client loses what the client
 * may not use.
 */
async function copyModel(c: RouteContext, kind: DocumentKind, source: DocumentRecord, to: number): Promise<ApiRecord> {
  const model = modelOf(kind, await convertRecordToNewForm(c, kind, source, to))
  const owner = idFromAnyIri(uploadIri(source.client)) ?? PROVIDER_CLIENT_ID
  const words =
    owner === to || owner === PROVIDER_CLIENT_ID ? model : await contentForOtherClient(c.engine, kind, model)
  return { ...words, ...(owner === to ? {} : withoutEmployees(kind, words)), origin: iriOf(document, source.id) }
}

const newRows = (rows: unknown) =>
  Array.isArray(rows)
    ? rows.map((row: object) => Object.fromEntries(Object.entries(row).filter(([k]) => !OF_A_ROW.has(k))))
    : []

/**
 * Loads the source record of another type that the query names, with the user's permissions. Throws 400 if the user
 * can't access it.
 */
async function readSource(c: RouteContext, kind: DocumentKind) {
  for (const [name, of] of Object.entries(kind.sources?.() ?? {})) {
    const given = firstQueryValue(c.query[name])
    if (!given) continue
    const id = idFromIriOrNumber(of.resource, given)
    const record = id === undefined ? undefined : await c.engine.one(of.resource, c.actor, id).catch(() => undefined)
    if (!record) throw problem.unknownTarget(given)
    return { name, record }
  }
  return undefined
}

/** Creates the routes for a type's models: blank, copy, copy for another client, and review. */
export function documentPrefillRoutes(kind: DocumentKind): Route[] {
  const r = kind.resource
  const blank = (path: string): Route => ({
    method: 'GET',
    path: `${r.url}/${path}`,
    title: `Get a blank ${kind.noun}`,
    allow: kind.roles.authors,
    query: {
      industry: integer({ help: 'ID of the industry whose form is used.' }),
      ...kind.told,
      ...Object.fromEntries(
        Object.entries(kind.sources?.() ?? {}).map(([name, of]) => [
          name,
          text({ help: `IRI or ID of the ${of.noun} to start from.` }),
        ]),
      ),
    },
    handle: async (c) => {
      const { schema } = await loadFormForClientDraft(c, kind, c.me.clientId, parseId(c.query.industry))
      const source = await readSource(c, kind)
      const begun = await c.engine.readIn(c.me.clientId, 'read the initial values of a new document', (reader) =>
        defaultContentFor(reader, kind, {}),
      )
      const taken = kind.begunFrom?.({ query: c.query, begun, ...(source ? { source } : {}) })
      const origin = source ? { origin: iriOf(document, source.record.id) } : {}
      return { ...modelOf(kind, { ...initialFormValues(schema), ...kind.blank?.(), ...begun, ...taken }), ...origin }
    },
  })
  const copied = (path: string, title: string, handle: (c: RouteContext, id: number) => Promise<ApiRecord>): Route => ({
    method: 'GET',
    path: `${r.url}/{id}/${path}`,
    title,
    allow: kind.roles.authors,
    handle: (c) => {
      const id = parseId(c.params.id)
      if (id === undefined) throw problem.notFound()
      return handle(c, id)
    },
  })
  return [
    blank('create_new'),
    blank('model'),
    copied('copy', `Get a copy of a ${kind.noun}, without number and parent`, async (c, id) =>
      copyModel(c, kind, await c.engine.one(r, c.actor, id), c.me.clientId),
    ),
    copied('review', `Get a copy of a ${kind.noun} as the next revision with the same number`, async (c, id) => {
      const source = await c.engine.one(r, c.actor, id)
      const model = modelOf(kind, await convertRecordToNewForm(c, kind, source, c.me.clientId))
      return { ...model, documentNumber: source.documentNumber, [kind.parent]: source['@id'] }
    }),
    copied('{clientId}/copyTo', `Get a copy of a ${kind.noun} for another client`, async (c, id) => {
      const to = parseId(c.params.clientId)
      if (to === undefined) throw problem.notFound()
      if (!hasRole(c.actor, TEMPLATE_MANAGER_ROLES) && to !== c.me.clientId)
        throw problem.forbidden('You can copy only to your own company.')
      const source = await c.engine.one(r, c.actor, id)
      const target = await c.engine.one(client, c.actor, to)
      return { ...(await copyModel(c, kind, source, to)), client: target['@id'] }
    }),
  ]
}
