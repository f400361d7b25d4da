import { Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { BulkAction } from '#kernel/bulk.ts'
import type { Field } from '#kernel/fields.ts'
import { figure } from '#kernel/text.ts'
import { problems } from '#kernel/validate.ts'
import { FieldInput } from '../../forms/field-input.tsx'
import { sentValue } from '../../forms/values.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'

interface Props {
  readonly action: BulkAction
  readonly title: string
  readonly count: number | undefined
  /** What the chosen rows say until now: "Owner: 12 of Ann Bell, 3 of nobody". */
  readonly until: string | undefined
  readonly busy: boolean
  readonly onClose: () => void
  readonly onSubmit: (input: Readonly<Record<string, unknown>>) => void
}

/** What an action is given, the same for all of the chosen rows. */
export function BulkInput({ action, title, count, until, busy, onClose, onSubmit }: Props) {
  const fields = Object.entries<Field>(action.input)
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(() =>
    Object.fromEntries(fields.map(([name, f]) => [name, f.default ?? null])),
  )
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const many = count === undefined ? 'all of them' : count === 1 ? 'one row' : `${figure(count)} rows`
  const perform = (values: Readonly<Record<string, unknown>>) => {
    const input = Object.fromEntries(fields.map(([name, f]) => [name, sentValue(f, values[name])]))
    const wrong = problems(action.input, input)
    setErrors(Object.fromEntries(wrong.map((v) => [v.propertyPath, v.message])))
    if (!wrong.length) onSubmit(input)
  }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    e.stopPropagation()
    perform(values)
  }
  // Where one record is all that is asked, choosing it is doing it: it is said what was done, with the way back.
  const [only] = fields
  const atOnce = fields.length === 1 && only?.[1].kind === 'link' && until !== undefined
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
              opens={atOnce}
              onChange={(value) => {
                const next = { ...values, [name]: value }
                setValues(next)
                if (atOnce && value) perform(next)
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
