import { iriOf } from '#kernel/resource.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import css from '../printing/dialogs.module.css'
import { document, documentSending } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'

/**
 * Recipients of this revision, latest first. A recipient received the revision by e-mail or in response to a request.
 * Renders nothing if the revision was never sent.
 */
export function DocumentSendingLog({ record }: { readonly record: DocumentRecord }) {
  const list = useList(documentSending, { document: iriOf(document, record.id), itemsPerPage: 100 })
  const sent = list.data?.['hydra:member'] ?? []
  const nameOf = usePersonNames(sent.map((s) => s.author))
  const more = (list.data?.['hydra:totalItems'] ?? sent.length) - sent.length
  if (!sent.length) return null
  return (
    <section className={page.card} aria-labelledby="sent">
      <h2 id="sent">Sent</h2>
      <ul className={css.sent}>
        {sent.map((s) => (
          <li key={s.id}>
            <strong>{s.addresses.join(', ')}</strong>
            <span className={page.quiet}>
              {`${nameOf(s.author)}, `}
              <DateTimeText at={s.sentAt} />
            </span>
            {s.message && <span className={css.message}>{`“${s.message}”`}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={page.quiet}>{`And ${more} earlier e-mails.`}</p>}
    </section>
  )
}
