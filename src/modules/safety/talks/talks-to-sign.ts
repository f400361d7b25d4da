import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { defineItemsToSignList, type ItemToSign } from '#modules/documents/types/to-sign.ts'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import type { attendeeWithTalk } from './toolbox-talk.ts'

/** Number of days after the talk during which absent people should sign late. */
const CATCH_UP_DAYS = 7

/** Converts an attendee who has not signed into an item to sign: on the day of the talk or, after an absence, within a week. */
export const talkToSign = ({
  id,
  absence,
  presented: { id: record, talk, title, presenter, place, date },
}: RecordOf<typeof attendeeWithTalk>): ItemToSign => ({
  key: `talk ${id}`,
  document: idFromAnyIri(talk),
  to: `${PRESENTED_TALKS_PATH}/${record}`,
  title: title ?? 'Toolbox talk',
  detail: `Talk presented by ${presenter} on ${formatIsoDateAsUk(date)}${place ? `, ${place}` : ''}: ${
    absence?.trim() ? 'you were absent; please read the talk and sign late' : 'please sign that you attended'
  }`,
  by: absence?.trim() ? Temporal.PlainDate.from(date).add({ days: CATCH_UP_DAYS }).toString() : date,
})

/** Talks that the user has to sign as an attendee. */
export const talksToSign = defineItemsToSignList('/api/safety/toolbox_talk_attendees/mine', talkToSign)
