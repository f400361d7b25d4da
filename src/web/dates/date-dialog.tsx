import { TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { CalendarDialog, calendarProps } from './calendar.tsx'
import { joinDateAndTime, londonToday, splitDateAndTime } from './uk-dates.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly withTime?: boolean
  readonly min?: string
  readonly max?: string
}

/** Dialog for choosing a day and an optional time. The value does not change until the person clicks OK. */
export function DateDialog({ opened, onClose, title, value, onChange, withTime = false, min, max }: Props) {
  const given =
    value === null ? { day: null, time: '09:00' } : withTime ? splitDateAndTime(value) : { day: value, time: '' }
  const [draft, setDraft] = useState<{ day: string | null; time: string }>(given)
  const [was, setWas] = useState(opened)
  if (was !== opened) {
    setWas(opened)
    if (opened) setDraft(given)
  }
  const result = draft.day === null ? undefined : withTime ? joinDateAndTime(draft.day, draft.time) : draft.day
  const ok = () => {
    if (result === undefined) return
    onChange(result)
    onClose()
  }
  return (
    <CalendarDialog opened={opened} onClose={onClose} onOk={ok} ready={result !== undefined} title={title}>
      <DatePicker
        {...calendarProps}
        value={draft.day}
        defaultDate={draft.day ?? londonToday()}
        onChange={(day) => setDraft({ ...draft, day })}
        highlightToday
        {...(min ? { minDate: min } : {})}
        {...(max ? { maxDate: max } : {})}
      />
      {withTime && (
        <TextInput
          label="Time"
          placeholder="HH:mm"
          inputMode="numeric"
          autoComplete="off"
          error={result === undefined && draft.day ? 'Please enter a time such as 09:30' : undefined}
          mt="xs"
          value={draft.time}
          onChange={(e) => setDraft({ ...draft, time: e.currentTarget.value })}
        />
      )}
    </CalendarDialog>
  )
}
