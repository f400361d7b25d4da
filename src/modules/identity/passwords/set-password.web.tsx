import '@mantine/core/styles/Container.layer.css'
import { Anchor, Container, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { recordQueryOptions } from '#web/api/resources.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { toast } from '#web/ui/toast.ts'
import { user } from '../people/user.ts'
import { NewPasswordForm } from './new-password.web.tsx'

/** Page to set the user's own password or, for administrators, another user's. */
export default function SetPasswordPage() {
  const me = useMe()
  const navigate = useNavigate()
  const id = Number(useParams().id ?? me.id)
  const mine = id === me.id
  const other = useQuery({ ...recordQueryOptions(user, id), enabled: !mine })
  const save = useMutation({
    mutationFn: (given: { current?: string; password: string }) =>
      callApi<void>('PUT', `/api/portal/users/${id}/password`, given),
    onSuccess: () => {
      toast.saved('new password')
      void navigate(mine ? '/profile' : '/config/users')
    },
  })
  const name = mine ? me.name : other.data?.name
  return (
    <Container size="sm" p={0} mx={0}>
      <Stack>
        <PageTitle>{mine ? 'Change my password' : `Set password for ${name ?? '…'}`}</PageTitle>
        {me.isImpersonating && mine ? (
          <Text>You can’t set a password while working as somebody else. Switch back to your own account first.</Text>
        ) : other.error ? (
          <Text role="alert">{other.error.message}</Text>
        ) : (
          <>
            <Text>
              {mine
                ? 'You will be signed out on your other devices.'
                : 'The user will be signed out everywhere. Tell them the temporary password yourself: it only lets them choose their own when they sign in. Better still, let them choose one with the link that “Forgotten password” sends.'}
            </Text>
            <NewPasswordForm
              askCurrent={mine}
              username={mine ? me.username : String(other.data?.username ?? '')}
              busy={save.isPending}
              error={save.error}
              action="Set password"
              onSave={save.mutate}
            />
          </>
        )}
        <Anchor component={Link} to={mine ? '/profile' : '/config/users'} size="sm">
          Back without changes
        </Anchor>
      </Stack>
    </Container>
  )
}
