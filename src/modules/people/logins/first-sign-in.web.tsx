import { Alert, Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { NewPasswordForm } from '#modules/identity/passwords/new-password.web.tsx'
import { ApiError, callApi, isConflictError } from '#web/api/client.ts'
import { session } from '#web/api/session.ts'
import { signIn } from '#web/api/signing.ts'
import { HOME_PATH, pathAfterSignIn } from '#web/shell/pages/redirects.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { FIRST_SIGN_IN_PATH } from '../nav.ts'
import { FIRST_SIGN_IN_URL } from './employee-login.ts'

interface LinkOwner {
  readonly username: string
  readonly name: string
  readonly company: string
  readonly client: number
}

/** Page of an employee's first sign-in: by the link of an e-mail or, without a token, by the code of a letter. */
export default function FirstSignInPage() {
  const { token } = useParams()
  return <Stack>{token ? <ChoosePassword token={token} /> : <EnterCode />}</Stack>
}

function ChoosePassword({ token }: { readonly token: string }) {
  const navigate = useNavigate()
  const at = `${FIRST_SIGN_IN_URL}/${encodeURIComponent(token)}`
  const link = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<LinkOwner>('GET', at, undefined, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const owner = link.data
  const save = useMutation({
    mutationFn: async ({ password }: { password: string }) => {
      await callApi<void>('POST', `/api/portal/password/reset/${encodeURIComponent(token)}`, { password })
      if (!owner) return
      const { username, client } = owner
      // The password is saved. If signing in needs a further step, the sign-in page asks for it.
      await signIn({ username, password, client: String(client) }, () =>
        navigate(pathAfterSignIn(null, session.me()), { replace: true }),
      ).catch(() => navigate('/', { replace: true }))
    },
  })
  if (link.error)
    return (
      <>
        <PageTitle>This link can’t be used</PageTitle>
        <Alert color="yellow" role="alert">
          {link.error.message}
        </Alert>
        {isConflictError(link.error) ? (
          <Button component={Link} to={HOME_PATH} w="fit-content">
            Open the portal
          </Button>
        ) : (
          <Button w="fit-content" component={Link} to="/">
            Sign in
          </Button>
        )}
      </>
    )
  if (!owner) return <Skeleton h={220} />
  return (
    <>
      <PageTitle>Welcome, {owner.name}</PageTitle>
      <Text>
        Choose your password for {owner.company}. Your username is <b>{owner.username}</b>, your client number{' '}
        <b>{owner.client}</b>.
      </Text>
      <NewPasswordForm
        username={owner.username}
        busy={save.isPending}
        error={save.error}
        action="Save password and sign in"
        onSave={save.mutate}
      />
    </>
  )
}

const FIELDS = [
  { name: 'client', label: 'Client number', inputMode: 'numeric' },
  { name: 'username', label: 'Username', inputMode: 'text' },
  { name: 'code', label: 'Code', inputMode: 'text' },
] as const

function EnterCode() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [values, setValues] = useState({
    client: query.get('client') ?? '',
    username: query.get('username') ?? '',
    code: '',
  })
  const enter = useMutation({
    mutationFn: () =>
      callApi<{ token: string | null }>('POST', FIRST_SIGN_IN_URL, {
        ...values,
        client: Number(values.client) || null,
      }),
    onSuccess: ({ token }) => token && navigate(`${FIRST_SIGN_IN_PATH}/${token}`, { replace: true }),
  })
  const violations = enter.error instanceof ApiError ? enter.error.violations : []
  const submit = (e: FormEvent) => {
    e.preventDefault()
    enter.mutate()
  }
  return (
    <>
      <PageTitle>Enter your code</PageTitle>
      <Text>Your company has given you a letter with these details.</Text>
      {enter.error && violations.length === 0 && (
        <Alert color="red" role="alert" title="Code not accepted">
          {enter.error.message}
        </Alert>
      )}
      <form onSubmit={submit} noValidate>
        <Stack>
          {FIELDS.map(({ name, label, inputMode }) => (
            <TextInput
              key={name}
              name={name}
              label={label}
              required
              inputMode={inputMode}
              autoComplete={name === 'code' ? 'one-time-code' : name === 'username' ? 'username' : 'off'}
              autoCapitalize={name === 'code' ? 'characters' : 'none'}
              spellCheck={false}
              size="md"
              value={values[name]}
              onChange={(e) => setValues({ ...values, [name]: e.currentTarget.value })}
              error={violations.find(({ propertyPath }) => propertyPath === name)?.message}
            />
          ))}
          <Button type="submit" size="md" fullWidth loading={enter.isPending}>
            Continue
          </Button>
        </Stack>
      </form>
      <Anchor component={Link} to="/" size="sm">
        Back to sign-in
      </Anchor>
    </>
  )
}
