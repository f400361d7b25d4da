import { problem, violation } from '#kernel/errors.ts'
import { strings, text } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { listRoute } from '#server/http/list-route.ts'
import { OUTDATED_COPY_CONDITION } from '../lifecycle/list-routes.server.ts'
import { startNextRevision } from '../lifecycle/revisions.server.ts'
import { assertTransitionAllowed } from '../lifecycle/transition.server.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import { type DocumentKind, type DocumentRow, documentRecordTitle } from '../types/kind.ts'
import { acceptTemplateChanges, displayedFieldPart, templateChanges, templateComparisonFor } from './three-way.ts'

/**
 * A copy with two revisions of its source: the revision from which the copy was started or last updated, and the one in
 * force.
 */
interface Behind {
  /** The open draft of the copy's document number, or else the revision in force. */
  readonly mine: DocumentRow
  readonly base: DocumentRow
  readonly theirs: DocumentRow
}

/**
 * Compares the revision from which a copy was started or last updated with the source's revision in force. Returns
 * undefined if the source has no later revision in force.
 */
async function behindOf(c: RecordReader, kind: DocumentKind, mine: DocumentRow): Promise<Behind | undefined> {
  const from = mine.improvedTo ?? mine.origin
  const base = typeof from === 'number' ? await c.get(kind.resource, from) : undefined
  if (!base) return undefined
  const inForce = await c.find(kind.resource, { documentNumber: base.documentNumber, current: true })
  const theirs = inForce.find((d) => d.clientId === base.clientId && d.revision > base.revision)
  return theirs && { mine, base, theirs }
}

/** Returns the open draft with the same document number, or else the revision itself. */
async function openDraft(c: RecordReader, kind: DocumentKind, row: DocumentRow): Promise<DocumentRow> {
  const drafts = await c.find(kind.resource, { documentNumber: row.documentNumber, state: 'draft', retired: false })
  return drafts.find((d) => d.clientId === row.clientId) ?? row
}

/** Compares a document of the user's company with its source, if the user may read the source's revision in force. */
async function find(c: RouteContext, kind: DocumentKind, id: number): Promise<Behind | undefined> {
  const record = await c.engine.one(kind.resource, c.me, id)
  if (idFromAnyIri(record.client) !== c.me.clientId || !(record.current || record.state === 'draft')) return undefined
  const found = await c.engine.readIn(c.me.clientId, 'compare a copy with its template', async (reader) => {
    const row = await reader.get(kind.resource, id)
    return row && behindOf(reader, kind, await openDraft(reader, kind, row))
  })
  if (!found) return undefined
  const readable = await c.engine.one(kind.resource, c.me, found.theirs.id).catch(() => undefined)
  return readable && found
}

/** Input: the revision of the template that the user has seen, and the changes that they accept. */
const TAKEN = {
  template: text({ help: 'IRI of the template revision that was shown. Any other revision is refused.' }),
  keys: strings({ help: 'Keys of the accepted changes. The others are ignored and not offered again.' }),
}

const changedSince = () =>
  problem.conflict(
    'This document or its template has changed since you opened this page. Please check the changes again.',
  )

async function kindOf(c: RouteContext, kinds: readonly DocumentKind[]): Promise<DocumentKind> {
  const { kind: name } = await c.engine.one(document, c.me, parseId(c.params.id) ?? -1)
  const kind = kinds.find((k) => k.kind === name)
  if (!kind) throw problem.notFound()
  return kind
}

/**
 * Applies the accepted changes and returns the ID of the draft. If no changes were accepted, records that they were
 * ignored and returns the ID of the document itself.
 */
async function take(
  c: Context,
  kind: DocumentKind,
  row: DocumentRow,
  { theirs, keys }: { readonly theirs: number; readonly keys: ReadonlySet<string> },
): Promise<number> {
  const isDraft = row.state === 'draft'
  await assertTransitionAllowed(c, kind, isDraft ? 'edit' : 'revise', row)
  const seen = await behindOf(c, kind, row)
  if (!seen || seen.theirs.id !== theirs) throw changedSince()
  const { base, theirs: improved } = seen
  const compares = templateComparisonFor(kind)
  const offered = new Set(templateChanges({ base, theirs: improved, mine: row }, compares).map(({ key }) => key))
  if ([...keys].some((key) => !offered.has(key))) throw changedSince()
  if (!keys.size) {
    await c.set(kind.resource, row, { improvedTo: theirs }, 'leave improvements')
    return row.id
  }
  const draft = isDraft
    ? row
    : await startNextRevision(c, kind, row, `Update to the template “${documentRecordTitle(kind, improved)}”`)
  await c.work.flush()
  const mine = await c.lock(kind.resource, draft.id)
  const words = acceptTemplateChanges({ base, theirs: improved, mine }, compares, keys)
  const said: Values = { ...mine, ...words }
  const follow = Object.entries(kind.follows ?? {}).map(([name, make]) => [name, make(said)] as const)
  await c.change(kind.resource, mine, { ...words, ...Object.fromEntries(follow) })
  await c.work.flush()
  await c.set(kind.resource, await c.lock(kind.resource, draft.id), { improvedTo: theirs }, 'take improvements')
  return draft.id
}

/** Creates the routes to list template updates and to accept or ignore them. */
const templateUpdateRoutes = (kinds: readonly DocumentKind[]): Route[] => [
  listRoute(
    document,
    `${document.url}/improved`,
    'List the company’s documents whose template has been updated since',
    ({ me, query }) => ({
      query,
      extra: [
        {
          sql: (next) =>
            `t.client_id = ${next(me.clientId)}::int AND (t.state = 'draft' AND NOT t.retired OR t.current AND NOT EXISTS (SELECT FROM document w
               WHERE w.client_id = t.client_id AND w.kind = t.kind AND w.number = t.number AND w.state = 'draft' AND NOT w.retired))`,
        },
        OUTDATED_COPY_CONDITION,
      ],
    }),
    { allow: DOCUMENT_AUTHOR_ROLES },
  ),
  {
    method: 'GET',
    path: `${document.url}/{id}/improvements`,
    title: 'List the template changes that a document copied from the template doesn’t have yet',
    allow: DOCUMENT_AUTHOR_ROLES,
    handle: async (c) => {
      const kind = await kindOf(c, kinds)
      const id = parseId(c.params.id) ?? -1
      const found = await find(c, kind, id)
      const at = { '@id': `${document.url}/${id}/improvements`, '@type': 'Improvements' }
      if (!found) return { ...at, template: null, changes: [] }
      const { base, theirs, mine } = found
      return {
        ...at,
        template: {
          '@id': iriOf(document, theirs.id),
          title: documentRecordTitle(kind, theirs),
          from: base.revision,
          to: theirs.revision,
          reason: toText((theirs as Values).reviewReason).replace(/\.$/, ''),
        },
        draft: mine.state === 'draft' ? mine.revision : null,
        changes: templateChanges({ base, theirs, mine }, templateComparisonFor(kind)).map(
          ({ before, after, ...change }) => ({
            ...change,
            before: displayedFieldPart(kind, change.field, before),
            after: displayedFieldPart(kind, change.field, after),
          }),
        ),
      }
    },
  },
  routeWithInput(TAKEN, {
    method: 'POST',
    path: `${document.url}/{id}/take_improvements`,
    title:
      'Accept selected template changes, in the draft itself or in the next revision; the other changes are ignored',
    allow: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: true,
    handle: async (c) => {
      const { template, keys } = c.input
      const kind = await kindOf(c, kinds)
      const seen = await find(c, kind, parseId(c.params.id) ?? -1)
      if (!template)
        throw problem.invalid([
          violation('template', 'Please give the template revision that was compared', 'required'),
        ])
      if (!seen || iriOf(document, seen.theirs.id) !== template) throw changedSince()
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const row = await unit.lock(kind.resource, seen.mine.id)
        const decided = await take(unit, kind, row, { theirs: seen.theirs.id, keys: new Set(keys) })
        return () => c.engine.one(kind.resource, c.me, decided)
      })
    },
  }),
]

export const templateUpdates = (kinds: readonly DocumentKind[]) =>
  feature({ pack: 'safety', routes: templateUpdateRoutes(kinds) })
