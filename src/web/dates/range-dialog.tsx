import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { CalendarDialog, calendarProps } from './calendar.tsx'
import type { DateRange } from './date-range.ts'
import { formatIsoAsUkDate, londonToday } from './uk-dates.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  readonly value: DateRange
  readonly onChange: (value: DateRange) => void
}

/** Dialog for choosing the first and the last day. The value does not change until the person clicks OK. */
export function DateRangeDialog({ opened, onClose, title, value, onChange }: Props) {
  const [draft, setDraft] = useState<[string | null, string | null]>([value.start, value.end])
  const [was, setWas] = useState(opened)
  if (was !== opened) {
    setWas(opened)
    if (opened) setDraft([value.start, value.end])
  }
  const [start, end] = draft
  const ok = () => {
    onChange({ start, end })
    onClose()
  }
  return (
    <CalendarDialog opened={opened} onClose={onClose} onOk={ok} ready={start !== null && end !== null} title={title}>
      <DatePicker
        {...calendarProps}
        type="range"
        allowSingleDateInRange
        value={draft}
        defaultDate={start ?? londonToday()}
        onChange={setDraft}
        highlightToday
      />
      <p role="status">
        {start
          ? `${formatIsoAsUkDate(start)} to ${end ? formatIsoAsUkDate(end) : '…'}`
          : 'Choose the first and last day'}
      </p>
    </CalendarDialog>
  )
}
