import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { FILE_USER_ROLES, uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { findFileVersionIds } from '#modules/portal/files/versions.server.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { listRoute, subListRoute } from '#server/http/list-route.ts'
import { DOCUMENT_READER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentReference } from '../types/reference.ts'
import { readReferenceTargets } from './assert-references.server.ts'

type DocumentPartRow = RowOf<typeof document>

/** Loads a bundle's current parts and everything to which they refer, in no particular order. */
export async function readBundleParts(c: RecordReader, pack: number): Promise<readonly DocumentPartRow[]> {
  const parts = new Map<number, DocumentPartRow>()
  let next = [pack]
  while (next.length) {
    const targets = (await c.find(documentReference, { document: next })).flatMap(({ target }) => target ?? [])
    const found = targets.length ? await c.find(document, { id: [...new Set(targets)] }) : []
    next = found.flatMap(({ id }) => (parts.has(id) ? [] : [id]))
    for (const part of found) parts.set(part.id, part)
  }
  return [...parts.values()]
}

/** Returns the names of the parts that are no longer in use; an empty string if all of them are in use. */
export const withdrawnPartNames = (parts: readonly DocumentPartRow[]): string =>
  parts.flatMap((part) => (part.retired ? `${part.documentNumber} revision ${part.revision}` : [])).join(', ')

/** Routes that list the documents that refer to a revision or to a file, as far as the user may see them. */
const whereUsedRoutes: readonly Route[] = [
  subListRoute({
    path: `${document.url}/{id}/where_used`,
    title: 'List the documents that refer to this revision',
    of: document,
    r: document,
    where: (id) => `t.id IN (SELECT r.document_id FROM document_reference r WHERE r.target_id = ${id})`,
    allow: DOCUMENT_READER_ROLES,
  }),
  listRoute(
    document,
    `${uploadedDocument.url}/{id}/where_used`,
    'List the documents that refer to any version of this file',
    async (c) => {
      const files = await findFileVersionIds(c)
      const isUsed: QueryCondition = {
        sql: (next) =>
          `t.id IN (SELECT used FROM unnest(${next(files)}::bigint[]) file, documents_with_file(file) used)`,
      }
      return { extra: [isUsed] }
    },
    { allow: FILE_USER_ROLES },
  ),
]

export const documentReferences = feature({ pack: 'safety', routes: whereUsedRoutes })

type Target = RowOf<typeof document>
type Row = RowOf<typeof documentReference>

interface SealedReference {
  readonly id: number
  readonly target: number | null
  readonly digest: string
}

/**
 * Resolves the references of a document being completed. If the type requires it, switches each reference to the
 * revision in force. Stores the digest of each target. Throws 422, with messages, for invalid targets.
 */
export async function sealReferences(c: Context, kind: DocumentKind, id: number): Promise<void> {
  if (!kind.references) return
  await writeSettled(c, await settleReferences(c, kind, id))
}

/** Throws 422, with messages, if the references of a sealed document would no longer allow it to be sealed. */
export async function assertReferencesValid(c: Context, kind: DocumentKind, id: number | undefined): Promise<void> {
  const sealed = id === undefined ? undefined : await c.get(document, id)
  // If the same request completes the document, its references are checked on completion.
  if (sealed?.seal) await settleReferences(c, kind, sealed.id)
}

/** Resolves the current targets of references. Throws 422 for invalid targets, with the path of each. */
async function settleReferences(c: Context, kind: DocumentKind, id: number): Promise<SealedReference[]> {
  const rows = (await c.find(documentReference, { document: id })).toSorted((a, b) => a.position - b.position)
  if (!rows.length) return []
  const targets = await readReferenceTargets(
    c,
    rows.map((row) => row.target),
  )
  const inForce = await readInForce(c, [...targets.values()])
  const files = await readFiles(c, rows)
  const wrong: Violation[] = []
  const settled: SealedReference[] = []
  for (const row of rows) {
    const place = `${row.field}[${rows.filter((r) => r.field === row.field).indexOf(row)}]`
    const said = row.file
      ? settleFile(row, files.get(row.file))
      : settleDocument(row, targets.get(row.target ?? 0), {
          inForce,
          moves: kind.references?.[row.field]?.revision === 'in force',
        })
    if (typeof said === 'string') wrong.push(violation(place, said))
    else settled.push(said)
  }
  if (wrong.length) throw problem.invalid(wrong)
  return settled
}

const keyOf = ({ clientId, kind, documentNumber }: Pick<Target, 'clientId' | 'kind' | 'documentNumber'>) =>
  `${clientId} ${kind} ${documentNumber}`

/** Loads the revision in force for the document number of each target that is not in force itself. */
async function readInForce(c: Context, targets: readonly Target[]): Promise<ReadonlyMap<string, Target>> {
  const replaced = targets.filter((t) => !t.current)
  if (!replaced.length) return new Map()
  const documentNumber = [...new Set(replaced.map((t) => t.documentNumber))]
  return new Map((await c.find(document, { documentNumber, current: true })).map((d) => [keyOf(d), d]))
}

async function readFiles(c: Context, rows: readonly Row[]) {
  const ids = rows.flatMap((row) => row.file ?? [])
  return new Map((ids.length ? await c.find(uploadedDocument, { id: ids }) : []).map((file) => [file.id, file]))
}

function settleFile({ id }: Row, file: RowOf<typeof uploadedDocument> | undefined): SealedReference | string {
  if (!file || file.retired)
    return `${file ? `"${file.name}"` : 'This file'} has been deleted. Please remove the reference.`
  return { id, target: null, digest: file.checksum }
}

interface ReferenceState {
  readonly inForce: ReadonlyMap<string, Target>
  /** True if the reference switches to the revision in force. */
  readonly moves: boolean
}

function settleDocument(
  { id }: Row,
  target: Target | undefined,
  { inForce, moves }: ReferenceState,
): SealedReference | string {
  if (!target) return 'This document has been deleted. Please remove the reference.'
  const newer = inForce.get(keyOf(target))
  const taken = moves && newer ? newer : target
  return refusalFor(taken, newer) ?? { id, target: taken.id, digest: taken.seal ?? '' }
}

/** Returns the reason why a sealed document can't refer to the target; undefined if it can. */
function refusalFor(target: Target, inForce: Target | undefined): string | undefined {
  const called = `${target.documentNumber} revision ${target.revision}`
  if (target.current) return undefined
  if (target.state === 'replaced')
    return inForce
      ? `${called} was replaced: revision ${inForce.revision} is in force. Please use that revision or remove the reference.`
      : `${called} was replaced, and no revision is in force. Please remove the reference.`
  if (target.state === 'rejected') return `${called} was rejected. Please remove the reference.`
  if (target.retired)
    return `${called} has been ${target.state === 'current' ? 'withdrawn' : 'deleted'}. Please remove the reference.`
  if (!target.seal) return `${called} is not complete yet. Please complete it first, or remove the reference.`
  return undefined
}

/**
 * Saves resolved references as part of the document's completion, so that the completion's chain entry includes them.
 */
async function writeSettled(c: Context, settled: readonly SealedReference[]): Promise<void> {
  if (!settled.length) return
  await c.work.tx.rows(
    `UPDATE document_reference r SET target_id = s.target, digest = s.digest
     FROM jsonb_to_recordset($2::jsonb) AS s (id bigint, target bigint, digest text) WHERE r.client_id = $1 AND r.id = s.id`,
    [c.clientId, JSON.stringify(settled)],
  )
  c.work.touched.add('document_reference')
}
