import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { useMe } from '../../api/me.ts'
import { queryClient } from '../../api/query.ts'
import { finishSignIn, parseSecondFactorChallenge, secondFactorEndpointForTicket } from '../../api/second-factor.ts'
import { session } from '../../api/session.ts'
import { requestSignIn, type SignInResult } from '../../api/signing.ts'
import { signInPath } from '../pages/redirects.ts'
import { IdentityProofForm } from './proof-form.tsx'

/** Dialog to sign in again if the session ends while a page is open. Unsaved input is retained. */
export default function SignInAgainDialog() {
  const me = useMe()
  const at = useLocation()
  const who = me.original ?? { username: me.username, clientId: me.client.id }
  const [password, setPassword] = useState('')
  const goOn = (signed: SignInResult) => {
    session.begin(signed)
    return queryClient.invalidateQueries()
  }
  const again = useMutation({
    mutationFn: () => requestSignIn({ username: who.username, password, client: String(who.clientId) }),
    onSuccess: goOn,
  })
  const step = parseSecondFactorChallenge(again.error)
  const elsewhere = (
    <Button component="a" href={signInPath(at.pathname + at.search, true)} variant="subtle">
      Go to the sign-in page
    </Button>
  )
  const submit = (e: FormEvent) => {
    e.preventDefault()
    again.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Please sign in again"
    >
      {step?.kind === 'prove' ? (
        <IdentityProofForm
          methods={step.methods}
          passkeyOptions="/api/security/login/second_factor/passkey_options"
          ticket={step.ticket}
          action="Sign in"
          leave={elsewhere}
          onProof={async (proof) => goOn(await finishSignIn(secondFactorEndpointForTicket(step.ticket), proof))}
        />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text>
              {me.original
                ? `Your session has ended, and so has your access as a user of ${me.client.company}. Sign in to continue as yourself.`
                : 'Your session has ended. Sign in to continue on this page; your unsaved input is still here.'}
            </Text>
            {again.error && (
              <Alert color="red" role="alert">
                {again.error.message}
              </Alert>
            )}
            <TextInput label="Username" value={who.username} readOnly autoComplete="username" />
            <PasswordInput
              label="Password"
              required
              data-autofocus
              autoComplete="current-password"
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            />
            <Group justify="space-between">
              {elsewhere}
              <Button type="submit" loading={again.isPending}>
                Sign in
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
