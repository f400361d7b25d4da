import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { PROVIDER } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { useMe } from '#web/api/me.ts'
import { recordQueryOptions, useApiRecord } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { user } from './user.ts'
import { UserActions } from './user-actions.web.tsx'
import { UserDialog } from './user-dialog.web.tsx'

const number = z.string().regex(/^\d*$/).default('')
const LIST = listSchema({ isRetired: retiredFilterSchema, client: number })
const OPEN = z.object({
  user: z
    .string()
    .regex(/^(new|\d*)$/)
    .default(''),
})

/** Users of a client, with their roles. */
export default function UsersPage() {
  const me = useMe()
  const provider = me.client.id === PROVIDER
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
          { key: 'roles', title: 'Roles', render: (u) => roleCount(u.roles), wide: true },
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
            Create the first user. They get a link to choose a password by e-mail.
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

const roleCount = (roles: readonly string[] | null) =>
  roles?.length ? `${roles.length} ${roles.length === 1 ? 'role' : 'roles'}` : 'None'
