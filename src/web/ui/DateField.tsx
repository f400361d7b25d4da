import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { TypedField, type TypedProps, wordsOf } from './TypedField.tsx'
import './temporal.ts'
import { parseDay, showDay } from './ukDates.ts'

const DateDialog = lazy(() => import('./DateDialog.tsx').then((m) => ({ default: m.DateDialog })))

export interface DateFieldProps extends TypedProps {
  /** The earliest and the latest day that the picker offers. */
  readonly min?: string
  readonly max?: string
}

/** A day, typed as `28/02/2026` or chosen from a calendar; its value is `2026-02-28`. */
export function DateField({ min, max, ...props }: DateFieldProps) {
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const words = wordsOf(props, 'date')
  return (
    <>
      <TypedField
        {...props}
        parse={parseDay}
        show={showDay}
        wrong="Please enter a date such as 28/02/2026"
        placeholder="DD/MM/YYYY"
        icon={<IconCalendar size={18} aria-hidden />}
        choose={`Choose ${words}`}
        onChoose={() => {
          setUsed(true)
          setOpened(true)
        }}
      />
      {used && (
        <Suspense>
          <DateDialog
            opened={opened}
            onClose={() => setOpened(false)}
            title={words}
            value={props.value}
            onChange={props.onChange}
            {...(min ? { min } : {})}
            {...(max ? { max } : {})}
          />
        </Suspense>
      )}
    </>
  )
}
