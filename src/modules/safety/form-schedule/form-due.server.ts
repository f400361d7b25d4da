import { ukDay } from '#kernel/time.ts'
import { READERS } from '#modules/documents/rights.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { remind } from '#server/jobs/remind.ts'
import { customForm } from '../custom-forms/custom-form.ts'
import { fillPath } from '../custom-forms/paths.ts'
import { formSchedule } from './form-schedule.ts'

/** Notification: a form is due for completion. */
export const formDue = notificationType({
  kind: 'form.due',
  label: 'Forms that I have to complete',
  for: READERS,
  icon: 'file',
  of: formSchedule,
  words: ({ title, dueOn, place }) => `Complete “${title}”, due ${ukDay(dueOn)}${place ? `: ${place}` : ''}`,
  path: ({ form }) => fillPath(form.id),
  waits: 'Safety',
  todo: 'to complete',
  mail: true,
})

/** Reminds the assignee on the due date, one day later and one week later, unless completed. */
export const remindFormsDue = remind({
  name: 'form.due',
  of: formSchedule,
  on: 'dueOn',
  daily: '06:30',
  daysBefore: [0, -1, -7],
  where: { retired: false },
  send: async (c, { id, user, form }) => {
    const asked = await c.get(customForm, form)
    if (asked?.live && !asked.retired) await notify(c, formDue, [{ to: user, about: id }])
  },
})
