import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'

interface Theirs {
  readonly isSet: boolean
  readonly app: boolean
  readonly passkeys: number
  readonly recoveryCodes: number
}

interface Props {
  readonly of: { readonly '@id': string; readonly name: string | null; readonly username: string | null }
}

/** Describes a user's second factor, for example `an authenticator app, 2 passkeys and 9 recovery codes`. */
const listWords = ({ app, passkeys, recoveryCodes }: Theirs) =>
  new Intl.ListFormat('en-GB').format([
    ...(app ? ['an authenticator app'] : []),
    ...(passkeys ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
    ...(recoveryCodes ? [recoveryCodes === 1 ? 'a recovery code' : `${recoveryCodes} recovery codes`] : []),
  ])

/** Another user's second factor, which administrators can remove if the user has lost it. */
export function UserSecondFactor({ of }: Props) {
  const me = useMe()
  const client = useQueryClient()
  const [dialog, ask] = useConfirm()
  const at = `${of['@id']}/second_factor`
  const theirs = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<Theirs>('GET', at, undefined, { signal }),
    enabled: !me.isImpersonating,
  })
  const take = useMutation({
    mutationFn: () => callApi<void>('DELETE', at),
    onSuccess: () => toast.info(`${of.name}’s second factor has been removed`, 'safe'),
    onError: (e) => toast.failed(e),
    onSettled: () => client.invalidateQueries({ queryKey: [at] }),
  })
  const askTake = async () => {
    const yes = await ask({
      title: 'Remove second factor?',
      question: `Make sure that the request really comes from ${of.name}: call them back. Their app, passkeys and recovery codes will stop working, they will be signed out everywhere, and they will be notified by e-mail. At the next sign-in, they will need only their password and can set up a new second factor.`,
      action: 'Remove',
      meaning: 'stop',
    })
    if (yes) take.mutate()
  }
  if (me.isImpersonating)
    return (
      <Text>
        You can’t manage a user’s second factor while working as somebody else. Switch back to your own account first.
      </Text>
    )
  if (theirs.error) return <ErrorState error={theirs.error} onRetry={() => void theirs.refetch()} />
  if (!theirs.data) return <Skeleton h={80} />
  if (!theirs.data.isSet) return <Text>{of.name} signs in with a password only and has no second factor.</Text>
  return (
    <Stack gap="sm">
      <Text>
        Besides the password, {of.name} has {listWords(theirs.data)}.
      </Text>
      {of['@id'] === me['@id'] ? (
        <Text size="sm">Change your own second factor under “Sign-in and security”.</Text>
      ) : (
        <>
          <Text size="sm">
            If their phone or passkey is lost, they can sign in with a recovery code. If the codes are lost too, remove
            the second factor so that they can set up a new one.
          </Text>
          <Button variant="default" w="fit-content" loading={take.isPending} onClick={() => void askTake()}>
            Remove second factor
          </Button>
        </>
      )}
      {dialog}
    </Stack>
  )
}
