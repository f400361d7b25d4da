import { problem } from '#kernel/errors.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { textOf } from '#kernel/text.ts'
import { readableIds } from '#server/data/references.ts'
import type { RowsChange } from '#server/data/rows.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentContent, DocumentKind, DocumentValues } from '../types/kind.ts'
import { readReferenceTargets } from './assert-references.server.ts'

type Values = Readonly<Record<string, unknown>>

interface Save {
  /** Values in the request. */
  readonly given: Values
  readonly before: Values | undefined
  /** All values after the change. */
  readonly next: Values
  /** Changed lists; all for a new record. */
  readonly changed?: readonly RowsChange[]
}

/**
 * Keeps a record's field for the first document of a list in step with the list: if another document is named, the list
 * follows. Throws 400 if it is not accessible.
 */
export async function syncFirstReference(c: Context, kind: DocumentKind, save: Save): Promise<DocumentValues> {
  const settled: Record<string, unknown> = {}
  for (const [field, { first }] of Object.entries(kind.references ?? {})) {
    const of = first && kind.sources?.()[first.source]
    if (!of) continue
    const named = save.given[first.source]
    if (save.changed && named === undefined && !save.changed.some((change) => change.field === field)) continue
    const list = rowsOf(save.next[field])
    const own = await firstIn(c, of, list)
    const isNamed = named !== undefined && (save.before !== undefined || Boolean(named))
    const isSo = named ? own !== undefined && idNamed(of, named) === own.id : !own
    const rows = isNamed && !isSo ? await withFirst(c, of, list, named, save.before?.[first.source]) : list
    const found = rows === list ? own : await firstIn(c, of, rows)
    settled[first.source] = found ? iriOf(of.resource, found.id) : null
    settled[first.number] = found?.documentNumber ?? ''
    if (rows !== list) settled[field] = rows
  }
  const words: DocumentContent = settled
  return words
}

const idNamed = (of: DocumentKind, named: unknown) => (named ? idFromIriOrNumber(of.resource, named) : undefined)

async function firstIn(c: Context, of: DocumentKind, rows: readonly Values[]) {
  const targets = await readReferenceTargets(
    c,
    rows.map(({ target }) => target),
  )
  return rows.map(({ target }) => targets.get(Number(target))).find((d) => d?.kind === of.kind)
}

/** The list with the named document in place of the former first one. */
async function withFirst(c: Context, of: DocumentKind, list: readonly Values[], named: unknown, was: unknown) {
  const [former, id] = [idNamed(of, was), idNamed(of, named)]
  if (named && !(id && (await readableIds(c.work.tx, c.actor, of.resource, [id])).has(id)))
    throw problem.unknownTarget(textOf(named))
  const others = list.filter(({ target }) => target !== former && target !== id)
  if (id === undefined) return others
  return [list.find(({ target }) => target === id) ?? { target: id, file: null, notes: '' }, ...others]
}
