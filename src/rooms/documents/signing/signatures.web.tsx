import { useList } from '#web/api/resources.ts'
import { Moment } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { document, signature } from '../kinds/document.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import { handWords } from './hand-words.ts'
import { Ink } from './ink.web.tsx'
import css from './signing.module.css'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Who has signed exactly this revision, how, and when. */
export function Signatures({ kind, record }: Props) {
  const list = useList(signature, { document: `${document.url}/${record.id}`, pagination: false })
  const signed = list.data?.['hydra:member']
  if (record.state === 'draft' && !signed?.length) return null
  return (
    <section className={page.card} aria-labelledby="signatures">
      <h2 id="signatures">{signed?.length ? `${signed.length} signed` : 'Signatures'}</h2>
      {signed === undefined ? (
        list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRows rows={3} />
        )
      ) : signed.length === 0 ? (
        <p
          className={page.quiet}
        >{`Nobody has signed this revision yet. Everybody who works to this ${kind.noun} should.`}</p>
      ) : (
        <ul className={css.signed}>
          {signed.map((s) => (
            <li key={s.id}>
              <div className={css.words}>
                <strong>{s.name}</strong>
                <span className={page.quiet}>
                  {handWords(s)}, <Moment at={s.signedAt} />
                </span>
              </div>
              <Ink of={s} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
