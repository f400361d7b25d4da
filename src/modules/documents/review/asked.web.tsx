import page from '#web/ui/page.module.css'
import type { DocumentRecord } from '../types/record.web.ts'
import { reasonsOf } from './asked.ts'

/** Why the review of a document was asked for, to whoever reviews it; nothing where it was not. */
export function ReviewAsked({ record }: { readonly record: Pick<DocumentRecord, 'reviewAsked'> }) {
  const reasons = reasonsOf(record)
  if (!reasons.length) return null
  return (
    <section className={page.card} aria-labelledby="review-asked">
      <h2 id="review-asked">Its review is asked for</h2>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </section>
  )
}
