import { ukDay } from '#kernel/time.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { remind } from '#server/jobs/remind.ts'
import { customForm } from '../custom-forms/custom-form.ts'
import { completeFormPath } from '../custom-forms/paths.ts'
import { formSchedule } from './form-schedule.ts'

/** Notification: a form is due for completion. */
export const formDueNotice = notificationType({
  kind: 'form.due',
  label: 'Forms that I have to complete',
  for: DOCUMENT_READERS,
  icon: 'file',
  of: formSchedule,
  words: ({ title, dueOn, place }) => `Complete “${title}”, due ${ukDay(dueOn)}${place ? `: ${place}` : ''}`,
  path: ({ form }) => completeFormPath(form.id),
  waits: 'Safety',
  todo: 'to complete',
  mail: true,
})

/** Reminds the assignee on the due date, one day later and one week later, unless completed. */
export const formDueReminder = remind({
  name: 'form.due',
  of: formSchedule,
  on: 'dueOn',
  daily: '06:30',
  daysBefore: [0, -1, -7],
  where: { retired: false },
  send: async (c, { id, user, form }) => {
    const asked = await c.get(customForm, form)
    if (asked?.live && !asked.retired) await notifyUsers(c, formDueNotice, [{ to: user, about: id }])
  },
})
