import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { composeEmail, defineEmail, emailGreeting, emailSignature, sanitiseNameForEmail } from '#kernel/system-email.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { ensureStaffRecordId } from '../staff/staff.server.ts'
import { staff } from '../staff/staff.ts'
import { siteVisit } from './site-visit.ts'

type Visit = RowOf<typeof siteVisit>

/** Throws 422 if the consultant has another visit at that time. */
async function mustBeFree(
  c: Context,
  { id = 0, consultant, startsAt, minutes }: Pick<Visit, 'consultant' | 'startsAt' | 'minutes'> & { id?: number },
): Promise<void> {
  if (consultant === null) return
  // Locks the consultant while a visit is planned, so that overlapping visits are detected even if they are planned
  // simultaneously.
  await c.withoutPermissionCheck('visits are planned one at a time for each consultant').lock(staff, consultant)
  const others = await c.work.tx.rows(
    `SELECT 1 FROM site_visit v WHERE v.client_id = $1 AND v.consultant_id = $2 AND v.id <> $3 AND v.state = 'planned'
       AND v.starts_at < $4::timestamptz + make_interval(mins => $5) AND $4::timestamptz < v.starts_at + make_interval(mins => v.minutes)`,
    [c.clientId, consultant, id, startsAt, minutes],
  )
  if (others.length) throw problem.invalid([violation('startsAt', 'The consultant has another visit at that time')])
}

interface SiteVisitFacts {
  readonly visit: Pick<Visit, 'contactName' | 'startsAt' | 'minutes' | 'place' | 'purpose'>
  /** Confirmation with the consultant's name, or the report of a completed visit. */
  readonly content: { readonly consultant: string } | { readonly report: string }
  /** Name of the user who sends the e-mail. */
  readonly sender: string
}

const siteVisitEmail = defineEmail<SiteVisitFacts>({
  name: 'site-visit',
  title: 'Site visit confirmation or report',
  subject: ({ visit: { startsAt, purpose }, content }) =>
    `Our visit on ${formatVisitTime(startsAt)}${'report' in content ? `: ${purpose}` : ''}`,
  paragraphs: ({ visit: { contactName, startsAt, minutes, purpose, place }, content, sender }) => [
    emailGreeting(contactName),
    ...('report' in content
      ? [content.report]
      : [
          `${sanitiseNameForEmail(content.consultant)} will visit you on ${formatVisitTime(startsAt)}, for about ${minutes} minutes: ${purpose}.`,
          `Place: ${place || 'your address'}.`,
          'Please reply to this e-mail if this visit does not suit you.',
        ]),
    emailSignature(sender),
  ],
  sample: {
    visit: {
      contactName: 'Ann Carter',
      startsAt: '2026-03-16T10:00:00Z',
      minutes: 90,
      place: '14 Wharf Street, Leeds',
      purpose: 'Annual audit',
    },
    content: { consultant: 'Sam Taylor' },
    sender: 'Sam Taylor',
  },
})

const formatVisitTime = (startsAt: string) => formatUkDateTime(Temporal.Instant.from(startsAt))

/** Sends an e-mail to the visit's contact person. Throws 409 if the visit has no e-mail address. */
async function writeTo(c: Context, visit: Visit, content: SiteVisitFacts['content']): Promise<void> {
  const to = visit.email?.trim() ?? ''
  if (!to) throw problem.conflict('This visit has no e-mail address. Please enter an e-mail address first.')
  const { name: sender, username: author } = authorOf(c.actor)
  await c.emit(emailRequested, {
    to,
    ...composeEmail(siteVisitEmail, { visit, content, sender }),
    author,
    about: `${siteVisit.url}/${visit.id}`,
  })
}

const siteVisitBehaviour = behaviour(siteVisit, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.state !== 'planned')
      throw problem.conflict('This visit is completed or cancelled, so it can’t be changed.')
    const consultant = values.consultant ?? (await ensureStaffRecordId(c)) ?? null
    if (consultant === null) throw problem.invalid([violation('consultant', 'Please choose a consultant')])
    if (values.startsAt && values.minutes && (!before || changes.startsAt || changes.minutes || changes.consultant))
      await mustBeFree(c, {
        ...(before ? { id: before.id } : {}),
        consultant,
        startsAt: values.startsAt,
        minutes: values.minutes,
      })
    return { consultant }
  },
  actions: {
    confirm: async (c) => {
      const { row } = c
      const who = row.consultant === null ? undefined : await c.get(staff, row.consultant)
      await writeTo(c, row, { consultant: who?.name ?? 'A consultant' })
      return { set: { confirmedAt: c.now.toString() } }
    },
    finish: async (c) => {
      const { row, input } = c
      if (Temporal.Instant.compare(Temporal.Instant.from(row.startsAt), c.now) > 0)
        throw problem.conflict('This visit has not started yet. Please write the report once the visit has started.')
      if (input.send === 'yes') await writeTo(c, row, { report: input.report })
      return { set: { report: input.report, doneAt: c.now.toString(), state: 'done' as const } }
    },
    cancel: ({ input }) => ({ set: { reason: input.reason, state: 'cancelled' as const } }),
  },
})

export const siteVisits = feature({
  resources: [siteVisit],
  behaviours: [siteVisitBehaviour],
  emails: [siteVisitEmail],
  seeds: () => import('./demo.server.ts'),
})
