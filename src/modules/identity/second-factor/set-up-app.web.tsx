import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ApiError } from '#web/api/client.ts'
import {
  confirmAuthenticatorSetup,
  type SecondFactorEndpoint,
  type SecondFactorSetupResult,
  startAuthenticatorSetup,
} from '#web/api/second-factor.ts'
import { QrCode } from '#web/charts/qr-code.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import css from './second-factor.module.css'

interface Props {
  readonly way: SecondFactorEndpoint
  readonly leave: ReactNode
  readonly onDone: (done: SecondFactorSetupResult) => void
}

/** Splits a secret into groups of four for reading aloud and typing, for example `JBSW Y3DP …`. */
const inGroups = (secret: string) => secret.replace(/.{4}(?=.)/g, '$& ')

/**
 * Set-up of an authenticator app: shows its secret as a QR code and as text, then asks for the first code to confirm
 * the set-up.
 */
export function AuthenticatorAppSetup({ way, leave, onDone }: Props) {
  const here = useId()
  const [code, setCode] = useState('')
  const begun = useQuery({
    queryKey: ['second-factor', 'app', here],
    queryFn: () => startAuthenticatorSetup(way),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const confirm = useMutation({
    mutationFn: (enrolment: string) => confirmAuthenticatorSetup(way, enrolment, code),
    onSuccess: onDone,
  })
  const wrong = confirm.error instanceof ApiError ? confirm.error.violations[0]?.message : undefined
  if (begun.error)
    return (
      <Stack>
        <Alert color="red" role="alert">
          {errorSentence(begun.error)}
        </Alert>
        <Group>{leave}</Group>
      </Stack>
    )
  if (!begun.data) return <Skeleton h={320} />
  const { enrolment, secret, address } = begun.data
  const submit = (e: FormEvent) => {
    e.preventDefault()
    confirm.mutate(enrolment)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text>1. Open your authenticator app, add an account and scan this QR code.</Text>
        <QrCode text={address} label="QR code for your authenticator app; the same key follows as text" />
        <div>
          <Text size="sm">If you can’t scan, type this key (time-based, six digits):</Text>
          <Text className={css.secret ?? ''} data-testid="secret">
            {inGroups(secret)}
          </Text>
          <Anchor href={address} size="sm">
            Open the key in an app on this device
          </Anchor>
        </div>
        {confirm.error && !wrong && (
          <Alert color="red" role="alert">
            {errorSentence(confirm.error)}
          </Alert>
        )}
        <TextInput
          label="2. Type the code shown in the app"
          value={code}
          onChange={(e) => setCode(e.currentTarget.value)}
          error={wrong}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          required
          maw={280}
          size="md"
        />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Set up app
          </Button>
          {leave}
        </Group>
      </Stack>
    </form>
  )
}
