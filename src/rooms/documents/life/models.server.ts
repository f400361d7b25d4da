import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { startValues } from '#kernel/forms/start.ts'
import { readId } from '#kernel/iri.ts'
import { holds } from '#kernel/roles.ts'
import { client } from '#rooms/portal/clients/client.ts'
import type { Route, RouteContext } from '#server/behaviour.ts'
import type { Sent } from '#server/data/plan.ts'
import type { DocumentKind, ReadList } from '../kinds/kind.ts'
import { AUTHORS, KEEPERS } from '../kinds/rights.ts'

/** What names a row or the document it stands in; a model's rows are new. */
const OF_A_ROW = new Set(['@id', '@context', 'id', 'document', 'documentNumber', 'client'])

/**
 * A working model: what a new document may start from, saved by nobody yet. Identifiers, author, state and the ids of rows are
 * left out (safety specification, section 4).
 */
function modelOf(kind: DocumentKind, sent: Sent): Sent {
  const fields = Object.entries<Field>(kind.resource.fields)
  const kept = fields.filter(
    ([name, f]) => f.within || f.kind === 'rows' || name === kind.title.field || name === 'industry',
  )
  return {
    '@type': kind.type,
    ...Object.fromEntries(
      kept.map(([name, f]) => [
        name,
        f.kind === 'rows'
          ? ((sent[name] as Sent[] | undefined) ?? []).map((row) =>
              Object.fromEntries(Object.entries(row).filter(([k]) => !OF_A_ROW.has(k))),
            )
          : sent[name],
      ]),
    ),
    documentNumber: null,
    [kind.parent]: null,
    complete: false,
    reviewed: false,
    retired: false,
    isTemplate: false,
  }
}

/** The working models of a kind: blank, copy, copy for another client, review. */
export function modelRoutes(kind: DocumentKind): Route[] {
  const r = kind.resource
  const source = (c: RouteContext) => c.engine.one(r, c.actor, Number(c.params.id))
  const route = (path: string, title: string, handle: (c: RouteContext) => Promise<Sent> | Sent): Route => ({
    method: 'GET',
    path: `${r.url}/${path}`,
    title,
    allow: AUTHORS,
    handle: (c) => {
      if (c.params.id && readId(c.params.id) === undefined) throw problem.notFound()
      return handle(c)
    },
  })
  const blank = async (c: RouteContext) => {
    const list: ReadList = async (of, query) =>
      (await c.engine.list(of, c.actor, query, { limit: 500, offset: 0 })).members
    return modelOf(kind, { ...startValues(kind.schema), ...kind.blank?.(), ...(await kind.begun?.(list)) })
  }
  return [
    route('create_new', `A blank ${kind.noun}`, blank),
    route('model', `A blank ${kind.noun}`, blank),
    route('{id}/copy', `A copy of a ${kind.noun}, without number and parent`, async (c) =>
      modelOf(kind, await source(c)),
    ),
    route('{id}/review', `A ${kind.noun} to be reviewed: the next revision of its number`, async (c) => {
      const sent = await source(c)
      return { ...modelOf(kind, sent), documentNumber: sent.documentNumber, [kind.parent]: sent['@id'] }
    }),
    route('{id}/{clientId}/copyTo', `A copy of a ${kind.noun} for another client`, async (c) => {
      const to = Number(c.params.clientId)
      if (!holds(c.actor, KEEPERS) && to !== c.me.clientId)
        throw problem.forbidden('You can copy only to your own company.')
      const [sent, target] = await Promise.all([source(c), c.engine.one(client, c.actor, to)])
      // What was uploaded belongs to the client it was uploaded for.
      const files = (sent.client as string) === target['@id'] ? {} : { uploadedDocuments: [] }
      return { ...modelOf(kind, sent), ...files, client: target['@id'] }
    }),
  ]
}
