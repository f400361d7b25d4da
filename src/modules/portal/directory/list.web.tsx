import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { recordQueryOptions } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { openWorkAsDialog } from '#web/shell/navigation/dialogs.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { client } from '../clients/client.ts'
import { clientHealth } from '../clients/health.ts'
import { ClientHealthChips, ClientView } from './client.web.tsx'

const number = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({
  retired: retiredFilterSchema,
  health: z.enum(['', 'stop', 'attention', 'well']).default(''),
  isReseller: z.enum(['', 'true', 'false']).default(''),
})
const OPEN = z.object({ client: number, workAs: number })
const NEW = [
  'company',
  'regcompno',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'contactname',
  'contacttel',
  'contactemail',
] as const

/** List of client companies. Clicking a company opens its details and users. */
export default function ClientsPage() {
  const actor = useActor()
  const queries = useQueryClient()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  const [creating, setCreating] = useState(false)
  useWorkAs(open.workAs)
  if (open.client) return <ClientView id={open.client} onBack={() => setOpen({ client: '' })} />
  return (
    <Page
      title="Clients"
      actions={
        can(actor, 'create', client) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New client
          </Button>
        )
      }
    >
      <DataList
        resource={clientHealth}
        label="Clients"
        state={state}
        onState={set}
        search="Search by company, contact, town or number"
        filters={['retired', 'health', { key: 'isReseller', label: 'Reseller' }]}
        columns={[
          'company',
          {
            key: 'health',
            title: 'Health',
            tight: true,
            render: (c) => <ClientHealthChips troubles={c.troubles} short />,
          },
          {
            key: 'packs',
            title: 'Packs',
            wide: true,
            render: (c) =>
              c.packs?.map(({ name, state: is }) => (is === 'lapsed' ? `${name} (lapsed)` : name)).join(', '),
          },
          { key: 'people', title: 'Users', wide: true },
          { key: 'lastSeenAt', render: (c) => <RelativeTimeText at={c.lastSeenAt} empty="Never" /> },
          { key: 'openTickets', wide: true },
          'contactname',
          'contacttel',
          { key: 'city', wide: true, inCard: false },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Status' }]),
        ]}
        rowMuted={(c) => c.retired}
        href={(c) => `/cms/clients?client=${c.id}`}
        onNear={(c) => void queries.prefetchQuery(recordQueryOptions(client, c.id))}
      />
      <Dialog opened={creating} onClose={() => setCreating(false)} title="New client">
        <ResourceForm
          resource={client}
          fields={NEW}
          action="Create client"
          onCancel={() => setCreating(false)}
          onSaved={(c) => {
            setCreating(false)
            setOpen({ client: String(c.id) })
          }}
        />
      </Dialog>
    </Page>
  )
}

/** Opens the impersonation dialog for the client in the URL, for example `?workAs=5`. */
function useWorkAs(id: string) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!id) return
    let wanted = true
    void queries.fetchQuery(recordQueryOptions(client, id)).then(
      (c) => wanted && openWorkAsDialog({ id: c.id, company: c.company ?? '' }),
      () => wanted && openWorkAsDialog(),
    )
    return () => {
      wanted = false
    }
  }, [id, queries])
}
