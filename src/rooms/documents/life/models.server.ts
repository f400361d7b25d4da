import { problem } from '#kernel/errors.ts'
import { type Field, integer } from '#kernel/fields.ts'
import { withoutPlaceholders } from '#kernel/forms/placeholders.ts'
import { startValues } from '#kernel/forms/start.ts'
import { readId } from '#kernel/iri.ts'
import { holds } from '#kernel/roles.ts'
import { client } from '#rooms/portal/clients/client.ts'
import type { Sent } from '#server/data/plan.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { formAsked, sentInNewForm } from '../forms/draft-form.server.ts'
import { type DocumentKind, ORIGIN } from '../kinds/kind.ts'
import { AUTHORS, KEEPERS } from '../rights.ts'
import { leftOut } from './begin.server.ts'

/** What names a row or the document it stands in; a model's rows are new. */
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
 * A working model: what a new document may start from, saved by nobody yet. Identifiers, author, state and the ids of rows are
 * left out (safety specification, section 4).
 */
function modelOf(kind: DocumentKind, sent: Sent): Sent {
  const said = withoutPlaceholders(kind.schema, sent)
  const words = Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) =>
    f.kind === 'rows'
      ? [[name, newRows(said[name])]]
      : !ORIGIN.has(name) && (f.within || name === kind.title.field || name === 'industry')
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

/** The same as a copy, which says what it is one of. */
const copyModel = (kind: DocumentKind, source: Sent): Sent => ({ ...modelOf(kind, source), copyOf: source['@id'] })

const newRows = (rows: unknown) =>
  Array.isArray(rows)
    ? rows.map((row: object) => Object.fromEntries(Object.entries(row).filter(([k]) => !OF_A_ROW.has(k))))
    : []

/** The working models of a kind: blank, copy, copy for another client, review. */
export function modelRoutes(kind: DocumentKind): Route[] {
  const r = kind.resource
  const blank = (path: string): Route => ({
    method: 'GET',
    path: `${r.url}/${path}`,
    title: `A blank ${kind.noun}`,
    allow: AUTHORS,
    query: { industry: integer({ help: 'The id of the industry whose form it begins with.' }) },
    handle: async (c) => {
      const { schema } = await formAsked(c, kind, c.me.clientId, readId(c.query.industry))
      const begun = await c.engine.readIn(c.me.clientId, 'what a new document begins with', (reader) =>
        leftOut(reader, kind, {}),
      )
      return modelOf(kind, { ...startValues(schema), ...kind.blank?.(), ...begun })
    },
  })
  const copied = (path: string, title: string, handle: (c: RouteContext, id: number) => Promise<Sent>): Route => ({
    method: 'GET',
    path: `${r.url}/{id}/${path}`,
    title,
    allow: AUTHORS,
    handle: (c) => {
      const id = readId(c.params.id)
      if (id === undefined) throw problem.notFound()
      return handle(c, id)
    },
  })
  return [
    blank('create_new'),
    blank('model'),
    copied('copy', `A copy of a ${kind.noun}, without number and parent`, async (c, id) =>
      copyModel(kind, await sentInNewForm(c, kind, await c.engine.one(r, c.actor, id), c.me.clientId)),
    ),
    copied('review', `A ${kind.noun} to be reviewed: the next revision of its number`, async (c, id) => {
      const source = await c.engine.one(r, c.actor, id)
      const model = modelOf(kind, await sentInNewForm(c, kind, source, c.me.clientId))
      return { ...model, documentNumber: source.documentNumber, [kind.parent]: source['@id'] }
    }),
    copied('{clientId}/copyTo', `A copy of a ${kind.noun} for another client`, async (c, id) => {
      const to = readId(c.params.clientId)
      if (to === undefined) throw problem.notFound()
      if (!holds(c.actor, KEEPERS) && to !== c.me.clientId)
        throw problem.forbidden('You can copy only to your own company.')
      const source = await c.engine.one(r, c.actor, id)
      const target = await c.engine.one(client, c.actor, to)
      // What was uploaded belongs to the client it was uploaded for, and so do the documents that it refers to.
      const foreign = ['uploadedDocuments', ...Object.keys(kind.references ?? {})]
      const files = source.client === target['@id'] ? {} : Object.fromEntries(foreign.map((name) => [name, []]))
      return { ...copyModel(kind, await sentInNewForm(c, kind, source, to)), ...files, client: target['@id'] }
    }),
  ]
}
