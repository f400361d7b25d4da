import { Button, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { DashboardSections } from '#web/dashboard/in-order.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { PhoneBookList } from './phonebook.web.tsx'
import { staff } from './staff.ts'
import { StaffPage } from './staff-card.web.tsx'

const LIST = listSchema({ retired: retiredFilterSchema, tray: z.enum(['', 'true', 'false']).default('false') })

/** Staff and phone book. Users of other clients see only their own phone book. */
export default function StaffListPage() {
  const { username } = useParams()
  const works = hasRole(useActor(), 'ROLE_STAFF')
  return (
    <div className={page.page}>
      {works ? (
        <DashboardSections>
          {username ? <StaffPage key={username} username={username} /> : <StaffList />}
          <div className={page.page}>
            <Title order={2}>Phone book</Title>
            <PhoneBookList />
          </div>
        </DashboardSections>
      ) : (
        <Page title="Phone book">
          <PhoneBookList />
        </Page>
      )}
    </div>
  )
}

function StaffList() {
  const actor = useActor()
  const navigate = useNavigate()
  const [state, set] = useUrlState(LIST)
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Staff"
      actions={
        actor.clientId === PROVIDER && hasRole(actor, 'ROLE_USER_ADMIN') ? (
          <Button component={Link} to="/cms/staff/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New member of staff
          </Button>
        ) : (
          can(actor, 'create', staff) && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              New member of staff
            </Button>
          )
        )
      }
    >
      <DataList
        resource={staff}
        label="Staff"
        state={state}
        onState={set}
        search="Search by name"
        filters={['retired', { key: 'tray', label: 'Tray' }]}
        columns={[
          'name',
          'username',
          'telephone',
          'email',
          ...(state.tray === 'false'
            ? []
            : [
                {
                  key: 'tray',
                  title: 'Kind',
                  render: (s: { tray: boolean }) => (s.tray ? <StatusChip>Tray</StatusChip> : 'Person'),
                },
              ]),
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Status' }]),
        ]}
        rowMuted={(s) => s.retired}
        href={(s) => `/staff/${encodeURIComponent(s.username ?? '')}`}
      />
      <Dialog opened={creating} onClose={() => setCreating(false)} title="New member of staff">
        <ResourceForm
          resource={staff}
          fields={['name', 'username', 'telephone', 'email', 'user']}
          action="Create member of staff"
          onCancel={() => setCreating(false)}
          onSaved={(s) => {
            setCreating(false)
            void navigate(`/staff/${encodeURIComponent(s.username ?? '')}`)
          }}
        />
      </Dialog>
    </Page>
  )
}
