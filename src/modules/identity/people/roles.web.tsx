import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { listQueryOptions } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { role } from '../roles/role.ts'
import { RoleDialog } from './role-dialog.web.tsx'
import { user } from './user.ts'

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
