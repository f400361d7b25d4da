import { lastMinuteOfDay } from '#kernel/time.ts'
import type { QueryParams } from '#web/api/client.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import css from '../types/documents.module.css'
import type { DocumentRecord } from '../types/record.web.ts'

const SOON_DAYS = 30

export const REVIEW_FILTER_OPTIONS = [
  { value: 'late', label: 'Overdue' },
  { value: 'soon', label: `Due within ${SOON_DAYS} days` },
  { value: 'unreviewed', label: 'Not reviewed' },
  { value: 'reviewed', label: 'Reviewed' },
] as const

export const reviewFilterParams = (due: string): QueryParams =>
  due === 'late'
    ? { 'reviewDue[strictly_before]': londonToday(), current: true }
    : due === 'soon'
      ? {
          'reviewDue[after]': londonToday(),
          'reviewDue[before]': Temporal.PlainDate.from(londonToday()).add({ days: SOON_DAYS }).toString(),
          current: true,
        }
      : due === ''
        ? {}
        : { reviewed: due === 'reviewed' }

interface Props {
  readonly record: Pick<DocumentRecord, 'reviewDue' | 'current' | 'reviewed'>
  /** True to show whether the document has been marked as reviewed. */
  readonly reviewed?: boolean
}

/** Review date of a document in force. */
export function ReviewDueDate({ record, reviewed = false }: Props) {
  const end =
    record.reviewDue && record.current ? lastMinuteOfDay(Temporal.PlainDate.from(record.reviewDue)).toString() : null
  if (!reviewed || !record.reviewed) return <RelativeTimeText at={end} due />
  return (
    <>
      <RelativeTimeText at={end} due />
      <span className={css.further}>, reviewed</span>
    </>
  )
}
