import { Code, Skeleton, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { listQueryOptions, useApiRecord, useList } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { role } from '../roles/role.ts'
import { user } from './user.ts'
import '@mantine/core/styles/Code.layer.css'
import { useState } from 'react'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { ListPager } from '#web/lists/list-pager.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from './people.module.css'

const LIST = listUrlSchema({
  retired: retiredFilterSchema,
  internal: z.enum(['', 'true', 'false']).default(''),
  category: z.string().regex(/^\d*$/).default(''),
})
const OPEN = z.object({ role: z.string().regex(/^\d*$/).default('') })

/** Page that lists the roles and the number of users who hold each. */
export default function RolesPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  return (
    <Page
      title="Roles"
      about="Assign roles under Users. Internal roles are for the provider’s own users only. Retired roles can’t be assigned, but users who already have one keep it."
    >
      <DataList
        resource={role}
        label="Roles"
        state={state}
        onState={set}
        size={100}
        filters={['category', 'internal', 'retired']}
        columns={[
          { key: 'label', title: 'Role' },
          { key: 'category', render: (r) => (r.category as unknown as { name?: string } | null)?.name ?? '—' },
          { key: 'description', wide: true },
          {
            key: 'internal',
            render: (r) => (r.internal ? <StatusChip meaning="info">Internal</StatusChip> : 'For clients'),
          },
          { key: 'holders', title: 'Held by', align: 'right', render: (r) => <Holders name={r.name} /> },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Status' }]),
        ]}
        rowMuted={(r) => r.retired}
        onOpen={(r) => setOpen({ role: String(r.id) })}
      />
      <RoleDialog open={open.role} onClose={() => setOpen({ role: '' })} />
    </Page>
  )
}

/** Number of users who hold a role. */
function Holders({ name }: { readonly name: string | null }) {
  const held = useQuery({
    ...listQueryOptions(user, { roles: name, isRetired: false, itemsPerPage: 0 }),
    staleTime: 60_000,
  })
  if (held.isPending) return <Skeleton height={12} width={24} ml="auto" />
  return (held.data?.['hydra:totalItems'] ?? '—').toLocaleString('en-GB')
}

interface RoleDialogProps {
  /** ID of the role to show; '' closes the dialog. */
  readonly open: string
  readonly onClose: () => void
}

/** Dialog with the details of a role and the users who hold it. */
function RoleDialog({ open, onClose }: RoleDialogProps) {
  const [shown, setShown] = useState(open)
  if (open && open !== shown) setShown(open)
  const one = useApiRecord(role, shown || undefined)
  return (
    <Dialog opened={open !== ''} addressed onClose={onClose} title={one.data?.label ?? 'Role'}>
      {one.isPending && <LoadingRows rows={4} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.data && (
        <Tabs defaultValue="details" keepMounted>
          <Tabs.List mb="md">
            <Tabs.Tab value="details">Details</Tabs.Tab>
            <Tabs.Tab value="holders">Held by</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="details">
            <Text size="sm" mb="md">
              Internal name: <Code>{one.data.name}</Code>; it can’t be changed.
            </Text>
            <ResourceForm
              resource={role}
              record={one.data}
              fields={['label', 'category', 'description', 'retired']}
              onCancel={onClose}
              onSaved={onClose}
            />
          </Tabs.Panel>
          <Tabs.Panel value="holders">
            <HolderList name={one.data.name ?? ''} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Dialog>
  )
}

const SIZE = 30

function HolderList({ name }: { readonly name: string }) {
  const [page, setPage] = useState(1)
  const list = useList(user, { roles: name, isRetired: false, page, itemsPerPage: SIZE })
  const rows = list.data?.['hydra:member']
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!rows) return <LoadingRows rows={4} />
  if (rows.length === 0) return <EmptyState title="No users have this role" />
  return (
    <>
      <ul className={css.names}>
        {rows.map((u) => (
          <li key={u.id}>
            {u.name} ({u.username}), {(u.client as unknown as { company?: string } | null)?.company}
          </li>
        ))}
      </ul>
      <ListPager page={page} size={SIZE} shown={rows.length} total={list.data?.['hydra:totalItems']} onPage={setPage} />
    </>
  )
}
