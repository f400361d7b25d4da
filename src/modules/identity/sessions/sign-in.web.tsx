import { Alert, Anchor, Button, Group, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#web/api/client.ts'
import { parseSecondFactorChallenge } from '#web/api/second-factor.ts'
import { session } from '#web/api/session.ts'
import { type Credentials, signIn, startSession } from '#web/api/signing.ts'
import { leaveTaskSite } from '#web/shell/navigation/task-site.ts'
import { usePortalInfo } from '#web/shell/pages/facts.ts'
import { EXPIRED_SESSION_REASON, pathAfterSignIn } from '#web/shell/pages/redirects.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useSignInPrefix } from './brand.web.tsx'
import '@mantine/core/styles/Divider.layer.css'
import { Divider } from '@mantine/core'
import type { PortalInfo } from '#web/shell/pages/facts.ts'
import { Avatar } from '#web/ui/people/avatar.tsx'
import css from './demo-people.module.css'

const SecondStep = lazyComponent(() => import('./second-step.web.tsx'))

/**
 * Returns true if the server's message mentions the client number, which is needed if several companies use the
 * username.
 */
const asksForClient = (message: string | undefined) => /client number/i.test(message ?? '')

/** Returns the token to choose a password if another person had set the one that was entered. */
const choosingTokenOf = (e: unknown): string | undefined =>
  e instanceof ApiError && e.code === 'password_change_required'
    ? (e.more.passwordLink as { token: string }).token
    : undefined

export default function SignInPage() {
  const facts = usePortalInfo()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const brand = useSignInPrefix()
  const form = useRef<HTMLFormElement>(null)
  const [withClient, setWithClient] = useState(false)
  const home = () => {
    leaveTaskSite()
    return navigate(pathAfterSignIn(query.get('next'), session.me()), { replace: true })
  }
  const go = useMutation({
    mutationFn: (given: Credentials) => signIn(given, home),
    onError: (e) => {
      const token = choosingTokenOf(e)
      if (token) void navigate(`${brand}/forgotten-my-password/${token}`, { state: { isTemporary: true } })
    },
  })
  const step = parseSecondFactorChallenge(go.error)
  const client = withClient || asksForClient(go.error?.message)
  const submit = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault()
    const typed = new FormData(e.currentTarget)
    const value = (name: string) => {
      const v = typed.get(name)
      return typeof v === 'string' ? v : ''
    }
    go.mutate({ username: value('username').trim(), password: value('password'), client: value('client').trim() })
  }
  const asDemo = (username: string, password: string) => {
    const field = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement
    field('username').value = username
    field('password').value = password
    go.mutate({ username, password })
  }
  if (step)
    return (
      <Suspense fallback={<Skeleton h={240} />}>
        <SecondStep step={step} onSigned={(signed) => startSession(signed, home)} onBack={() => go.reset()} />
      </Suspense>
    )
  return (
    <Stack>
      <PageTitle>Sign in</PageTitle>
      {facts?.maintenance && (
        <Alert color="yellow" title="Closed for maintenance">
          {facts.maintenance}
        </Alert>
      )}
      {query.get('error') === EXPIRED_SESSION_REASON && !go.error && (
        <Alert color="yellow" title={EXPIRED_SESSION_REASON}>
          Your session has ended. Please sign in again.
        </Alert>
      )}
      {go.error && (
        <Alert color="red" role="alert" title="Sign-in failed">
          {go.error.message}
        </Alert>
      )}
      <form ref={form} onSubmit={submit}>
        <Stack>
          <TextInput
            name="username"
            label="Username"
            required
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            size="md"
          />
          <PasswordInput
            name="password"
            label="Password"
            required
            autoComplete="current-password"
            maxLength={200}
            size="md"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          />
          {client && (
            <TextInput
              name="client"
              label="Client number"
              description="You can find it in the e-mail with your username."
              inputMode="numeric"
              pattern="[0-9]*"
              autoComplete="organization"
              size="md"
            />
          )}
          <Button type="submit" size="md" fullWidth loading={go.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
      <Group justify="space-between">
        <Anchor component={Link} to={`${brand}/forgotten-my-password`} size="sm">
          Forgotten password
        </Anchor>
        {!client && (
          <Anchor component="button" type="button" size="sm" onClick={() => setWithClient(true)}>
            Enter client number
          </Anchor>
        )}
      </Group>
      {facts?.demoPassword && facts.demo.length > 0 ? (
        <DemoAccounts
          people={facts.demo}
          note={facts.demoNote}
          busy={go.isPending}
          onChoose={(username) => asDemo(username, facts.demoPassword ?? '')}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Your administrator sent you an e-mail with your username and a link to choose a password.
        </Text>
      )}
    </Stack>
  )
}

interface Props {
  readonly people: PortalInfo['demo']
  readonly note: string | null
  readonly busy: boolean
  readonly onChoose: (username: string) => void
}

/** Buttons that sign in to the demo accounts. */
const DemoAccounts = ({ people, note, busy, onChoose }: Props) => (
  <Stack gap="xs" component="section" aria-label="Demonstration accounts">
    <Divider label="Demonstration: sign in as" />
    <ul className={css.people}>
      {people.map(({ username, who }) => {
        const [name = who, company] = who.split(', ', 2)
        return (
          <li key={username}>
            <button type="button" className={css.person} onClick={() => onChoose(username)} disabled={busy}>
              <Avatar name={name} />
              <span>
                <strong>{name}</strong>
                <span className={css.company}>{company}</span>
                <span className={css.username}>{username}</span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
    {note && (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    )}
  </Stack>
)
