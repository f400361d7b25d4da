import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { DOCUMENT_AUTHORS } from '#modules/documents/rights.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { currentLibrarySubstanceOf, useCurrentLibrarySubstances } from './current-library.web.ts'
import { changedLibraryFields, hasNewerDataSheet } from './library-changes.ts'
import { substanceUsesOfRecord } from './substances-used.ts'

/** Substances whose library data has changed since the assessment was completed. Shown to authors. */
export default function ChangedLibrarySubstances({ record }: DocumentBodyProps) {
  const writes = hasRole(useActor(), DOCUMENT_AUTHORS) && record.state !== 'draft'
  const rows = writes ? substanceUsesOfRecord(record) : []
  const library = useCurrentLibrarySubstances(rows)
  const found = rows.flatMap((row) => {
    const now = currentLibrarySubstanceOf(library, row)
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
