import { Alert, Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { usePortalInfo } from '#web/shell/pages/facts.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { signInPagePath, useSignInPrefix } from '../sessions/brand.web.tsx'
import { NewPasswordForm } from './new-password.web.tsx'

/** Page that requests a password link. If the page is opened by such a link, it sets a new password. */
export default function ForgottenPasswordPage() {
  const { token } = useParams()
  const brand = useSignInPrefix()
  return (
    <Stack>
      {token ? <Choose token={token} /> : <Ask />}
      <Anchor component={Link} to={signInPagePath(brand)} size="sm">
        Back to sign-in
      </Anchor>
    </Stack>
  )
}

function Ask() {
  const mail = usePortalInfo()?.mail ?? true
  const [username, setUsername] = useState('')
  const [client, setClient] = useState('')
  const ask = useMutation({
    mutationFn: () =>
      callApi<{ message: string }>('POST', '/api/security/password/forgot', {
        username: username.trim(),
        ...(client.trim() ? { client: Number(client) } : {}),
      }),
  })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    ask.mutate()
  }
  if (ask.data)
    return (
      <>
        <PageTitle>{mail ? 'Check your e-mail' : 'E-mail is not set up'}</PageTitle>
        <Alert color={mail ? 'green' : 'yellow'} role="status">
          {ask.data.message}
        </Alert>
        {mail && (
          <Text size="sm">
            No e-mail after a few minutes? Check your spam folder, check that you entered the right username, or ask
            your administrator to set a password for you.
          </Text>
        )}
      </>
    )
  return (
    <>
      <PageTitle>Forgotten password</PageTitle>
      <Text>We will send a link to the e-mail address of your account. Use it to choose a new password.</Text>
      {ask.error && (
        <Alert color="red" role="alert" title="Link not sent">
          {ask.error.message}
        </Alert>
      )}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Username or e-mail address"
            required
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            onChange={(e) => setUsername(e.currentTarget.value)}
            size="md"
          />
          <TextInput
            label="Client number, if you know it"
            inputMode="numeric"
            pattern="[0-9]*"
            value={client}
            onChange={(e) => setClient(e.currentTarget.value)}
            size="md"
          />
          <Button type="submit" size="md" fullWidth loading={ask.isPending}>
            Send link
          </Button>
        </Stack>
      </form>
    </>
  )
}

function Choose({ token }: { token: string }) {
  const at = `/api/portal/password/reset/${encodeURIComponent(token)}`
  const link = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<{ username: string; expiresAt: string }>('GET', at, undefined, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const brand = useSignInPrefix()
  const isTemporary = useLocation().state?.isTemporary === true
  const save = useMutation({
    mutationFn: ({ password }: { password: string }) => callApi<void>('POST', at, { password }),
  })
  if (save.isSuccess)
    return (
      <>
        <PageTitle>Your password has been set</PageTitle>
        <Alert color="green" role="status">
          You have been signed out everywhere. Sign in with the new password.
        </Alert>
        <Button component={Link} to={signInPagePath(brand)} w="fit-content">
          Sign in
        </Button>
      </>
    )
  if (link.error)
    return (
      <>
        <PageTitle>This link can’t be used</PageTitle>
        <Text>{link.error.message}</Text>
        <Button component={Link} to={`${brand}/forgotten-my-password`} w="fit-content">
          Request a new link
        </Button>
      </>
    )
  return (
    <>
      <PageTitle>Choose a new password</PageTitle>
      {link.data ? (
        <>
          <Text>
            {isTemporary && 'Another person has set your password. Choose your own to sign in. '}
            Username: <b>{link.data.username}</b>.
          </Text>
          <NewPasswordForm
            username={link.data.username}
            busy={save.isPending}
            error={save.error}
            action="Set password"
            onSave={save.mutate}
          />
        </>
      ) : (
        <Skeleton h={120} />
      )}
    </>
  )
}
