import '@mantine/core/styles/Card.layer.css'
import '@mantine/core/styles/Table.layer.css'
import { Badge, Button, Card, Group, Radio, SimpleGrid, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import type { role } from '../roles/role.ts'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { useState } from 'react'
import { type DialSetting, dialSetting, findSoftphoneUrlProblem, useDialSetting } from '#web/ui/dial-setting.ts'
import { toast } from '#web/ui/toast.ts'

/** Profile page with the user's details and roles. */
export default function ProfilePage() {
  const me = useMe()
  const roles = useQuery({
    queryKey: ['/api/portal/roles', 'list', { all: true }],
    queryFn: ({ signal }) =>
      callApi<Collection<RecordOf<typeof role>>>('GET', '/api/portal/roles?pagination=false', undefined, { signal }),
    staleTime: 10 * 60_000,
  })
  const wordsOf = (name: string) => roles.data?.['hydra:member'].find((r) => r.name === name)
  const facts = [
    ['Name', me.name],
    ['Username', me.username],
    ['E-mail', me.email || 'None'],
    ['Company', me.client.company],
    ['Client number', String(me.client.id)],
  ]
  return (
    <Stack gap="lg" maw={1280}>
      <PageTitle>My profile</PageTitle>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Card withBorder component="section" aria-labelledby="profile-details">
          <Title order={2} id="profile-details" mb="sm">
            Details
          </Title>
          <Table variant="vertical" withRowBorders={false}>
            <Table.Tbody>
              {facts.map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row" fw={400} w={140} c="dimmed" bg="none">
                    {label}
                  </Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {me.isImpersonating ? (
            <Text size="sm" c="dimmed" mt="md">
              Only the user can manage their password and sign-in.
            </Text>
          ) : (
            <>
              <Group mt="md">
                <Button component={Link} to="/config/users/set-my-password" variant="default">
                  Change my password
                </Button>
                <Button component={Link} to="/profile/security" variant="default">
                  Sign-in and security
                </Button>
              </Group>
              <Text size="sm" c="dimmed" mt="sm">
                An administrator can change your name, e-mail address and roles.
              </Text>
            </>
          )}
        </Card>
        <Card withBorder component="section" aria-labelledby="profile-rights">
          <Title order={2} id="profile-rights" mb="sm">
            My roles
          </Title>
          {me.roles.length === 0 && <Text>You can see what every signed-in user sees, and your own records.</Text>}
          {roles.isPending && <LoadingRows rows={me.roles.length} height={60} />}
          <Stack gap="xs">
            {(roles.isPending ? [] : me.roles).map((name) => (
              <div key={name}>
                <Group gap="xs">
                  <Text fw={600}>{wordsOf(name)?.label ?? name}</Text>
                  {wordsOf(name)?.internal && <Badge variant="light">Provider</Badge>}
                </Group>
                {wordsOf(name)?.description && (
                  <Text size="sm" c="dimmed">
                    {wordsOf(name)?.description}
                  </Text>
                )}
              </div>
            ))}
          </Stack>
        </Card>
        {me.client.id === PROVIDER_CLIENT_ID && <DiallingCard />}
      </SimpleGrid>
    </Stack>
  )
}

const DIALLING_METHODS: readonly (readonly [DialSetting['by'], string, string])[] = [
  ['tel', 'Default phone app', 'The app this device opens for telephone numbers.'],
  ['sip', 'SIP', 'A softphone that opens sip: addresses.'],
  ['address', 'Custom URL', 'A softphone with its own URL format.'],
]

/** Setting for how this device dials leads' telephone numbers. */
function DiallingCard() {
  const now = useDialSetting()
  const [{ by, address }, choose] = useState(now)
  const [wrong, setWrong] = useState<string>()
  const save = () => {
    const found = by === 'address' ? findSoftphoneUrlProblem(address) : undefined
    setWrong(found)
    if (found) return
    dialSetting.set({ by, address: by === 'address' ? address.trim() : '' })
    toast.info('This device will now dial numbers this way', 'safe')
  }
  return (
    <Card withBorder component="section" aria-labelledby="profile-dialling">
      <Title order={2} id="profile-dialling" mb="sm">
        Dialling on this device
      </Title>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          save()
        }}
      >
        <Stack gap="sm" align="start">
          <Radio.Group
            aria-labelledby="profile-dialling"
            value={by}
            onChange={(to) => choose({ by: to as DialSetting['by'], address })}
          >
            <Stack gap="sm">
              {DIALLING_METHODS.map(([value, label, description]) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          {by === 'address' && (
            <TextInput
              w="100%"
              label="URL"
              description="Use {number} in place of the telephone number."
              placeholder="https://phone.example/ring?to={number}"
              maxLength={500}
              value={address}
              error={wrong}
              onChange={(e) => choose({ by, address: e.currentTarget.value })}
            />
          )}
          <Button type="submit" variant="default">
            Save
          </Button>
          <Text size="sm" c="dimmed">
            Saved in this browser, for this device only.
          </Text>
        </Stack>
      </form>
    </Card>
  )
}
