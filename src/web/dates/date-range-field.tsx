import '@mantine/core/styles/Fieldset.layer.css'
import { Fieldset, Group } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import type { DateRange } from './date-range.ts'
import css from './halves.module.css'
import { ParsedTextField } from './typed-field.tsx'
import './temporal.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { formatIsoAsUkDate, parseUkDate } from './uk-dates.ts'

const RangeDialog = lazyComponent(async () => ({ default: (await import('./range-dialog.tsx')).DateRangeDialog }))

interface Props {
  readonly label: string
  readonly value: DateRange
  readonly onChange: (value: DateRange) => void
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly error?: ReactNode
}

/** Field for a first and a last day, which are typed separately or chosen together from a calendar. */
export function DateRangeField({ label, value, onChange, required = false, readOnly = false, error }: Props) {
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const backwards = value.start !== null && value.end !== null && value.end < value.start
  const half = (key: 'start' | 'end', name: string) => (
    <ParsedTextField
      label={name}
      value={value[key]}
      onChange={(day) => onChange({ ...value, [key]: day })}
      required={required}
      readOnly={readOnly}
      error={key === 'end' && backwards ? 'The end date is before the start date' : undefined}
      parse={parseUkDate}
      show={formatIsoAsUkDate}
      wrong="Please enter a date such as 28/02/2026"
      placeholder="DD/MM/YYYY"
      icon={<IconCalendar size={18} aria-hidden />}
      choose={`Choose ${label}, ${name.toLowerCase()}`}
      onChoose={() => {
        setUsed(true)
        setOpened(true)
      }}
    />
  )
  return (
    <Fieldset legend={label + (required ? ' (Required)' : '')} variant="unstyled">
      <Group grow align="flex-start" className={css.halves}>
        {half('start', 'Start date')}
        {half('end', 'End date')}
      </Group>
      {error && <ErrorText>{error}</ErrorText>}
      {used && (
        <Suspense>
          <RangeDialog
            opened={opened}
            onClose={() => setOpened(false)}
            title={label}
            value={value}
            onChange={onChange}
          />
        </Suspense>
      )}
    </Fieldset>
  )
}
