import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#web/api/client.ts'

interface Props {
  /** True to ask for the current password. Set when users change their own password. */
  readonly askCurrent?: boolean
  readonly username: string
  readonly busy: boolean
  readonly error: Error | null
  readonly action: string
  readonly onSave: (given: { current?: string; password: string }) => void
}

const SHORTEST = 10

/** Form with one new-password field. Users can reveal the password, so there is no second field to confirm it. */
export function NewPasswordForm({ askCurrent = false, username, busy, error, action, onSave }: Props) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [checked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  const violations = error instanceof ApiError ? error.violations : []
  const said = (field: string) => violations.find((v) => v.propertyPath === field)?.message
  const short = checked && password.length < SHORTEST ? `Please use at least ${SHORTEST} characters` : undefined
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setChecked(true)
    if (password.length >= SHORTEST) onSave({ password, ...(askCurrent ? { current } : {}) })
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack maw={420}>
        {error && violations.length === 0 && (
          <Alert color="red" role="alert" title="Password not saved">
            {error.message}
          </Alert>
        )}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        {askCurrent && (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={(e) => setCurrent(e.currentTarget.value)}
            error={said('current')}
            aria-invalid={said('current') !== undefined}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
          />
        )}
        <PasswordInput
          label="New password"
          description={`At least ${SHORTEST} characters. Three unrelated words are easy to remember and hard to guess.`}
          autoComplete="new-password"
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          error={short ?? said('password')}
          aria-invalid={(short ?? said('password')) !== undefined}
          maxLength={200}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the new password', tabIndex: 0 }}
        />
        <Button type="submit" loading={busy} w="fit-content">
          {action}
        </Button>
      </Stack>
    </form>
  )
}
