import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import type { DocumentKind } from '../types/kind.ts'
import { referencedTitle, referencesIn } from '../types/reference.ts'
import css from './references.module.css'

interface Props {
  readonly kind: DocumentKind
  readonly record: Readonly<Record<string, unknown>>
}

export const PrintedReferenceLists = ({ kind, record }: Props) =>
  referencesIn(kind.references, record)
    .filter(({ rows }) => rows.length > 0)
    .map(({ field, label, rows }) => (
      <section key={field}>
        <h2>{label}</h2>
        <ol className={css.used}>
          {rows.map(({ target, file, notes, digest }, i) => {
            const sealed = digest ?? target?.seal ?? file?.checksum
            const day = (target?.completedAt ?? file?.createdAt)?.slice(0, 10)
            return (
              <li key={target?.['@id'] ?? file?.['@id'] ?? i}>
                <strong>{target ? `${target.documentNumber}, revision ${target.revision}` : 'File'}</strong>
                <span>{target ? referencedTitle(target) : file?.name}</span>
                {sealed && <code>{sealed.slice(0, 8)}</code>}
                {day && <span>{formatIsoAsUkDate(day)}</span>}
                {notes && <span>{notes}</span>}
              </li>
            )
          })}
        </ol>
      </section>
    ))
