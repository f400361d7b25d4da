import '@mantine/core/styles/Card.layer.css'
import { Alert, Badge, Box, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { SecondFactors } from '#kernel/second-factor.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { OWN_SECOND_FACTOR_ENDPOINT, type SecondFactorSetupResult } from '#web/api/second-factor.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { SectionError } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { describeDevice } from '../device-words.ts'
import { PasskeyList } from '../second-factor/passkeys.web.tsx'
import { RecoveryCodes } from '../second-factor/recovery-codes.web.tsx'
import { AuthenticatorAppSetup } from '../second-factor/set-up-app.web.tsx'
import { PasskeySetup } from '../second-factor/set-up-passkey.web.tsx'
import { SigningPinCard } from './signing-pin.web.tsx'

interface Mine extends SecondFactors {
  readonly compulsory: boolean
  readonly passkeysPossible: boolean
}

type Open = 'app' | 'passkey' | { readonly codes: readonly string[] }

/** Security page with the user's password, second factor and sessions. */
export default function SecurityPage() {
  const me = useMe()
  if (me.isImpersonating)
    return (
      <Page title="Sign-in and security">
        <Text>Switch back to your own account first. These settings are for your own sign-in.</Text>
      </Page>
    )
  return (
    <Page title="Sign-in and security" about="Manage your password, second factor, signing PIN and sessions.">
      <Box maw={760}>
        <DashboardSections>
          <Card withBorder component="section" aria-labelledby="security-password">
            <Title order={2} id="security-password" mb="sm">
              Password
            </Title>
            <Button component={Link} to="/config/users/set-my-password" variant="default" w="fit-content">
              Change my password
            </Button>
          </Card>
          <SecondFactor />
          <SigningPinCard />
          <SessionList />
        </DashboardSections>
      </Box>
    </Page>
  )
}

function SecondFactor() {
  const me = useMe()
  const client = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const [dialog, ask] = useConfirm()
  const mine = useQuery({
    queryKey: [OWN_SECOND_FACTOR_ENDPOINT.at],
    queryFn: ({ signal }) => callApi<Mine>('GET', OWN_SECOND_FACTOR_ENDPOINT.at, undefined, { signal }),
  })
  const again = () => client.invalidateQueries({ queryKey: [OWN_SECOND_FACTOR_ENDPOINT.at] })
  const finished = ({ recoveryCodes }: SecondFactorSetupResult) => {
    setOpen(recoveryCodes.length ? { codes: recoveryCodes } : undefined)
    toast.saved('sign-in')
    return again()
  }
  const remove = useMutation({
    mutationFn: () => callApi<void>('DELETE', `${OWN_SECOND_FACTOR_ENDPOINT.at}/app`),
    onSuccess: () => toast.info('The authenticator app has been removed', 'safe'),
    onError: (e) => toast.failed(e),
    onSettled: again,
  })
  const renew = useMutation({
    mutationFn: () => callApi<SecondFactorSetupResult>('POST', `${OWN_SECOND_FACTOR_ENDPOINT.at}/recovery_codes`),
    onSuccess: finished,
    onError: (e) => toast.failed(e),
  })
  const close = () => setOpen(undefined)
  const cancel = (
    <Button variant="default" onClick={close}>
      Cancel
    </Button>
  )
  const askRemoveApp = async () => {
    const yes = await ask({
      title: 'Remove authenticator app',
      question: 'The app’s codes will stop working. Delete the entry in the app as well.',
      action: 'Remove app',
      meaning: 'stop',
    })
    if (yes) remove.mutate()
  }
  const askRenew = async () => {
    const yes = await ask({
      title: 'New recovery codes',
      question: 'Your current codes will stop working.',
      action: 'Create new codes',
    })
    if (yes) renew.mutate()
  }
  if (mine.error) return <SectionError error={mine.error} onRetry={mine.refetch} />
  if (!mine.data) return <Skeleton h={240} />
  const { app, passkeys, recoveryCodes, compulsory, passkeysPossible } = mine.data
  const set = app !== null || passkeys.length > 0
  return (
    <Card withBorder component="section" aria-labelledby="security-factor">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="security-factor">
          Second factor
        </Title>
        <Badge color={set ? 'green' : compulsory ? 'red' : 'gray'} variant="light">
          {set ? 'On' : compulsory ? 'Needed' : 'Off'}
        </Badge>
      </Group>
      <Text mb="md">
        {set
          ? 'The portal asks for one of these factors after your password, and again before you work as a client or manage users.'
          : 'With a second factor, somebody who knows your password still can’t sign in as you. Set up one of these factors.'}
      </Text>
      <Stack gap="lg">
        <Part
          title="Authenticator app"
          about={
            app ? (
              <Used at={app.createdAt} last={app.usedAt} />
            ) : (
              'The app shows a new code on your phone every 30 seconds.'
            )
          }
        >
          <Button variant="default" onClick={() => setOpen('app')}>
            {app ? 'Replace app' : 'Set up app'}
          </Button>
          {app && (
            <Button variant="default" loading={remove.isPending} onClick={() => void askRemoveApp()}>
              Remove app
            </Button>
          )}
        </Part>
        <Part
          title="Passkeys"
          about="A passkey is your fingerprint, face, screen lock or a security key. Passkeys work only on the real portal, never on a fake page."
        >
          <PasskeyList passkeys={passkeys} onChanged={again} />
          {passkeysPossible ? (
            <Button variant="default" onClick={() => setOpen('passkey')}>
              Add passkey
            </Button>
          ) : (
            <Text size="sm">Passkeys need the portal’s own web address, which is not set up yet.</Text>
          )}
        </Part>
        {set && (
          <Part
            title="Recovery codes"
            about={recoveryCodes === 1 ? '1 left.' : `${recoveryCodes} left. Each works once.`}
          >
            {recoveryCodes < 3 && (
              <Alert color="yellow" w="100%">
                Create new codes before you run out.
              </Alert>
            )}
            <Button variant="default" loading={renew.isPending} onClick={() => void askRenew()}>
              Create new recovery codes
            </Button>
          </Part>
        )}
      </Stack>
      {dialog}
      <Dialog opened={open === 'app'} onClose={close} title="Set up authenticator app" size="lg">
        {open === 'app' && (
          <AuthenticatorAppSetup
            way={OWN_SECOND_FACTOR_ENDPOINT}
            leave={cancel}
            onDone={(done) => void finished(done)}
          />
        )}
      </Dialog>
      <Dialog opened={open === 'passkey'} onClose={close} title="Add passkey" size="lg">
        {open === 'passkey' && (
          <PasskeySetup
            way={OWN_SECOND_FACTOR_ENDPOINT}
            device={describeDevice(navigator.userAgent)}
            leave={cancel}
            onDone={(done) => void finished(done)}
          />
        )}
      </Dialog>
      <Dialog opened={typeof open === 'object'} onClose={close} title="Save your recovery codes" size="lg">
        {typeof open === 'object' && <RecoveryCodes codes={open.codes} username={me.username} onDone={close} />}
      </Dialog>
    </Card>
  )
}

interface PartProps {
  readonly title: string
  readonly about: ReactNode
  readonly children: ReactNode
}

const Part = ({ title, about, children }: PartProps) => (
  <div>
    <Title order={3} size="h4">
      {title}
    </Title>
    <Text size="sm" c="dimmed" mb="xs">
      {about}
    </Text>
    <Group>{children}</Group>
  </div>
)

const Used = ({ at, last }: { readonly at: string; readonly last: string | null }) => (
  <>
    Set up <DateTimeText at={at} />
    {last ? (
      <>
        , last used <RelativeTimeText at={last} />
      </>
    ) : (
      ', not used yet'
    )}
  </>
)

interface Session {
  readonly id: number
  readonly createdAt: string
  readonly seenAt: string
  readonly address: string
  readonly agent: string
  readonly current: boolean
}

const SESSIONS_URL = '/api/security/sessions'

/** List of the user's sessions, each with a button to end it. */
function SessionList() {
  const client = useQueryClient()
  const title = useRef<HTMLHeadingElement>(null)
  const list = useQuery({
    queryKey: [SESSIONS_URL],
    queryFn: ({ signal }) => callApi<Collection<Session>>('GET', SESSIONS_URL, undefined, { signal }),
  })
  const end = useMutation({
    mutationFn: (id: number) => callApi<void>('DELETE', `${SESSIONS_URL}/${id}`),
    onSuccess: () => {
      toast.info('That device has been signed out', 'safe')
      // Moves the focus, because the clicked button disappears.
      title.current?.focus()
    },
    onError: (e, id) => toast.failed(e, () => end.mutate(id)),
    onSettled: () => client.invalidateQueries({ queryKey: [SESSIONS_URL] }),
  })
  return (
    <Card withBorder component="section" aria-labelledby="profile-sessions">
      <Title order={2} id="profile-sessions" mb="sm" ref={title} tabIndex={-1}>
        Where I am signed in
      </Title>
      {list.isPending && <Skeleton h={80} />}
      {list.error && <SectionError error={list.error} onRetry={list.refetch} />}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {list.data?.['hydra:member'].map((s) => (
          <Group key={s.id} component="li" justify="space-between" wrap="wrap">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Group gap="xs">
                <Text fw={600}>{describeDevice(s.agent)}</Text>
                {s.current && (
                  <Badge color="green" variant="light">
                    This device
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                From {s.address}, since <DateTimeText at={s.createdAt} />, last used <RelativeTimeText at={s.seenAt} />
              </Text>
            </div>
            {!s.current && (
              <Button
                variant="default"
                loading={end.isPending && end.variables === s.id}
                onClick={() => end.mutate(s.id)}
                aria-label={`Sign out there: ${describeDevice(s.agent)} at ${s.address}`}
              >
                Sign out there
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
