import { problem } from '#kernel/errors.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { idByEither } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { textOf } from '#kernel/text.ts'
import { readableIds } from '#server/data/references.ts'
import type { RowsChange } from '#server/data/rows.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentKind, DocumentValues, DocumentWords } from '../types/kind.ts'
import { readTargets } from './assert-references.server.ts'

type Values = Readonly<Record<string, unknown>>

interface Save {
  /** What its maker says. */
  readonly given: Values
  readonly before: Values | undefined
  /** Everything that it would say. */
  readonly next: Values
  /** The lists that change; all, of a new one. */
  readonly changed?: readonly RowsChange[]
}

/**
 * What a record says of the first document in a list, which follows the list; where somebody names another one, the list
 * follows that. Throws 400 for one that is not theirs to read.
 */
export async function settleFirst(c: Context, kind: DocumentKind, save: Save): Promise<DocumentValues> {
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
  const words: DocumentWords = settled
  return words
}

const idNamed = (of: DocumentKind, named: unknown) => (named ? idByEither(of.resource, named) : undefined)

/** The first document of a kind in a list of references. */
async function firstIn(c: Context, of: DocumentKind, rows: readonly Values[]) {
  const targets = await readTargets(
    c,
    rows.map(({ target }) => target),
  )
  return rows.map(({ target }) => targets.get(Number(target))).find((d) => d?.kind === of.kind)
}

/** The list with the named document where the former first one was. */
async function withFirst(c: Context, of: DocumentKind, list: readonly Values[], named: unknown, was: unknown) {
  const [former, id] = [idNamed(of, was), idNamed(of, named)]
  if (named && !(id && (await readableIds(c.work.tx, c.actor, of.resource, [id])).has(id)))
    throw problem.unknownTarget(textOf(named))
  const others = list.filter(({ target }) => target !== former && target !== id)
  if (id === undefined) return others
  return [list.find(({ target }) => target === id) ?? { target: id, file: null, notes: '' }, ...others]
}
