import type { RowOf } from '#kernel/resource.ts'
import { composeEmail, defineEmail } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { reviewReasons } from './request-review.ts'

interface ReviewFacts {
  readonly noun: string
  readonly documentNumber: string
  readonly title: string
  readonly due: string
  readonly isLate: boolean
  /** Reasons for which a review was requested. */
  readonly reasons: readonly string[]
  /** URL of the document's page, if the portal's own URL is known. */
  readonly link: string
}

const reviewEmail = defineEmail<ReviewFacts>({
  name: 'document.review',
  title: 'Document review due',
  subject: ({ documentNumber, title, due, isLate }) =>
    `${isLate ? 'Review due' : `Review by ${formatIsoDateAsUk(due)}`}: ${documentNumber} ${preventAutolinking(title)}`,
  paragraphs: ({ noun, documentNumber, title, due, reasons, link }) => [
    `The ${noun} ${documentNumber} "${preventAutolinking(title)}" is due for review by ${formatIsoDateAsUk(due)}. Please read it. If anything has changed, start the next revision; otherwise mark it as reviewed.`,
    preventAutolinking(reasons.join(' ')),
    link,
  ],
  sample: {
    noun: 'risk assessment',
    documentNumber: 'RA-00012',
    title: 'Work at height',
    due: '2026-03-20',
    isLate: false,
    reasons: ['The hazard “Falls from height” has changed.'],
    link: 'https://portal.example/safety/risk/view/12',
  },
})

/**
 * Creates the schedule that reminds a document's author and the client's administrators of a review: 30 days before, 7
 * days before and on the review date.
 */
const reviewReminder = (kinds: readonly DocumentKind[]) =>
  reminderSchedule({
    name: 'document.review',
    of: document,
    on: 'reviewDue',
    daily: '07:00',
    daysBefore: [30, 7, 0],
    where: { current: true },
    send: async (c, row, { day, late }) => {
      const kind = kinds.find((k) => k.kind === row.kind)
      const { publicUrl } = c.engine.config
      const email = composeEmail(reviewEmail, {
        noun: kind?.noun ?? 'document',
        documentNumber: row.documentNumber,
        title: row.title ?? '',
        due: day.toString(),
        isLate: late,
        reasons: reviewReasons(row),
        link: publicUrl && kind ? `${publicUrl}${kind.screens.list}/view/${row.id}` : '',
      })
      for (const to of await addressesOf(c, row)) await c.emit(emailRequested, { to, ...email })
    },
  })

/** Returns the e-mail addresses of the author and the client's administrators. */
async function addressesOf(c: Context, row: RowOf<typeof document>): Promise<string[]> {
  const found = await c.work.tx.rows<{ email: string }>(
    `SELECT DISTINCT ON (lower(email)) email FROM user_account WHERE client_id = $1 AND NOT is_retired AND email LIKE '%@%'
       AND (username = $2 OR 'ROLE_CLIENT_ADMIN' = ANY(roles)) ORDER BY lower(email), id`,
    [c.clientId, row.author],
  )
  return found.map((u) => u.email)
}

export const documentReview = (kinds: readonly DocumentKind[]) =>
  feature({ schedules: [reviewReminder(kinds)], emails: [reviewEmail] })
