import type { DocumentKind } from '../types/kind.ts'
import { type ReferredDocument, referencesIn } from '../types/reference.ts'

/** A paper that a later revision has in another revision. */
export interface ReplacedPaper {
  readonly before: ReferredDocument
  readonly after: ReferredDocument
}

type Values = Readonly<Record<string, unknown>>

const papersIn = (kind: Pick<DocumentKind, 'references'>, record: Values) =>
  referencesIn(kind.references, record).flatMap(({ rows }) => rows.flatMap(({ target }) => target ?? []))

/** The papers that both of two revisions refer to, each in another revision. */
export const replacedPapers = (
  kind: Pick<DocumentKind, 'references'>,
  before: Values,
  after: Values,
): ReplacedPaper[] =>
  papersIn(kind, after).flatMap((now) => {
    const old = papersIn(kind, before).find((p) => p.kind === now.kind && p.documentNumber === now.documentNumber)
    return old && old.id !== now.id ? { before: old, after: now } : []
  })
