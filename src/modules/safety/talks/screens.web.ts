import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { defineItemsToSignList } from '#modules/documents/types/to-sign.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { safetyNav } from '../nav.ts'
import { talkScheduleNav } from '../schedule/paths.ts'
import { PRESENTED_TALKS_PATH, toolboxTalkInfo } from './talk-info.ts'
import type { attendeeWithTalk } from './toolbox-talk.ts'

/** Number of days after the talk during which absent people should sign late. */
const CATCH_UP_DAYS = 7

/** Talks that the user has to sign as an attendee: on the day of the talk or, after an absence, within a week. */
export const talksToSign = defineItemsToSignList<RecordOf<typeof attendeeWithTalk>>(
  '/api/safety/toolbox_talk_attendees/mine',
  ({ id, absence, presented: { id: record, talk, title, presenter, place, date } }) => ({
    key: `talk ${id}`,
    document: idFromAnyIri(talk),
    to: `${PRESENTED_TALKS_PATH}/${record}`,
    title: title ?? 'Toolbox talk',
    detail: `Talk presented by ${presenter} on ${formatIsoAsUkDate(date)}${place ? `, ${place}` : ''}: ${
      absence?.trim() ? 'you were absent; please read the talk and sign late' : 'please sign that you attended'
    }`,
    by: absence?.trim() ? Temporal.PlainDate.from(date).add({ days: CATCH_UP_DAYS }).toString() : date,
  }),
)

export const toolboxTalkScreens = screens({
  pages: [
    // Additional path, defined by the specification.
    {
      path: '/sfp/toolbox-talks',
      title: 'Safety',
      redirect: toolboxTalkInfo.screens.list,
      allow: DOCUMENT_READER_ROLES,
      pack: 'safety',
    },
    { ...pageFromNavigation(talkScheduleNav), load: () => import('../schedule/schedule.web.tsx') },
    {
      ...pageFromNavigation(safetyNav.presented),
      availableOffline: 'submitted',
      load: () => import('./presented-list.web.tsx'),
    },
    {
      path: `${PRESENTED_TALKS_PATH}/:slug`,
      title: 'Presented talk',
      recordsAt: '/api/safety/toolbox_talk_presenteds',
      allow: DOCUMENT_READER_ROLES,
      pack: 'safety',
      availableOffline: 'typed',
      load: () => import('./presented.web.tsx'),
    },
    {
      path: '/talk/:token',
      title: 'Toolbox talk',
      layout: 'blank',
      open: true,
      load: () => import('./link-page.web.tsx'),
    },
  ],
})
