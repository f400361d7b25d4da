import { IconCalendarClock } from '@tabler/icons-react'
import { DatePickerField } from './picked-field.tsx'
import type { ParsedTextFieldProps } from './typed-field.tsx'
import { formatIsoAsUkDateTime, parseUkDateTime } from './uk-dates.ts'

/**
 * Field for a date and time in London, typed as `28/02/2026 09:30` or chosen from a calendar. The value is an ISO date
 * and time with offset.
 */
export const DateTimeField = (props: ParsedTextFieldProps) => (
  <DatePickerField
    {...props}
    parse={parseUkDateTime}
    show={formatIsoAsUkDateTime}
    wrong="Please enter a date and time such as 28/02/2026 09:30"
    placeholder="DD/MM/YYYY HH:mm"
    icon={<IconCalendarClock size={18} aria-hidden />}
    what="date and time"
    withTime
  />
)
