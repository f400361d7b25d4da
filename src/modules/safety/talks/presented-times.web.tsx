import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Values } from '#kernel/forms/visible.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { attendanceSummaryText, countAttendance } from '../attendance/attendance-text.ts'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import css from './talks.module.css'
import { presentedTalk, talkAttendee } from './toolbox-talk.ts'

/** Records of a talk's presentations, shown on the talk's page. */
export default function TalkPresentationRecords({ record }: { readonly record: Values }) {
  const list = useList(presentedTalk, { talk: String(record.id), retired: false, itemsPerPage: 10 })
  const times = list.data?.['hydra:member']
  const people = useList(
    talkAttendee,
    { presented: times?.map((t) => t['@id']), pagination: false },
    { enabled: Boolean(times?.length) },
  ).data?.['hydra:member']
  if (!times?.length) return null
  return (
    <section className={page.card} aria-labelledby="presented">
      <h2 id="presented">Presented</h2>
      <ul className={css.plain}>
        {times.map((t) => (
          <li key={t.id}>
            <Anchor component={Link} to={`${PRESENTED_TALKS_PATH}/${t.id}`}>
              {formatIsoAsUkDate(t.date)}
            </Anchor>{' '}
            {[t.place, t.presenter].filter(Boolean).join(', ')}
            {people && `: ${attendanceSummaryText(countAttendance(people.filter((p) => p.presented === t['@id'])))}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
