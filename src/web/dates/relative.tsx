import { IconClockExclamation } from '@tabler/icons-react'
import { formatUkDate, formatUkDateTime } from '#kernel/time.ts'
import css from './relative.module.css'
import { formatRelativeTime } from './relative-time.ts'
import { parseInstant } from './temporal.ts'
import { useNow } from './use-now.ts'

interface Props {
  /** Moment in Unix seconds, or as an ISO date and time with offset. */
  readonly at: number | string | null | undefined
  /**
   * True if the moment is a deadline, which is shown in red with an icon once it has passed; `callback` if this happens
   * only a quarter of an hour after the deadline.
   */
  readonly due?: boolean | 'callback'
  readonly empty?: string
}

const GRACE_MS = 15 * 60_000

/** Relative time, such as `in 3 days` or `2 h late`. Hovering shows the exact London time. */
export function RelativeTimeText({ at, due = false, empty = '—' }: Props) {
  const now = useNow()
  if (at === null || at === undefined || at === '') return <span>{empty}</span>
  const instant = parseInstant(at)
  const { text, late } = formatRelativeTime(instant, now, due !== false)
  const isLate = late && now.epochMilliseconds - instant.epochMilliseconds >= (due === 'callback' ? GRACE_MS : 0)
  return (
    <time
      className={css.time}
      data-late={isLate || undefined}
      dateTime={instant.toString()}
      title={formatUkDateTime(instant)}
    >
      {isLate && <IconClockExclamation size={15} aria-hidden />}
      {text}
    </time>
  )
}

/** Date and time in London, such as `28/02/2026 09:30`, or only the date. */
export function DateTimeText({
  at,
  day = false,
}: {
  readonly at: number | string | null | undefined
  readonly day?: boolean
}) {
  if (at === null || at === undefined || at === '') return <span>—</span>
  const instant = parseInstant(at)
  return (
    <time className={css.time} dateTime={instant.toString()} title={formatUkDateTime(instant)}>
      {day ? formatUkDate(instant) : formatUkDateTime(instant)}
    </time>
  )
}
