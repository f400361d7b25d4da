import { Stack, Text, Title } from '@mantine/core'
import css from './calendar.module.css'
import type { LeaveCalendar } from './calendar.ts'
import { describeAbsence } from './period.ts'

interface Props {
  readonly calendar: LeaveCalendar
  readonly onOpen: (request: number) => void
}

/** The calendar on a phone: absences in the order of their days, and days with too few people at work. */
export function Agenda({ calendar, onOpen }: Props) {
  const names = new Map(calendar.lanes.map(({ employee, name }) => [employee, name]))
  const sorted = calendar.absences.toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : 1))
  const short = calendar.cover.flatMap(({ department, days }) =>
    days.filter(({ atWork, minimum }) => atWork < minimum).map((one) => ({ ...one, department })),
  )
  return (
    <Stack gap="sm">
      {sorted.length ? (
        <ul className={css.list} aria-label="Absences">
          {sorted.map((one) => {
            const { request } = one
            const words = (
              <>
                <span className={css.sample}>
                  <span className={css.bar} data-state={one.state} style={{ left: 0, width: '100%' }} />
                </span>
                <span>
                  {names.get(one.employee)}
                  <br />
                  <Text span c="dimmed" size="sm">
                    {describeAbsence(one, calendar.kinds)}
                  </Text>
                </span>
              </>
            )
            return (
              <li key={`${one.employee} ${one.firstDay} ${one.portion} ${one.from}`}>
                {request ? (
                  <button type="button" className={css.entry} onClick={() => onOpen(request)}>
                    {words}
                  </button>
                ) : (
                  <div className={css.entry}>{words}</div>
                )}
              </li>
            )
          })}
        </ul>
      ) : (
        <Text>No absences in this period.</Text>
      )}
      {short.length > 0 && (
        <section>
          <Title order={2} size="h4">
            Fewer people at work than needed
          </Title>
          <ul>
            {short.map(({ department, day, atWork, minimum }) => (
              <li key={`${department} ${day}`}>
                {Temporal.PlainDate.from(day).toLocaleString('en-GB', {
                  weekday: 'short',
                  day: 'numeric',
                  month: 'short',
                })}
                , {department}: {atWork} of {minimum}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  )
}
