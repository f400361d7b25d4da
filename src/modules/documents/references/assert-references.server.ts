import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { RowsChange } from '#server/data/rows.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { ReferenceTargets } from '../types/reference.ts'

type Target = RowOf<typeof document>

/** Maximum references per field. */
const MOST = 100

/**
 * Throws 422 for references that the type does not allow, each with its path. Whether a sealed document may refer to
 * them is checked on completion.
 */
export async function assertReferences(
  c: Context,
  kind: DocumentKind,
  documentNumber: string,
  changes: readonly RowsChange[],
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

/** Reads documents by ID, including the provider's. */
export async function readReferenceTargets(c: Context, ids: readonly unknown[]): Promise<ReadonlyMap<number, Target>> {
  const asked = [...new Set(ids)].filter((id) => typeof id === 'number')
  const found = asked.length ? await c.find(document, { id: asked }) : []
  return new Map(found.map((d) => [d.id, d]))
}

/** IDs of the files that belong to the document's company or the provider; the author may have access to others. */
async function idsOfFiles(c: Context, ids: readonly unknown[]): Promise<ReadonlySet<unknown>> {
  const asked = [...new Set(ids)].filter((id) => typeof id === 'number')
  const found = asked.length ? await c.find(uploadedDocument, { id: asked }) : []
  return new Set(found.map(({ id }) => id))
}

function wrongIn(
  kind: DocumentKind,
  documentNumber: string,
  { field, after, declared }: RowsChange & { readonly declared: ReferenceTargets },
  targets: ReadonlyMap<number, Target>,
  files: ReadonlySet<unknown>,
): Violation[] {
  if (after.length > MOST) return [violation(field, `You can add at most ${MOST} here`, 'too_big')]
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

interface Given {
  readonly target: Target | undefined
  readonly file: unknown
  readonly twice: boolean
}

function sentenceFor(
  kind: DocumentKind,
  documentNumber: string,
  { to, files }: ReferenceTargets,
  { target, file, twice }: Given,
): string | undefined {
  if (Boolean(target) === Boolean(file)) return `Please choose a document${files ? ' or a file' : ''}`
  if (file) return files ? (twice ? 'This file is listed twice' : undefined) : 'Files can’t be added here'
  if (!target) return undefined
  if (!to.includes(target.kind)) return `${target.documentNumber} is not of a type that can be added here`
  if (target.kind === kind.kind && target.documentNumber === documentNumber && target.clientId !== 0)
    return 'A document can’t refer to itself'
  return twice ? `${target.documentNumber} is listed twice` : undefined
}
