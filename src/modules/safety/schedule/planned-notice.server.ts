import { ukDay } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { remind } from '#server/jobs/remind.ts'
import { PRESENTER_ROLES } from '../talks/toolbox-talk.ts'
import { talkScheduleNav } from './paths.ts'
import { scheduledTalk } from './scheduled-talk.ts'

/** Notification: the recipient is to present a talk in a week. */
export const plannedTalkNotice = notificationType({
  kind: 'talk.planned',
  label: 'Talks for me to present',
  for: PRESENTER_ROLES,
  icon: 'calendar',
  of: scheduledTalk,
  words: ({ title, week, place }) => `Present “${title}” in the week of ${ukDay(week)}${place ? `: ${place}` : ''}`,
  path: () => `${talkScheduleNav.path}?show=mine`,
  waits: 'Safety',
  todo: 'to present',
  mail: true,
})

/**
 * Reminds presenters on the Friday before, on the Monday, and on the Friday of the week if the talk has not been
 * presented.
 */
export const remindPresenters = remind({
  name: 'talk.planned',
  of: scheduledTalk,
  on: 'week',
  daily: '07:00',
  daysBefore: [3, 0, -4],
  where: { presented: null, retired: false },
  unless: (_c, plan) => plan.user === null,
  send: async (c, { id, user }) => {
    if (user !== null) await notifyUsers(c, plannedTalkNotice, [{ to: user, about: id }])
  },
})
