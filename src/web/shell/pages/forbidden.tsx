import { Anchor, Code, Container, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PROVIDER, type Roles } from '#kernel/roles.ts'
import { type Collection, call } from '../../api/client.ts'
import { useMaybeMe } from '../../api/me.ts'
import { PageTitle } from '../../ui/page-title.tsx'

interface RoleWords {
  readonly name: string
  readonly label: string
  readonly description: string
}

/** Says which right is missing, and who can give it. */
export function Forbidden({ needs }: { needs?: Roles }) {
  const me = useMaybeMe()
  const roles = useQuery({
    queryKey: ['/api/portal/roles', 'words'],
    queryFn: ({ signal }) =>
      call<Collection<RoleWords>>('GET', '/api/portal/roles?pagination=false', undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !!me,
  })
  const names = (typeof needs === 'string' ? [needs] : (needs ?? [])).filter((n) => n !== 'member' && n !== 'anonymous')
  const words = (name: string) => roles.data?.['hydra:member'].find((r) => r.name === name)
  const giver =
    me?.client.id === PROVIDER ? 'a colleague with the right “User administration”' : 'an administrator of your company'
  return (
    <Container size="sm" py="xl">
      <Stack gap="md">
        <PageTitle>You do not have access to this part of the portal</PageTitle>
        {names.length > 0 ? (
          <>
            <Text>
              {names.length === 1
                ? 'It needs this right, which your account does not have:'
                : 'It needs one of these rights, none of which your account has:'}
            </Text>
            <List spacing="xs">
              {names.map((n) => (
                <List.Item key={n}>
                  <Text component="span" fw={600}>
                    {words(n)?.label ?? n}
                  </Text>{' '}
                  <Code>{n}</Code>
                  {words(n)?.description && (
                    <Text size="sm" c="dimmed">
                      {words(n)?.description}
                    </Text>
                  )}
                </List.Item>
              ))}
            </List>
          </>
        ) : (
          <Text>Your account does not have the right that it needs.</Text>
        )}
        <Text>
          It can be given by {giver}, under Settings, Users.
          {me && ` You are signed in as ${me.name} (${me.username}).`}
        </Text>
        <Anchor component={Link} to="/dashboard">
          Go to the dashboard
        </Anchor>
      </Stack>
    </Container>
  )
}
