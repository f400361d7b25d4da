import { IconCalendar } from '@tabler/icons-react'
import { DatePickerField } from './picked-field.tsx'
import type { ParsedTextFieldProps } from './typed-field.tsx'
import { formatIsoAsUkDate, parseUkDate } from './uk-dates.ts'

export interface DateFieldProps extends ParsedTextFieldProps {
  /** Earliest and latest day that the picker offers. A day typed without a year is at most the latest. */
  readonly min?: string
  readonly max?: string
}

/** Field for a date, typed as `28/02/2026` or chosen from a calendar. The value is an ISO date: `2026-02-28`. */
export const DateField = (props: DateFieldProps) => (
  <DatePickerField
    {...props}
    parse={(typed) => parseUkDate(typed, undefined, props.max)}
    show={formatIsoAsUkDate}
    wrong="Please enter a date such as 28/02/2026"
    placeholder="DD/MM/YYYY"
    icon={<IconCalendar size={18} aria-hidden />}
    what="date"
  />
)
