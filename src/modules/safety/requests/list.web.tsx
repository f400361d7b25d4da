import { Button } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, OfflineNotice } from '#web/ui/states.tsx'
import { AWAITING_RAMS_STATES, type RamsRequest, ramsRequest } from './rams-request.ts'
import { RamsRequestDetails } from './request.web.tsx'
import { RamsRequestStatusChip } from './state-chip.web.tsx'

const LIST_VIEWS = ['', 'late', 'requested', 'opened', 'received', 'accepted', 'returned', 'withdrawn'] as const
const LIST = listUrlSchema({ show: z.enum(LIST_VIEWS).default('') })
const OPEN = z.object({
  open: z
    .string()
    .regex(/^(\d*|new)$/)
    .default(''),
})
const REQUEST_FIELDS = ['company', 'person', 'email', 'job', 'site', 'due', 'notes'] as const

export default function RamsRequestsPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [{ open }, setOpen] = useUrlState(OPEN, { steps: true })
  const { show, ...asked } = state
  const today = londonToday()
  const narrowed =
    show === 'late'
      ? { state: [...AWAITING_RAMS_STATES], 'due[strictly_before]': today }
      : show === ''
        ? {}
        : { state: show }
  const close = () => setOpen({ open: '' })
  const ask = can(actor, 'create', ramsRequest) && (
    <Button leftSection={<IconMailForward size={18} aria-hidden />} onClick={() => setOpen({ open: 'new' })}>
      Request RAMS
    </Button>
  )
  return (
    <Page title="RAMS requests" actions={ask}>
      <OfflineNotice />
      <DataList
        resource={ramsRequest}
        label="RAMS requests"
        state={state}
        onState={set}
        asked={{ ...asked, ...narrowed }}
        search="Search by subcontractor, contact, job or site"
        filters={[
          {
            key: 'show',
            label: 'Status',
            options: [
              { value: 'received', label: 'To review' },
              { value: 'late', label: 'Overdue' },
              { value: 'requested', label: 'Requested' },
              { value: 'opened', label: 'Opened' },
              { value: 'returned', label: 'Returned' },
              { value: 'accepted', label: 'Accepted' },
              { value: 'withdrawn', label: 'Withdrawn' },
            ],
          },
        ]}
        columns={[
          'company',
          'job',
          'site',
          { key: 'due', tight: true, render: (r: RamsRequest) => formatIsoAsUkDate(r.due) },
          {
            key: 'state',
            title: 'Status',
            tight: true,
            render: (r: RamsRequest) => <RamsRequestStatusChip request={r} today={today} />,
          },
        ]}
        rowMuted={(r) => r.state === 'withdrawn'}
        onOpen={(r: RamsRequest) => setOpen({ open: String(r.id) })}
        empty={
          <EmptyState title="No RAMS requests yet" action={ask}>
            Request a subcontractor’s risk assessment and method statement by e-mail. The subcontractor uploads them
            with a link, without signing in, and you accept or return them.
          </EmptyState>
        }
      />
      <Dialog
        opened={open !== ''}
        onClose={close}
        title={open === 'new' ? 'Request RAMS' : 'RAMS request'}
        size="40rem"
        addressed
      >
        {open === 'new' ? (
          <ResourceForm
            resource={ramsRequest}
            fields={REQUEST_FIELDS}
            wide={['job', 'notes']}
            defaults={{ due: '' }}
            action="Send request"
            done={(made) => `RAMS requested from ${made.company}`}
            onCancel={close}
            onSaved={close}
          />
        ) : (
          <RamsRequestDetails id={open} onClose={close} />
        )}
      </Dialog>
    </Page>
  )
}
