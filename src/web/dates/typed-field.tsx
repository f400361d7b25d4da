import { ActionIcon, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { toast } from '../ui/toast.ts'

export interface ParsedTextFieldProps {
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly label?: ReactNode
  readonly 'aria-label'?: string
  readonly required?: boolean
  readonly error?: ReactNode
  readonly description?: ReactNode
  readonly readOnly?: boolean
  readonly disabled?: boolean
  readonly autoFocus?: boolean
  readonly onBlur?: () => void
  readonly id?: string
  readonly name?: string
}

interface Props extends ParsedTextFieldProps {
  readonly parse: (typed: string) => string | undefined
  readonly show: (value: string) => string
  /** Error message for text that can't be parsed. */
  readonly wrong: string
  readonly placeholder: string
  readonly icon: ReactNode
  /** Accessible name of the button that opens the picker. */
  readonly choose: string
  readonly onChoose: () => void
}

const NEEDED = 'Date Required, Please select a date'

/**
 * Text field that shows a value as people write it, and stores the value in the API's format. While the text can't be
 * parsed, the value is null and the input is invalid (`validity.customError`), so that no form saves it unnoticed. If
 * the field is left for another step or page with such text, a message says that the text was not saved.
 */
export function ParsedTextField({
  parse,
  show,
  wrong,
  icon,
  choose,
  onChoose,
  value,
  onChange,
  error,
  onBlur,
  ...rest
}: Props) {
  const shown = value === null ? '' : show(value)
  const [typed, setTyped] = useState({ text: shown, value })
  const [left, setLeft] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  if (typed.value !== value) setTyped({ text: shown, value })

  const unreadable = typed.text.trim() !== '' && parse(typed.text) === undefined
  const own = left && unreadable ? wrong : left && rest.required && !typed.text ? NEEDED : undefined
  useEffect(() => input.current?.setCustomValidity(unreadable ? wrong : ''), [unreadable, wrong])
  const lost = useRef<string>(undefined)
  useEffect(() => {
    lost.current = unreadable
      ? `${fieldLabelText(rest, 'Date')}: “${typed.text.trim()}” is not a date, and was not saved. Please enter it again.`
      : undefined
  })
  useEffect(
    () => () => {
      if (lost.current) toast.failed(lost.current)
    },
    [],
  )
  const change = (text: string) => {
    const next = parse(text) ?? null
    setTyped({ text, value: next })
    if (next !== value) onChange(next)
  }
  return (
    <TextInput
      {...rest}
      ref={input}
      variant={rest.readOnly ? 'filled' : 'default'}
      inputMode="text"
      autoComplete="off"
      value={typed.text}
      error={(unreadable ? own : undefined) ?? error ?? own}
      onChange={(e) => change(e.currentTarget.value)}
      onFocus={(e) => e.currentTarget.select()}
      onBlur={() => {
        setLeft(true)
        if (value !== null && !unreadable) setTyped({ text: shown, value })
        onBlur?.()
      }}
      onKeyDown={(e) => {
        if (e.key !== 'ArrowDown' || !e.altKey) return
        e.preventDefault()
        if (!rest.readOnly) onChoose()
      }}
      rightSection={
        !rest.readOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={choose}
            disabled={rest.disabled ?? false}
            onClick={onChoose}
          >
            {icon}
          </ActionIcon>
        )
      }
    />
  )
}

/** Returns the label as plain text, for the buttons beside the field. */
export const fieldLabelText = (p: Pick<ParsedTextFieldProps, 'label' | 'aria-label'>, otherwise: string): string =>
  (typeof p.label === 'string' ? p.label : (p['aria-label'] ?? otherwise)).replace(/ \(Required\)$/, '')
