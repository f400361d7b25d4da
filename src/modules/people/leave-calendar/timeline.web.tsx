import { VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { listDays } from '../leave-rules/days.ts'
import css from './calendar.module.css'
import type { CalendarAbsence, CalendarLane, LeaveCalendar } from './calendar.ts'
import { describeAbsence, type Period, placeOf } from './period.ts'

const MONTH_DAYS = 31
const PERCENT = 100
const SATURDAY = 6

interface Props {
  readonly calendar: LeaveCalendar
  readonly onOpen: (request: number) => void
}

const groupAbsences = ({ absences }: LeaveCalendar): ReadonlyMap<number, readonly CalendarAbsence[]> =>
  Map.groupBy(absences, (one) => one.employee)

/** A lane for each person. A bar is a button where the reader may open the request. */
export function Timeline({ calendar, onOpen }: Props) {
  const { from, until, lanes } = calendar
  const period = { from, until }
  const absences = groupAbsences(calendar)
  return (
    // Scrolled with the keyboard where it is wider than the screen.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable with the keyboard
    <section className={css.scroll} aria-label="Calendar" tabIndex={0}>
      <table className={css.table}>
        <thead>
          <HeadRow calendar={calendar} />
        </thead>
        <tbody>
          {lanes.map((lane, n) => (
            <Fragment key={lane.employee}>
              {lane.department !== lanes[n - 1]?.department && <GroupRow lane={lane} calendar={calendar} />}
              <tr>
                <th scope="row" title={lane.name}>
                  {lane.name}
                </th>
                <td className={css.track}>
                  {(absences.get(lane.employee) ?? []).map((one) => (
                    <Bar
                      key={`${one.firstDay} ${one.portion} ${one.from}`}
                      absence={one}
                      period={period}
                      words={describeAbsence(one, calendar.kinds)}
                      onOpen={onOpen}
                    />
                  ))}
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface BarProps {
  readonly absence: CalendarAbsence
  readonly period: Period
  readonly words: string
  readonly onOpen: Props['onOpen']
}

function Bar({ absence, period, words, onOpen }: BarProps) {
  const { request, state } = absence
  const { start, size } = placeOf(absence, period)
  const style = { left: `${start * PERCENT}%`, width: `${size * PERCENT}%` }
  const look = { className: css.bar, 'data-state': state, style, title: words } as const
  return request ? (
    <button type="button" {...look} onClick={() => onOpen(request)}>
      <VisuallyHidden>{words}</VisuallyHidden>
    </button>
  ) : (
    <span {...look}>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}

/** Days of a month, or the months of a year. */
function HeadRow({ calendar: { from, until, bankHolidays } }: { readonly calendar: LeaveCalendar }) {
  const days = listDays(from, until)
  if (days.length > MONTH_DAYS)
    return (
      <tr>
        <th scope="row">Employee</th>
        <td className={css.days}>
          {days
            .filter((day) => day.endsWith('-01'))
            .map((day) => Temporal.PlainDate.from(day))
            .map((month) => (
              <span key={month.toString()} style={{ flexGrow: month.daysInMonth }}>
                {month.toLocaleString('en-GB', { month: 'short' })}
              </span>
            ))}
        </td>
      </tr>
    )
  const holidays = new Map(bankHolidays.map(({ day, nation }) => [day, nation]))
  return (
    <tr>
      <th scope="row">Employee</th>
      <td className={css.days}>
        {days.map((day) => {
          const date = Temporal.PlainDate.from(day)
          const isHoliday = holidays.has(day)
          return (
            <span key={day} data-off={date.dayOfWeek >= SATURDAY || isHoliday || undefined}>
              <abbr title={isHoliday ? 'Bank holiday' : date.toLocaleString('en-GB', { weekday: 'long' })}>
                {date.day}
              </abbr>
            </span>
          )
        })}
      </td>
    </tr>
  )
}

/** Name of a department, with its cover by day where it has a minimum. */
function GroupRow({ lane, calendar }: { readonly lane: CalendarLane; readonly calendar: LeaveCalendar }) {
  const cover = calendar.cover.find(({ department }) => department === lane.department)
  const byDay = new Map((cover?.days ?? []).map((one) => [one.day, one]))
  return (
    <tr className={css.group}>
      <th scope="row">{lane.department ?? 'No department'}</th>
      <td className={css.days}>
        {cover &&
          listDays(calendar.from, calendar.until).map((day) => {
            const one = byDay.get(day)
            const isShort = one && one.atWork < one.minimum
            return (
              <span key={day} data-short={isShort || undefined}>
                {one && (
                  <abbr title={`${one.atWork} at work, ${one.minimum} needed`}>
                    {one.atWork}
                    {isShort && <span aria-hidden>!</span>}
                  </abbr>
                )}
              </span>
            )
          })}
      </td>
    </tr>
  )
}
