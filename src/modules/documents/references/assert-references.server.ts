import { problem, type Violation, violation } from '#kernel/errors.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { filterReadableIds } from '#server/data/access-sql.ts'
import type { RowsFieldChange } from '#server/data/rows.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import type { DocumentContent, DocumentKind, DocumentValues } from '../types/kind.ts'
import type { ReferenceTargets } from '../types/reference.ts'

type Target = RowOf<typeof document>

/** Maximum number of references per field. */
const MAX_REFERENCES = 100

/**
 * Throws 422 for references that the type does not allow, with the path of each. Whether a sealed document may refer to
 * them is checked on completion.
 */
export async function assertReferences(
  c: Context,
  kind: DocumentKind,
  documentNumber: string,
  changes: readonly RowsFieldChange[],
): Promise<void> {
  const lists = changes.flatMap((change) => {
    const declared = kind.references?.[change.field]
    return declared ? [{ ...change, declared }] : []
  })
  if (!lists.length) return
  const rows = lists.flatMap(({ after }) => after)
  const targets = await readReferenceTargets(
    c,
    rows.map((row) => row.target),
  )
  const files = await idsOfFiles(
    c,
    rows.map((row) => row.file),
  )
  const wrong = lists.flatMap((list) => wrongIn(kind, documentNumber, list, targets, files))
  if (wrong.length) throw problem.invalid(wrong)
}

/** Loads documents by ID, including the provider's. */
export async function readReferenceTargets(c: Context, ids: readonly unknown[]): Promise<ReadonlyMap<number, Target>> {
  const asked = [...new Set(ids)].filter((id) => typeof id === 'number')
  const found = asked.length ? await c.find(document, { id: asked }) : []
  return new Map(found.map((d) => [d.id, d]))
}

/**
 * Returns the IDs of files that belong to the document's company or to the provider. Other files are excluded, even if
 * the author can access them.
 */
async function idsOfFiles(c: Context, ids: readonly unknown[]): Promise<ReadonlySet<unknown>> {
  const asked = [...new Set(ids)].filter((id) => typeof id === 'number')
  const found = asked.length ? await c.find(uploadedDocument, { id: asked }) : []
  return new Set(found.map(({ id }) => id))
}

function wrongIn(
  kind: DocumentKind,
  documentNumber: string,
  { field, after, declared }: RowsFieldChange & { readonly declared: ReferenceTargets },
  targets: ReadonlyMap<number, Target>,
  files: ReadonlySet<unknown>,
): Violation[] {
  if (after.length > MAX_REFERENCES)
    return [violation(field, `You can add at most ${MAX_REFERENCES} references here`, 'too_big')]
  const seen = new Set<string>()
  return after.flatMap(({ target: id, file }, i) => {
    const target = targets.get(Number(id))
    const key = target ? `${target.kind} ${target.documentNumber}` : `file ${String(file)}`
    const twice = seen.has(key)
    seen.add(key)
    const said = sentenceFor(kind, documentNumber, declared, { target, file: files.has(file) && file, twice })
    return said ? [violation(`${field}[${i}]`, said)] : []
  })
}

interface ReferenceInput {
  readonly target: Target | undefined
  readonly file: unknown
  readonly twice: boolean
}

function sentenceFor(
  kind: DocumentKind,
  documentNumber: string,
  { to, files }: ReferenceTargets,
  { target, file, twice }: ReferenceInput,
): string | undefined {
  if (Boolean(target) === Boolean(file)) return `Please choose a document${files ? ' or a file' : ''}`
  if (file) return files ? (twice ? 'This file is listed twice' : undefined) : 'Files can’t be added here'
  if (!target) return undefined
  if (!to.includes(target.kind)) return `${target.documentNumber} is not of a type that can be added here`
  if (target.kind === kind.kind && target.documentNumber === documentNumber && target.clientId !== 0)
    return 'A document can’t refer to itself'
  return twice ? `${target.documentNumber} is listed twice` : undefined
}

type Values = Readonly<Record<string, unknown>>

interface Save {
  /** Values in the request. */
  readonly given: Values
  readonly before: Values | undefined
  /** All values after the change. */
  readonly next: Values
  /** Changed lists; undefined for a new record, in which all lists are treated as changed. */
  readonly changed?: readonly RowsFieldChange[]
}

/**
 * Synchronises each list of references with the field for its first document. If the request sets the field to another
 * document, updates the list; otherwise updates the field. Throws 400 if the named document is not accessible.
 */
export async function syncFirstReference(c: Context, kind: DocumentKind, save: Save): Promise<DocumentValues> {
  const settled: Record<string, unknown> = {}
  for (const [field, { first }] of Object.entries(kind.references ?? {})) {
    const of = first && kind.sources?.()[first.source]
    if (!of) continue
    const named = save.given[first.source]
    if (save.changed && named === undefined && !save.changed.some((change) => change.field === field)) continue
    const list = toRowObjects(save.next[field])
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

/**
 * Returns the list with the named document in place of its previous first document. If no document is named, removes
 * the previous first document. Throws 400 if the named document is not accessible.
 */
async function withFirst(c: Context, of: DocumentKind, list: readonly Values[], named: unknown, was: unknown) {
  const [former, id] = [idNamed(of, was), idNamed(of, named)]
  if (named && !(id && (await filterReadableIds(c.work.tx, c.actor, of.resource, [id])).has(id)))
    throw problem.unknownTarget(toText(named))
  const others = list.filter(({ target }) => target !== former && target !== id)
  if (id === undefined) return others
  return [list.find(({ target }) => target === id) ?? { target: id, file: null, notes: '' }, ...others]
}
