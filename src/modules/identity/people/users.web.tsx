import { Alert, Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { useMe } from '#web/api/me.ts'
import { recordQueryOptions, useApiRecord } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useLeadHandOver } from '#web/leaving/hand-over.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { UserSigningPin } from '../profile/signing-pin.web.tsx'
import { describeWaitingChanges } from '../roles/role-groups.ts'
import { RolePicker } from '../roles/role-picker.web.tsx'
import { UserSecondFactor } from './factor-of-other.web.tsx'
import { user } from './user.ts'
import {
  leadCallerPickerOptions,
  UserActions,
  type UserRecord,
  useInviteUser,
  WaitingChanges,
} from './user-actions.web.tsx'

interface Props {
  /** `new`, or the ID of the user to edit; '' closes the dialog. */
  readonly open: string
  readonly onClose: () => void
  readonly clientId: number
  readonly company: string
}

const FIELDS = ['name', 'username', 'email', 'telephone', 'inPhonebook', 'manager', 'roles'] as const

/** Dialog that creates or edits a user. */
function UserDialog({ open, onClose, clientId, company }: Props) {
  const [shown, setShown] = useState(open)
  if (open && open !== shown) setShown(open)
  const creating = shown === 'new'
  const one = useApiRecord(user, shown && !creating ? shown : undefined)
  const invite = useInviteUser()
  const [question, ask] = useConfirm()
  const record = creating ? undefined : one.data
  const [handOver, leave] = useLeadHandOver(leadCallerPickerOptions(record ? clientOf(record) : clientId))

  const saved = async (u: UserRecord) => {
    onClose()
    if (u.waitingUntil && u.waitingUntil !== record?.waitingUntil)
      toast.info(
        `Waiting until another administrator confirms it, or until tomorrow: ${describeWaitingChanges(u)} for ${u.name}.`,
        'attention',
      )
    if (!creating || !u.email) return
    const yes = await ask({
      title: 'Send the link to choose a password?',
      question: `${u.name} can sign in after choosing a password. The link is sent to ${u.email}.`,
      action: 'Send link',
      cancel: 'Cancel',
    })
    if (yes) invite.mutate(u, { onError: (e) => toast.failed(e, () => invite.mutate(u)) })
  }
  // The key shows changes in the form once they are confirmed.
  const form = (
    <ResourceForm
      key={record?.waitingUntil ?? ''}
      resource={user}
      fields={FIELDS}
      wide={['roles']}
      action={creating ? 'Create user' : 'Save'}
      onCancel={onClose}
      onSaved={(u) => void saved(u)}
      asks={(save) => leave(record?.name ?? '', save)}
      inputs={{
        manager: (props) => <ManagerInput {...props} clientId={record ? clientOf(record) : clientId} />,
        roles: ({ value, onChange, error, id, readOnly }) => (
          <RolePicker
            clientId={record ? clientOf(record) : clientId}
            value={value as string[]}
            onChange={onChange}
            error={error}
            {...(id ? { id } : {})}
            {...(readOnly ? { readOnly } : {})}
          />
        ),
      }}
      {...(record
        ? { record: { ...record, roles: [...(record.roles ?? []), ...(record.waitingRoles ?? [])] } }
        : { extra: { client: iriOf(client, clientId) } })}
    />
  )
  return (
    <>
      <Dialog
        opened={open !== ''}
        addressed
        onClose={onClose}
        title={creating ? `New user for ${company}` : (record?.name ?? 'User')}
      >
        {!creating && one.isPending && <LoadingRows rows={5} />}
        {!creating && one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
        {record?.isRetired && (
          <Alert color="gray" mb="md">
            {record.name} is retired and can’t sign in. You can restore them from the list.
          </Alert>
        )}
        {record && <WaitingChanges of={record} />}
        {creating && form}
        {record && (
          <Tabs defaultValue="details" keepMounted>
            <Tabs.List mb="md">
              <Tabs.Tab value="details">Details</Tabs.Tab>
              <Tabs.Tab value="factor">Second factor</Tabs.Tab>
              <Tabs.Tab value="pin">Signing PIN</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="details">{form}</Tabs.Panel>
            <Tabs.Panel value="factor" keepMounted={false}>
              <UserSecondFactor of={record} />
            </Tabs.Panel>
            <Tabs.Panel value="pin" keepMounted={false}>
              <UserSigningPin of={record} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Dialog>
      {question}
      {handOver}
    </>
  )
}

const clientOf = (u: UserRecord): number => u.client?.id ?? PROVIDER_CLIENT_ID

/** Picker for one of the client's users. */
const ManagerInput = ({
  name,
  field,
  clientId,
  value,
  onChange,
  onBlur,
  ...props
}: FieldInputProps & { clientId: number }) => (
  <RemoteSelect
    {...props}
    target={user}
    label={fieldInputLabel(name, field)}
    description="The manager of an employee follows the employee’s record, and is changed there."
    params={{ client: clientId, isRetired: false }}
    value={value}
    onChange={onChange}
    {...(onBlur ? { onBlur } : {})}
  />
)

const number = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({ isRetired: retiredFilterSchema, client: number })
const OPEN = z.object({
  user: z
    .string()
    .regex(/^(new|\d*)$/)
    .default(''),
})

/** Page that lists a client's users with their roles. */
export default function UsersPage() {
  const me = useMe()
  const provider = me.client.id === PROVIDER_CLIENT_ID
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  const queries = useQueryClient()
  const clientId = provider && state.client ? Number(state.client) : me.client.id
  const whose = useApiRecord(client, provider && state.client ? clientId : undefined)
  return (
    <Page
      title="Users"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ user: 'new' })}>
          New user
        </Button>
      }
    >
      <DataList
        resource={user}
        label="Users"
        state={state}
        onState={set}
        search="Search by name"
        params={{ client: clientId }}
        filters={[{ key: 'isRetired', label: 'Retired' }, ...(provider ? ['client'] : [])]}
        columns={[
          { key: 'name' },
          { key: 'username' },
          { key: 'email', wide: true },
          'telephone',
          { key: 'roles', title: 'Roles', render: (u) => roleCount(u), wide: true },
          {
            key: 'lastLoginAt',
            title: 'Last sign-in',
            render: (u) => <RelativeTimeText at={u.lastLoginAt} empty="Never" />,
          },
          ...(state.isRetired === 'false' ? [] : [{ key: 'isRetired', title: 'Status' }]),
        ]}
        onOpen={(u) => {
          queries.setQueryData(recordQueryOptions(user, u.id).queryKey, u)
          setOpen({ user: String(u.id) })
        }}
        rowMuted={(u) => u.isRetired}
        rowActions={(u) => <UserActions user={u} />}
        empty={
          <EmptyState title="No users yet">
            Create the first user. The user will get an e-mail with a link to choose a password.
          </EmptyState>
        }
      />
      <UserDialog
        open={open.user}
        onClose={() => setOpen({ user: '' })}
        clientId={clientId}
        company={whose.data?.company ?? me.client.company}
      />
    </Page>
  )
}

const roleCount = ({ roles, waitingUntil }: UserRecord) =>
  `${roles?.length ? `${roles.length} ${roles.length === 1 ? 'role' : 'roles'}` : 'None'}${waitingUntil ? ', change waiting' : ''}`
