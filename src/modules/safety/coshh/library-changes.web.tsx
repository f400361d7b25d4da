import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import page from '#web/ui/page.module.css'
import { substance, substanceLimit } from '../substances/substance.ts'
import { changedLibraryFields, hasNewerDataSheet } from './library-changes.ts'
import { type SubstanceUse, substanceUsesInRecord } from './substances-used.ts'

type Library = RecordOf<typeof substance>

/**
 * Fetches the current library data of an assessment's substances, by `@id`. Omits substances that the user can no
 * longer read.
 */
export function useCurrentLibrarySubstances(rows: readonly SubstanceUse[]): ReadonlyMap<string, Library> {
  const ids = [...new Set(rows.flatMap(({ substance: of }) => idFromAnyIri(linkedRecordIri(of) ?? '') ?? []))].toSorted(
    (a, b) => a - b,
  )
  const enabled = ids.length > 0
  const found = useList(substance, { id: ids, itemsPerPage: 100 }, { enabled }).data?.['hydra:member']
  const limits = useList(substanceLimit, { substance: ids, pagination: false }, { enabled }).data?.['hydra:member']
  if (!found || !limits) return new Map()
  return new Map(
    found.map((one) => [
      one['@id'],
      { ...one, limits: limits.filter((limit) => linkedRecordIri(limit.substance) === one['@id']) },
    ]),
  )
}

export const currentLibrarySubstanceFor = (
  all: ReadonlyMap<string, Library>,
  { substance: of }: SubstanceUse,
): Library | undefined => all.get(linkedRecordIri(of) ?? '')

/**
 * Substances whose library data has changed since the assessment was completed. Shown to authors, except for drafts.
 */
export default function ChangedLibrarySubstances({ record }: DocumentBodyProps) {
  const writes = hasRole(useActor(), DOCUMENT_AUTHOR_ROLES) && record.state !== 'draft'
  const rows = writes ? substanceUsesInRecord(record) : []
  const library = useCurrentLibrarySubstances(rows)
  const found = rows.flatMap((row) => {
    const now = currentLibrarySubstanceFor(library, row)
    const changed = now ? changedLibraryFields(row, now) : []
    return now && changed.length ? [{ name: toText(row.name), changed, sheet: hasNewerDataSheet(row, now) }] : []
  })
  if (!found.length) return null
  return (
    <section className={page.card} aria-labelledby="newer-in-library">
      <h2 id="newer-in-library">Changed in the library since this revision</h2>
      <ul>
        {found.map(({ name, changed, sheet }) => (
          <li key={name}>
            <strong>{name}</strong>
            {`: ${new Intl.ListFormat('en-GB').format(changed)}.`}
            {sheet && ' The data sheet has been replaced. Please review this assessment.'}
          </li>
        ))}
      </ul>
      <p className={page.quiet}>
        This sealed revision stays unchanged. In the next revision, you can update each substance from the library.
      </p>
    </section>
  )
}
