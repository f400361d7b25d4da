import { iriOf } from '#kernel/resource.ts'
import { describeDelivery, type EmailDelivery } from '#modules/crm/mail/message.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import css from '../printing/dialogs.module.css'
import { document, documentSending } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'

/**
 * Recipients of this revision, latest first, with the delivery status of each e-mail. Recipients whose request was
 * answered have no e-mail. Renders nothing if the revision has no recipients.
 */
export function DocumentSendingLog({ record }: { readonly record: DocumentRecord }) {
  const list = useList(documentSending, { document: iriOf(document, record.id), itemsPerPage: 100 })
  const sent = list.data?.['hydra:member'] ?? []
  const nameOf = usePersonNames(sent.map((s) => s.author))
  const more = (list.data?.['hydra:totalItems'] ?? sent.length) - sent.length
  if (!sent.length) return null
  return (
    <section className={page.card} aria-labelledby="sent">
      <h2 id="sent">Recipients</h2>
      <ul className={css.sent}>
        {sent.map((s) => (
          <li key={s.id}>
            <strong>{s.addresses.join(', ')}</strong>
            {s.emails.map((email) => (
              <span key={email.recipient} className={page.quiet}>
                {describeDelivery({ ...email, state: email.state as EmailDelivery['state'] })}
              </span>
            ))}
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
