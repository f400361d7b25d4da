import '@mantine/core/styles/Container.layer.css'
import { Anchor, Button, Container, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Roles } from '#kernel/roles.ts'
import { type Collection, callApi } from '../../api/client.ts'
import { useMaybeMe } from '../../api/me.ts'
import type { Me } from '../../api/session.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { errorSentence } from '../../ui/toast.ts'
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

/** Roles whose holders may change the rights of their company's users. */
const GRANTING_ROLES: readonly string[] = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN']

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Error page that names the missing role and the people who can grant this role. */
export default function ForbiddenPage({ needs }: { needs?: Roles }) {
  const me = useMaybeMe()
  const brand = useBrandName()
  const asked = useAll<RoleWords>('/api/portal/roles?pagination=false', !!me)
  const helpers = useAll<{ readonly id: number; readonly name: string }>('/api/portal/administrators', !!me)
  const roles = asked.data?.['hydra:member']
  const names = (typeof needs === 'string' ? [needs] : (needs ?? [])).filter((n) => n !== 'member' && n !== 'anonymous')
  // The server lists roles reserved for the provider only to the provider's users. For other users, the page therefore
  // names nobody who could grant such a role.
  const known = roles?.filter((role) => names.includes(role.name)) ?? []
  const isProviders = roles !== undefined && names.length > 0 && known.length === 0
  const people = (helpers.data?.['hydra:member'] ?? []).filter(({ id }) => id !== me?.id).map(({ name }) => name)
  // Users can't give themselves a right, except a company's only administrator.
  const canGrant =
    known.length > 0 &&
    helpers.isSuccess &&
    people.length === 0 &&
    !!me &&
    !me.original &&
    me.roles.some((role) => GRANTING_ROLES.includes(role))
  if (asked.isLoading || helpers.isLoading)
    return (
      <Blocked>
        <LoadingRows rows={3} />
      </Blocked>
    )
  return (
    <Blocked>
      {isProviders ? (
        <Text>This page is for the provider’s own staff.</Text>
      ) : known.length > 0 ? (
        <>
          <Text>
            {known.length === 1
              ? 'This page requires a right that your account does not have:'
              : 'This page requires one of these rights, and your account has none of them:'}
          </Text>
          <ul>
            {known.map((role) => (
              <li key={role.name}>
                <Text component="span" fw={600}>
                  {role.label}
                </Text>
                {role.description && (
                  <Text size="sm" c="dimmed">
                    {role.description}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Text>Your account does not have the right that this page requires.</Text>
      )}
      {canGrant && <OwnRights me={me} roles={known} />}
      <Text>
        {!isProviders && !canGrant && `Ask ${people.length ? or.format(people) : brand} for access.`}
        {me && `You are signed in as ${me.name} (${me.username}).`}
      </Text>
      <Anchor component={Link} to="/dashboard">
        Go to the dashboard
      </Anchor>
    </Blocked>
  )
}

/** Buttons with which the only administrator adds a missing right. The page then reloads with the right. */
function OwnRights({ me, roles }: { readonly me: Me; readonly roles: readonly RoleWords[] }) {
  const grant = useMutation({
    mutationFn: async (role: string) => {
      const { roles: held } = await callApi<{ readonly roles: readonly string[] }>('GET', me['@id'])
      return callApi('PUT', me['@id'], { roles: [...held, role] })
    },
    onSuccess: () => location.reload(),
  })
  return (
    <Stack gap="xs">
      <Text>You are your company’s only administrator, so you can give yourself this right.</Text>
      <Group gap="xs">
        {roles.map((role) => (
          <Button key={role.name} loading={grant.isPending} onClick={() => grant.mutate(role.name)}>
            {roles.length === 1 ? 'Give yourself this right' : `Give yourself “${role.label}”`}
          </Button>
        ))}
      </Group>
      {grant.error && <ErrorText>{errorSentence(grant.error)}</ErrorText>}
    </Stack>
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
