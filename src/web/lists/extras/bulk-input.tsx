import { Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { BulkAction } from '#kernel/bulk.ts'
import type { Field } from '#kernel/fields.ts'
import { capitalise, formatInteger } from '#kernel/text.ts'
import { fieldViolations, isFilled } from '#kernel/validate.ts'
import { FieldInput } from '../../forms/field-input.tsx'
import { getValueToSend } from '../../forms/values.ts'
import { formatPlainValue } from '../../forms/words.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { emptyFieldWord } from './current-values.ts'

interface Props {
  readonly action: BulkAction
  readonly title: string
  readonly count: number | undefined
  /** Current values of the selected rows: "Current owner: Ann Bell (12), nobody (3)." */
  readonly until: string | undefined
  readonly busy: boolean
  readonly onClose: () => void
  /** Called when the input is submitted. `to` is the new value of the changed field, as text. */
  readonly onSubmit: (input: Readonly<Record<string, unknown>>, to?: string) => void
}

/** Dialog for the input of a bulk action, which applies to all selected rows. */
export function BulkInputDialog({ action, title, count, until, busy, onClose, onSubmit }: Props) {
  const fields = Object.entries<Field>(action.input)
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(() =>
    Object.fromEntries(fields.map(([name, f]) => [name, f.default ?? (action.change ? undefined : null)])),
  )
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const many = count === undefined ? 'all rows' : count === 1 ? 'one row' : `${formatInteger(count)} rows`
  const [to, setTo] = useState<string>()
  // An empty input does not clear the field, because clearing is a separate option with its own label.
  const none = action.change ? capitalise(emptyFieldWord(action.change.field)) : undefined
  const missing = (name: string, f: Field) => {
    if (!action.change) return undefined
    if (f.kind === 'link') return values[name] === undefined ? `Please choose a value, or “${none}”` : undefined
    return isFilled(values[name]) ? undefined : 'Please enter a value'
  }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    e.stopPropagation()
    const input = Object.fromEntries(fields.map(([name, f]) => [name, getValueToSend(f, values[name])]))
    const wrong = Object.fromEntries([
      ...fieldViolations(action.input, input).map((v) => [v.propertyPath, v.message] as const),
      ...fields.flatMap(([name, f]) => {
        const message = missing(name, f)
        return message ? [[name, message] as const] : []
      }),
    ])
    setErrors(wrong)
    if (!Object.keys(wrong).length) onSubmit(input, to)
  }
  return (
    <Dialog opened onClose={onClose} title={`${title}: ${many}`} size="28rem">
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          {until && <Text size="sm">{until}</Text>}
          {fields.map(([name, field], i) => (
            <FieldInput
              key={name}
              name={name}
              field={field}
              value={values[name]}
              error={errors[name]}
              autoFocus={i === 0}
              opens={fields.length === 1}
              none={none}
              onChoice={(choice) => setTo(choice?.name ?? none?.toLowerCase())}
              onChange={(value) => {
                setValues({ ...values, [name]: value })
                setErrors({})
                if (field.kind !== 'link') setTo(formatPlainValue(value))
              }}
            />
          ))}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              {action.change ? `Change ${many}` : title}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
