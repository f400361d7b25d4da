import { idAtEnd } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { toSignList } from '#rooms/documents/kinds/to-sign.ts'
import { showDay } from '#web/dates/uk-dates.ts'
import { PRESENTED } from './talk-face.ts'
import type { namedForTalk } from './toolbox-talk.ts'

/** The talks that somebody was named for and has not signed that they heard: on the day, in the record. */
export const talksToSign = toSignList<RecordOf<typeof namedForTalk>>(
  '/api/safety/toolbox_talk_attendees/mine',
  ({ id, presented: { id: record, talk, title, presenter, place, date } }) => ({
    key: `talk ${id}`,
    document: idAtEnd(talk),
    to: `${PRESENTED}/${record}`,
    title: title ?? 'Toolbox talk',
    detail: `Talk presented by ${presenter} on ${showDay(date)}${place ? `, ${place}` : ''}: sign that you heard it`,
    by: date,
  }),
)
