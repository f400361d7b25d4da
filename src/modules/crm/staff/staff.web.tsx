import { Button, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { createTextMatcher } from '#kernel/text/search.ts'
import { user } from '#modules/identity/people/user.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { EditableField } from '#web/forms/editable.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useLeadHandOver } from '#web/leaving/hand-over.tsx'
import { buildColumns } from '#web/lists/columns/columns.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { ListToolbar } from '#web/lists/list-toolbar.tsx'
import { ListView } from '#web/lists/list-view.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { staff } from './staff.ts'

/** Page for a member of staff, identified by username. */
function StaffPage({ username }: { readonly username: string }) {
  const one = useApiRecord(staff, username)
  const s = one.data
  return (
    <Page
      title={s?.name ?? 'Staff'}
      beside={s && (s.tray ? <StatusChip>Tray</StatusChip> : <RetiredChip retired={s.retired} />)}
      {...(s && !s.tray ? { actions: <Retire staff={s} /> } : {})}
      back={{ label: 'All staff', to: getListReturnPath('/staff') }}
    >
      {one.isPending && <LoadingRows rows={3} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {s && (
        <>
          <section className={page.card} aria-label="Details">
            <div className={page.facts}>
              {(
                ['name', 'username', 'telephone', 'email', 'callsPerDay', 'mostLeads', 'awayUntil', 'user'] as const
              ).map((name) => (
                <EditableField
                  key={name}
                  resource={staff}
                  record={s}
                  name={name}
                  readOnly={s.tray || name === 'username'}
                  of={s.name ?? ''}
                />
              ))}
            </div>
          </section>
          {!s.tray && (
            <Suspense>
              <RecordPanels record={s} />
            </Suspense>
          )}
        </>
      )}
    </Page>
  )
}

/**
 * Button that retires or restores a member of staff. Before somebody is retired, the user chooses who will take over
 * their leads.
 */
function Retire({ staff: s }: { readonly staff: RecordOf<typeof staff> }) {
  const actor = useActor()
  const save = useSaveRecord(staff)
  const queries = useQueryClient()
  const [handOver, leave] = useLeadHandOver({ target: staff, params: { retired: false, tray: false } })
  const set = (retired: boolean, said = {}) => save.mutateAsync({ id: s.id, values: { retired, ...said } })
  const press = async () => {
    try {
      if (!(await leave(s.name ?? '', (said) => set(!s.retired, said)))) return
      await queries.invalidateQueries({ queryKey: [staff.url, 'one'] })
      const undo = () => set(s.retired).then(() => queries.invalidateQueries({ queryKey: [staff.url, 'one'] }))
      showUndoToast({ message: `${s.name} ${s.retired ? 'restored' : 'retired'}`, undo })
    } catch (e) {
      toast.failed(e)
    }
  }
  if (!can(actor, 'update', staff)) return null
  return (
    <>
      <Button variant="default" loading={save.isPending} onClick={() => void press()}>
        {s.retired ? 'Restore' : 'Retire'}
      </Button>
      {handOver}
    </>
  )
}

interface Person {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly email: string | null
  readonly telephone: string | null
}

/** Phone book of the user's company, with search and call links. */
function PhoneBookList() {
  const [q, setQ] = useState('')
  const book = useQuery({
    queryKey: ['/api/portal/phonebook'],
    queryFn: ({ signal }) => callApi<Collection<Person>>('GET', '/api/portal/phonebook', undefined, { signal }),
  })
  const isFound = createTextMatcher(q)
  const rows = book.data?.['hydra:member'].filter((p) => isFound(p.name, p.username, p.email ?? '', p.telephone ?? ''))
  return (
    <>
      <ListToolbar
        search="Search the phone book"
        keys={false}
        q={q}
        filters={[]}
        values={{}}
        onChange={(c) => setQ(c.q ?? '')}
      />
      <ListView<Person>
        label="Phone book"
        keys={false}
        rows={rows}
        error={book.error}
        onRetry={() => void book.refetch()}
        empty={<EmptyState title="The phone book is empty" />}
        narrowed={q !== ''}
        onClear={() => setQ('')}
        columns={buildColumns<Person>(user, ['name', 'telephone', 'email'])}
        idOf={(p) => String(p.id)}
        nameOf={(p) => p.name}
      />
    </>
  )
}

const LIST = listUrlSchema({ retired: retiredFilterSchema, tray: z.enum(['', 'true', 'false']).default('false') })

/** Staff list and phone book. Users of other clients see only the phone book of their own company. */
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
        actor.clientId === PROVIDER_CLIENT_ID && hasRole(actor, 'ROLE_USER_ADMIN') ? (
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
                  title: 'Type',
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
