import type { ReferenceList } from '#server/pdf/furniture.ts'
import type { DocumentKind } from '../types/kind.ts'
import { calledOf, type Reference, referencesIn } from '../types/reference.ts'

/** What a document refers to, as its paper says it; lists without any are left out. A draft's are as they are today. */
export const printedReferences = (
  { references }: Pick<DocumentKind, 'references'>,
  record: Readonly<Record<string, unknown>>,
): ReferenceList[] =>
  referencesIn(references, record)
    .filter(({ rows }) => rows.length > 0)
    .map(({ label, rows }) => ({ heading: label, rows: rows.flatMap(printed) }))

function printed({ target, file, notes, digest }: Reference): ReferenceList['rows'] {
  const sealedCells = (sealed: string | null | undefined, on: string | null | undefined) => ({
    ...(notes ? { notes } : {}),
    ...((digest ?? sealed) ? { digest: digest ?? sealed ?? '' } : {}),
    ...(on ? { on } : {}),
  })
  if (target)
    return [
      {
        number: target.documentNumber,
        revision: target.revision,
        title: calledOf(target),
        ...sealedCells(target.seal, target.completedAt),
      },
    ]
  // A file is called by its own name: its label is anybody's to change.
  return file ? [{ number: 'File', title: file.name, ...sealedCells(file.checksum, file.createdAt) }] : []
}
