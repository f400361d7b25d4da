import { type ReactNode, Suspense, useState } from 'react'
import { fieldLabelText, ParsedTextField, type ParsedTextFieldProps } from './typed-field.tsx'
import './temporal.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const DateDialog = lazyComponent(async () => ({ default: (await import('./date-dialog.tsx')).DateDialog }))

interface Props extends ParsedTextFieldProps {
  readonly parse: (typed: string) => string | undefined
  readonly show: (value: string) => string
  /** Error message for text that can't be parsed. */
  readonly wrong: string
  readonly placeholder: string
  readonly icon: ReactNode
  /** Name of the value, such as `date`, for fields whose label is not plain text. */
  readonly what: string
  /** Earliest and latest day that the picker offers. */
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly withTime?: boolean
}

/** Field for typing a date. Its calendar dialog is loaded when it is first opened. */
export function DatePickerField({ what, min, max, withTime = false, ...props }: Props) {
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const words = fieldLabelText(props, what)
  return (
    <>
      <ParsedTextField
        {...props}
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
            withTime={withTime}
            {...(min ? { min } : {})}
            {...(max ? { max } : {})}
          />
        </Suspense>
      )}
    </>
  )
}
