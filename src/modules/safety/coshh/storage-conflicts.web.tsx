import { toText } from '#kernel/text.ts'
import { findStorageConflicts, findSubstancesWithUnknownStorage } from '../substances/storage.ts'
import css from './body.module.css'
import type { SubstanceUse } from './substances-used.ts'

const nameOf = (all: readonly SubstanceUse[], at: number) => toText(all[at]?.name).trim() || `Substance ${at + 1}`

/**
 * Lists pairs of substances that must be stored separately, each with the reason and source. Also lists substances
 * whose storage requirements are unknown.
 */
export function StorageConflicts({ substances }: { readonly substances: readonly SubstanceUse[] }) {
  const conflicts = findStorageConflicts(substances)
  const unknown = substances.length > 1 ? findSubstancesWithUnknownStorage(substances) : []
  if (!conflicts.length && !unknown.length) return null
  return (
    <section aria-label="Store separately">
      <h3>Store separately</h3>
      <ul className={css.list}>
        {conflicts.map(({ between: [one, other], why, basis }) => (
          <li key={`${one} ${other}`}>
            <strong>{`${nameOf(substances, one)} and ${nameOf(substances, other)}`}</strong>
            {`: ${why} `}
            <span className={css.quiet}>{`(${basis}. The data sheets take precedence.)`}</span>
          </li>
        ))}
        {unknown.map((at) => (
          <li key={at}>{`${nameOf(substances, at)}: no hazard statement, so storage conflicts can’t be checked.`}</li>
        ))}
      </ul>
    </section>
  )
}
