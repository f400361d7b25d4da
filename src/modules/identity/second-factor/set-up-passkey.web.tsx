import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  addPasskey,
  type SecondFactorEndpoint,
  type SecondFactorSetupResult,
  supportsPasskeys,
} from '#web/api/second-factor.ts'
import { errorSentence } from '#web/ui/toast.ts'

interface Props {
  readonly way: SecondFactorEndpoint
  /** Default name for the passkey, describing the device. */
  readonly device: string
  readonly leave: ReactNode
  readonly onDone: (done: SecondFactorSetupResult) => void
}

/** Set-up of a passkey: the user names the passkey, then the browser creates it. */
export function PasskeySetup({ way, device, leave, onDone }: Props) {
  const [name, setName] = useState(device)
  const add = useMutation({ mutationFn: () => addPasskey(way, name.trim()), onSuccess: onDone })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    add.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text>
          Your browser creates a passkey on this device, on your phone or on a security key. The browser asks for your
          fingerprint, your face or your screen lock; these never leave the device.
        </Text>
        {!supportsPasskeys() && (
          <Alert color="yellow">This browser doesn’t support passkeys. Please use an authenticator app.</Alert>
        )}
        {add.error && (
          <Alert color="red" role="alert">
            {errorSentence(add.error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="Helps you recognise the passkey, such as “Work laptop”."
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          maxLength={100}
          maw={420}
        />
        <Group>
          <Button type="submit" loading={add.isPending}>
            Create passkey
          </Button>
          {leave}
        </Group>
      </Stack>
    </form>
  )
}
