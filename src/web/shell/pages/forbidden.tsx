import '@mantine/core/styles/Container.layer.css'
import { Anchor, Container, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Roles } from '#kernel/roles.ts'
import { type Collection, callApi } from '../../api/client.ts'
import { useMaybeMe } from '../../api/me.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { useBrandName } from './facts.ts'

interface RoleWords {
  readonly name: string
  readonly label: string
  readonly description: string
}

/** Loads a list for signed-in users. Sends no request for visitors who are not signed in. */
const useAll = <T,>(url: string, enabled: boolean) =>
  useQuery({
    queryKey: [url, 'to ask for rights'],
    queryFn: ({ signal }) => callApi<Collection<T>>('GET', url, undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Error page that names the missing role and the people who can grant this role. */
export function ForbiddenPage({ needs }: { needs?: Roles }) {
  const me = useMaybeMe()
  const brand = useBrandName()
  const asked = useAll<RoleWords>('/api/portal/roles?pagination=false', !!me)
  const helpers = useAll<{ readonly name: string }>('/api/portal/administrators', !!me)
  const roles = asked.data?.['hydra:member']
  const names = (typeof needs === 'string' ? [needs] : (needs ?? [])).filter((n) => n !== 'member' && n !== 'anonymous')
  // The server lists roles reserved for the provider only to the provider's users. For other users, the page therefore
  // names nobody who could grant such a role.
  const known = roles?.filter((role) => names.includes(role.name)) ?? []
  const isProviders = roles !== undefined && names.length > 0 && known.length === 0
  const people = helpers.data?.['hydra:member'].map((person) => person.name) ?? []
  if (asked.isLoading || helpers.isLoading)
    return (
      <Blocked>
        <LoadingRows rows={3} />
      </Blocked>
    )
  return (
    <Blocked>
      {isProviders ? (
        <Text>This page is only for the operator of this portal. Nobody in your company needs it.</Text>
      ) : known.length > 0 ? (
        <>
          <Text>
            {known.length === 1
              ? 'This page requires a right that your account does not have:'
              : 'This page requires one of these rights, and your account has none of them:'}
          </Text>
          <List spacing="xs">
            {known.map((role) => (
              <List.Item key={role.name}>
                <Text component="span" fw={600}>
                  {role.label}
                </Text>
                {role.description && (
                  <Text size="sm" c="dimmed">
                    {role.description}
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
        </>
      ) : (
        <Text>Your account does not have the right that this page requires.</Text>
      )}
      <Text>
        {!isProviders && `Ask ${people.length ? or.format(people) : brand} for access.`}
        {me && `You are signed in as ${me.name} (${me.username}).`}
      </Text>
      <Anchor component={Link} to="/dashboard">
        Go to the dashboard
      </Anchor>
    </Blocked>
  )
}

const Blocked = ({ children }: { readonly children: ReactNode }) => (
  <Container size="sm" py="xl">
    <Stack gap="md">
      <PageTitle>You do not have access to this part of the portal</PageTitle>
      {children}
    </Stack>
  </Container>
)
