import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconMailForward } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { useLeadHandOver } from '#web/leaving/hand-over.tsx'
import { useEmailSentToast } from '#web/shell/pages/facts.ts'
import { showUndoToast, toast } from '#web/ui/toast.ts'
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
