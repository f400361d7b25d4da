import { iriOf, type RowOf } from '#kernel/resource.ts'
import { breakLinksInText } from '#kernel/text/letter-words.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { takeRecipientAllowance } from '#modules/portal/mail/allowance.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { remind } from '#server/jobs/remind.ts'
import { correctiveAction, OPEN_ACTION_STATES } from './corrective-action.ts'
import { actionsNav, correctiveActionPath } from './nav.ts'

const MAX_WORDS = 120

/** Notification: a corrective action waits for its owner. A reminder makes it unread again. */
export const actionDueNotice = notificationType({
  kind: 'action.due',
  label: 'Corrective actions that I have to complete',
  for: actionsNav.register.allow,
  icon: actionsNav.register.icon,
  of: correctiveAction,
  words: ({ number, deadline, description }) =>
    `Corrective action ${number}${deadline ? `, due ${ukDay(deadline)}` : ''}: ${description.slice(0, MAX_WORDS)}`,
  path: ({ id }) => correctiveActionPath(id),
  waits: 'Safety',
  todo: 'to complete',
  mail: true,
})

/** Notifies the owner: in the portal, or by e-mail without an account. The e-mail counts in the company's daily limit. */
export async function notifyOwner(
  c: Context,
  row: RowOf<typeof correctiveAction>,
  why: 'assigned' | 'reopened' | 'reminded',
): Promise<void> {
  if (row.owner !== null)
    return notifyUsers(c, actionDueNotice, [{ to: row.owner, about: row.id, read: row.owner === c.actor.userId }])
  if (!row.email) return
  await takeRecipientAllowance(c, 1)
  const [ours, [asks]] = [await c.get(client, c.clientId), await c.find(user, { username: row.author ?? '' })]
  const say = breakLinksInText
  const company = say(ours?.company ?? '')
  const isLate = row.deadline !== null && row.deadline < londonDate(c.now).toString()
  const first = {
    assigned: `${company} has assigned corrective action ${row.number} to you:`,
    reopened: `${company} has reopened corrective action ${row.number}, which is assigned to you:`,
    reminded: `Corrective action ${row.number} of ${company} ${isLate ? 'is overdue' : 'is due soon'}:`,
  }
  await c.emit(emailRequested, {
    to: row.email,
    subject: `${why === 'reminded' ? 'Reminder: corrective' : 'Corrective'} action ${row.number} of ${company}`,
    body: [
      `Dear ${say(row.managerName)},`,
      first[why],
      `“${say(row.description)}”`,
      ...(row.deadline ? [`Deadline: ${ukDay(row.deadline)}`] : []),
      `Please inform ${say(asks?.name ?? company)} when it is done.`,
    ].join('\n\n'),
    template: 'corrective-action',
    about: iriOf(correctiveAction, row.id),
  })
}

const WEEK = 7
const WEEKS_LATE = 52
const daysBefore = [WEEK, 1, 0, ...Array.from({ length: WEEKS_LATE }, (_, week) => -WEEK * (week + 1))]

/** Reminds owners before the deadline, on the day, and weekly when late. */
export const actionDueReminder = remind({
  name: 'action.due',
  of: correctiveAction,
  on: 'deadline',
  daily: '07:00',
  daysBefore,
  where: { state: [...OPEN_ACTION_STATES], retired: false },
  send: async (c, row) => {
    await c.attempt(() => notifyOwner(c, row, 'reminded'))
  },
})
