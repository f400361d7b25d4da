import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import {
  type IdentityProofInput,
  type IdentityProofMethod,
  requestPasskey,
  supportsPasskeys,
} from '../../api/second-factor.ts'

interface Props {
  readonly methods: readonly IdentityProofMethod[]
  /** URL of the passkey options. During sign-in, requests to this URL need the ticket. */
  readonly passkeyOptions: string
  readonly ticket?: string
  readonly action: string
  readonly onProof: (proof: IdentityProofInput) => Promise<unknown>
  /** Content shown beside the button. */
  readonly leave?: ReactNode
}

const METHOD_LABELS: Readonly<Record<IdentityProofMethod, string>> = {
  passkey: 'Use a passkey',
  totp: 'Use the code from my app',
  recovery: 'Use a recovery code',
  password: 'Use my password',
}

/**
 * Form to confirm one's identity. It shows one method at a time, and buttons for the other methods. Codes can be
 * pasted, or filled in by the browser.
 */
export function IdentityProofForm({ methods, passkeyOptions, ticket, action, onProof, leave }: Props) {
  const open = methods.filter((m) => m !== 'passkey' || supportsPasskeys())
  const [chosen, setChosen] = useState<IdentityProofMethod>()
  const method = chosen ?? open[0] ?? 'recovery'
  const [typed, setTyped] = useState('')
  const go = useMutation({
    mutationFn: async () =>
      onProof(method === 'passkey' ? await requestPasskey(passkeyOptions, ticket) : asProof(method, typed)),
    onError: () => setTyped(''),
  })
  const wrong = go.error instanceof ApiError ? go.error.violations : []
  const said = wrong.find((v) => v.propertyPath !== 'passkey')?.message
  const submit = (e: FormEvent) => {
    e.preventDefault()
    e.stopPropagation()
    go.mutate()
  }
  const choose = (way: IdentityProofMethod) => {
    setChosen(way)
    setTyped('')
    go.reset()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {go.error && !said && (
          <Alert color="red" role="alert">
            {wrong[0]?.message ?? go.error.message}
          </Alert>
        )}
        <Field key={method} method={method} value={typed} onChange={setTyped} error={said} />
        <Group justify={leave ? 'space-between' : 'flex-start'}>
          {leave}
          <Button type="submit" size="md" fullWidth={!leave} loading={go.isPending}>
            {method === 'passkey' ? METHOD_LABELS.passkey : action}
          </Button>
        </Group>
        <Group gap="lg">
          {open
            .filter((way) => way !== method)
            .map((way) => (
              <Anchor key={way} component="button" type="button" size="sm" onClick={() => choose(way)}>
                {METHOD_LABELS[way]}
              </Anchor>
            ))}
        </Group>
      </Stack>
    </form>
  )
}

const asProof = (method: IdentityProofMethod, typed: string): IdentityProofInput =>
  method === 'password' ? { password: typed } : method === 'recovery' ? { recoveryCode: typed } : { code: typed }

interface FieldProps {
  readonly method: IdentityProofMethod
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

function Field({ method, value, onChange, error }: FieldProps) {
  const props = {
    value,
    onChange: (e: { currentTarget: { value: string } }) => onChange(e.currentTarget.value),
    error,
    required: true,
    'data-autofocus': true,
    autoFocus: true,
    size: 'md',
  } as const
  if (method === 'passkey')
    return <Text>Your browser will ask for your fingerprint, face, screen lock or security key.</Text>
  if (method === 'password')
    return (
      <PasswordInput
        {...props}
        label="Your password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
    )
  if (method === 'recovery')
    return (
      <TextInput
        {...props}
        label="Recovery code"
        description="One of your ten saved codes. Each works once."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
    )
  return (
    <TextInput
      {...props}
      label="Code from your authenticator app"
      description="Six digits, new every 30 seconds."
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
    />
  )
}
