import type { RowOf } from '#kernel/resource.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { reviewReasons } from './request-review.ts'

/** Reminds a document's author and the client's administrators of a review, in three stages. */
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
      const noun = kind?.noun ?? 'document'
      const { publicUrl } = c.engine.config
      const link = publicUrl && kind ? `\n\n${publicUrl}${kind.screens.list}/view/${row.id}` : ''
      const on = formatIsoDateAsUk(day.toString())
      const reasons = row.reviewAsked
        ? `\n\n${preventAutolinking(reviewReasons({ reviewAsked: row.reviewAsked }).join(' '))}`
        : ''
      const words = preventAutolinking(row.title ?? '')
      const title = `${row.documentNumber} ${words}`
      for (const to of await addressesOf(c, row))
        await c.emit(emailRequested, {
          to,
          subject: late ? `Review due: ${title}` : `Review by ${on}: ${title}`,
          body: `The ${noun} ${row.documentNumber} "${words}" is due for review by ${on}. Please read it. If anything has changed, start the next revision; otherwise mark it as reviewed.${reasons}${link}`,
          template: 'document.review',
        })
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

export const documentReview = (kinds: readonly DocumentKind[]) => feature({ schedules: [reviewReminder(kinds)] })
