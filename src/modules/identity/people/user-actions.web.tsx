import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Alert, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconMailForward } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isActionAllowedOnRecord } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { recordQueryOptions, useSaveRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useLeadHandOver } from '#web/leaving/hand-over.tsx'
import { useEmailSentToast } from '#web/shell/pages/facts.ts'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { describeWaitingChanges } from '../roles/role-groups.ts'
import { user } from './user.ts'

export type UserRecord = RecordOf<typeof user>

/** Returns the options of a picker for a client's users who work on leads. */
export const leadCallerPickerOptions = (client: number) => ({
  target: user,
  params: { client, isRetired: false, roles: 'ROLE_STAFF' },
})

/** Returns a mutation that e-mails a user the link to choose a password. */
export function useInviteUser() {
  const tell = useEmailSentToast()
  return useMutation({
    mutationFn: (u: UserRecord) => callApi<void>('POST', `/api/portal/users/${u.id}/invite`, {}),
    onSuccess: (_, u) => tell('The link to choose a password', u.email),
  })
}

/**
 * Returns a function that retires or restores a user, and offers to undo the change for ten seconds. If a user to
 * retire still has leads, it first asks who takes them over.
 */
function useRetire(leave: ReturnType<typeof useLeadHandOver>[1]) {
  const save = useSaveRecord(user)
  const set = (u: UserRecord, isRetired: boolean, said = {}) =>
    save.mutateAsync({ id: u.id, values: { isRetired, ...said } })
  return async (u: UserRecord, retire: boolean) => {
    try {
      if (!(await leave(u.name ?? '', (said) => set(u, retire, said)))) return
      showUndoToast({ message: `${u.name} ${retire ? 'retired' : 'restored'}`, undo: () => set(u, !retire) })
    } catch (e) {
      toast.failed(e, () => void set(u, retire).then(() => toast.saved(u.name), toast.failed))
    }
  }
}

export function UserActions({ user: u }: { readonly user: UserRecord }) {
  const me = useMe()
  const invite = useInviteUser()
  const [handOver, leave] = useLeadHandOver(leadCallerPickerOptions(u.client?.id ?? PROVIDER_CLIENT_ID))
  const retire = useRetire(leave)
  const self = u.id === me.id
  const [verb, Picture] = u.isRetired ? (['Restore', IconArchiveOff] as const) : (['Retire', IconArchive] as const)
  return (
    <>
      {u.email && !u.isRetired && (
        <Tooltip label="Send the link to choose a password">
          <ActionIcon
            size={36}
            variant="subtle"
            aria-label={`Send ${u.name} the link to choose a password`}
            loading={invite.isPending}
            onClick={() => invite.mutate(u, { onError: (e) => toast.failed(e, () => invite.mutate(u)) })}
          >
            <IconMailForward size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {!self && (
        <Tooltip label={verb}>
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            aria-label={`${verb} ${u.name}`}
            onClick={() => void retire(u, !u.isRetired)}
          >
            <Picture size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {handOver}
    </>
  )
}

/**
 * Changes to a user's roles or e-mail address that wait for a second administrator or the next day, with buttons to
 * confirm or cancel them. Shows nothing if no changes wait.
 */
export function WaitingChanges({ of }: { readonly of: UserRecord }) {
  const actor = useActor()
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: (path: 'confirm-waiting' | 'cancel-waiting') =>
      callApi<UserRecord>(
        'POST',
        `${of['@id']}/${path}`,
        path === 'confirm-waiting' ? { roles: of.waitingRoles ?? [], email: of.waitingEmail ?? '' } : {},
      ),
    onSuccess: (saved, path) => {
      queries.setQueryData(recordQueryOptions(user, of.id).queryKey, saved)
      toast.info(path === 'confirm-waiting' ? `Confirmed: ${words}` : `Cancelled: ${words}`, 'safe')
    },
    onError: (e) => toast.failed(e),
    onSettled: () => queries.invalidateQueries({ queryKey: [user.url] }),
  })
  const words = describeWaitingChanges(of)
  if (!of.waitingUntil) return null
  const isSecond = isActionAllowedOnRecord(actor, 'confirmWaiting', user, of) && of.username !== actor.username
  return (
    <Alert color="yellow" role="status" mb="md" title={`Waiting: ${words}`}>
      <Text size="sm" mb="sm">
        Requested by <PersonName username={of.waitingBy ?? ''} />. Applies from <DateTimeText at={of.waitingUntil} />
        {isSecond ? ', or when you confirm it.' : ', or when another administrator confirms it.'}
      </Text>
      <Group gap="xs">
        {isSecond && (
          <Button variant="default" loading={act.isPending} onClick={() => act.mutate('confirm-waiting')}>
            Confirm
          </Button>
        )}
        <Button variant="subtle" disabled={act.isPending} onClick={() => act.mutate('cancel-waiting')}>
          Cancel this change
        </Button>
      </Group>
    </Alert>
  )
}
