import { IconCalendarClock } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { TypedField, type TypedProps, wordsOf } from './TypedField.tsx'
import './temporal.ts'
import { parseMoment, showMoment } from './ukDates.ts'

const DateDialog = lazy(() => import('./DateDialog.tsx').then((m) => ({ default: m.DateDialog })))

/** A day and a time in London, typed as `28/02/2026 09:30` or chosen; its value is ISO with offset. */
export function DateTimeField(props: TypedProps) {
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const words = wordsOf(props, 'date and time')
  return (
    <>
      <TypedField
        {...props}
        parse={parseMoment}
        show={showMoment}
        wrong="Please enter a date and time such as 28/02/2026 09:30"
        placeholder="DD/MM/YYYY HH:mm"
        icon={<IconCalendarClock size={18} aria-hidden />}
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
            withTime
          />
        </Suspense>
      )}
    </>
  )
}
