import { IconCalendarClock } from '@tabler/icons-react'
import { PickedField } from './picked-field.tsx'
import type { TypedProps } from './typed-field.tsx'
import { parseMoment, showMoment } from './uk-dates.ts'

/** Field for a date and time in London, typed as `28/02/2026 09:30` or chosen; the value is ISO with offset. */
export const DateTimeField = (props: TypedProps) => (
  <PickedField
    {...props}
    parse={parseMoment}
    show={showMoment}
    wrong="Please enter a date and time such as 28/02/2026 09:30"
    placeholder="DD/MM/YYYY HH:mm"
    icon={<IconCalendarClock size={18} aria-hidden />}
    what="date and time"
    withTime
  />
)
