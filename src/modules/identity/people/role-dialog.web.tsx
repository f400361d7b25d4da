import '@mantine/core/styles/Code.layer.css'
import { Code, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { ListPager } from '#web/lists/list-pager.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { role } from '../roles/role.ts'
import css from './people.module.css'
import { user } from './user.ts'

interface Props {
  /** ID of the role to show; '' closes the dialog. */
  readonly open: string
  readonly onClose: () => void
}

/** Dialog with the details of a role and the users who hold it. */
export function RoleDialog({ open, onClose }: Props) {
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
              fields={['label', 'category', 'description', 'internal', 'retired']}
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
