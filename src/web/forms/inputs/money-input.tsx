import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { parsePounds } from '#kernel/money.ts'
import type { FieldInputProps } from '../field-input.tsx'
import { fieldInputLabel } from '../labels.ts'

interface Props {
  /** Amount in pence. */
  readonly value: number | null
  readonly onChange: (pence: number | null) => void
  /** Currency symbol shown before the amount. Not set if the currency is unknown. */
  readonly symbol?: string
  /** Number of decimal places: six for a unit price, because it may include fractions of a penny. */
  readonly places?: 2 | 6
  readonly label: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  readonly id?: string
  readonly onBlur?: () => void
}

const WRONG = 'Please enter pounds and pence, such as 1,234.50'
const showPence = (pence: number | null) => {
  if (pence === null) return ''
  const pounds = Number(`${pence}e-2`)
  return Number.isInteger(pence) ? pounds.toFixed(2) : String(pounds)
}

/**
 * Input for an amount that is typed in pounds and stored in pence. Text that can't be parsed is never stored as an
 * amount.
 */
export function MoneyInput({ value, onChange, places = 2, symbol, error, onBlur, ...rest }: Props) {
  const [typed, setTyped] = useState({ text: showPence(value), value })
  const [left, setLeft] = useState(false)
  if (typed.value !== value) setTyped({ text: showPence(value), value })
  const unreadable = typed.text.trim() !== '' && parsePounds(typed.text, places) === undefined
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      {...(symbol ? { leftSection: symbol } : {})}
      ref={(input) => input?.setCustomValidity(unreadable ? WRONG : '')}
      value={typed.text}
      error={(left && unreadable ? WRONG : undefined) ?? error}
      onChange={(e) => {
        const text = e.currentTarget.value
        const next = parsePounds(text, places) ?? null
        setTyped({ text, value: next })
        if (next !== value) onChange(next)
      }}
      onFocus={(e) => e.currentTarget.select()}
      onBlur={() => {
        setLeft(true)
        onBlur?.()
      }}
    />
  )
}

/** Creates a money input for a resource form. */
export const createMoneyInput =
  (places: 2 | 6 = 2) =>
  ({ name, field, value, onChange, readOnly, error, id, onBlur, autoFocus }: FieldInputProps) => (
    <MoneyInput
      places={places}
      label={fieldInputLabel(name, field)}
      value={typeof value === 'number' ? value : null}
      onChange={onChange}
      readOnly={readOnly ?? false}
      required={!!field.required}
      error={error}
      {...(field.help ? { description: field.help } : {})}
      {...(id ? { id } : {})}
      {...(onBlur ? { onBlur } : {})}
      {...(autoFocus ? { autoFocus } : {})}
    />
  )
