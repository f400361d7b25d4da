import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { emailRequested, PORTAL_NAME_PLACEHOLDER, sanitiseNameForEmail } from '#modules/portal/mail/letter.ts'
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
  await c.withoutPermissionCheck('planning is serialised per consultant').lock(staff, consultant)
  const others = await c.work.tx.rows(
    `SELECT 1 FROM site_visit v WHERE v.client_id = $1 AND v.consultant_id = $2 AND v.id <> $3 AND v.state = 'planned'
       AND v.starts_at < $4::timestamptz + make_interval(mins => $5) AND $4::timestamptz < v.starts_at + make_interval(mins => v.minutes)`,
    [c.clientId, consultant, id, startsAt, minutes],
  )
  if (others.length) throw problem.invalid([violation('startsAt', 'The consultant has another visit at that time')])
}

/** Sends an e-mail to the visit's contact person. Throws 409 if the visit has no e-mail address. */
async function writeTo(c: Context, visit: Visit, subject: string, words: string): Promise<void> {
  const to = visit.email?.trim() ?? ''
  if (!to) throw problem.conflict('This visit has no e-mail address. Please enter one first.')
  const who = authorOf(c.actor)
  await c.emit(emailRequested, {
    to,
    subject,
    body: `Hello${visit.contactName ? ` ${sanitiseNameForEmail(visit.contactName)}` : ''},\n\n${words}\n\n${sanitiseNameForEmail(who.name)}, ${PORTAL_NAME_PLACEHOLDER}`,
    template: 'site-visit',
    author: who.username,
    about: `${siteVisit.url}/${visit.id}`,
  })
}

const whenOf = ({ startsAt }: Visit) => formatUkDateTime(Temporal.Instant.from(startsAt))

const siteVisitBehaviour = behaviour(siteVisit, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.state !== 'planned') throw problem.conflict('This visit is completed, so it can’t be changed.')
    const consultant = values.consultant ?? (await ensureStaffRecordId(c)) ?? null
    if (consultant === null) throw problem.invalid([violation('consultant', 'Please choose the consultant')])
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
      const when = whenOf(row)
      await writeTo(
        c,
        row,
        `Our visit on ${when}`,
        `${sanitiseNameForEmail(who?.name ?? 'A consultant')} will visit you on ${when}, for about ${row.minutes} minutes: ${row.purpose}.\n\nPlace: ${row.place || 'your address'}.\n\nPlease reply to this e-mail if this does not suit you.`,
      )
      return { set: { confirmedAt: c.now.toString() } }
    },
    finish: async (c) => {
      const { row, input } = c
      if (Temporal.Instant.compare(Temporal.Instant.from(row.startsAt), c.now) > 0)
        throw problem.conflict('This visit has not started yet. Please write the report once the visit has started.')
      if (input.send === 'yes') await writeTo(c, row, `Our visit on ${whenOf(row)}: ${row.purpose}`, input.report)
      return { set: { report: input.report, doneAt: c.now.toString(), state: 'done' as const } }
    },
    cancel: ({ input }) => ({ set: { reason: input.reason, state: 'cancelled' as const } }),
  },
})

export const siteVisits = feature({
  resources: [siteVisit],
  behaviours: [siteVisitBehaviour],
  seeds: () => import('./demo.server.ts'),
})
