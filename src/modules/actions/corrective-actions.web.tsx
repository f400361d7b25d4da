import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, OfflineNotice } from '#web/ui/states.tsx'
import { type CorrectiveAction, correctiveAction } from './corrective-action.ts'
import { CorrectiveActionDetails } from './corrective-action.web.tsx'
import { CorrectiveActionForm } from './form.web.tsx'
import { CorrectiveActionStatus } from './status-chip.web.tsx'

const LIST_VIEWS = ['open', 'overdue', 'mine', 'verify', 'left', 'done', 'retired', 'all'] as const
const LIST = listUrlSchema({ show: z.enum(LIST_VIEWS).default('open') })
const OPEN = z.object({
  open: z
    .string()
    .regex(/^(\d*|new)$/)
    .default(''),
})
const NOTHING: Readonly<Record<string, string>> = {
  open: 'No open corrective actions',
  overdue: 'No overdue actions',
  mine: 'No actions assigned to you',
}

export default function CorrectiveActionsPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [{ open }, setOpen] = useUrlState(OPEN, { steps: true })
  const close = () => setOpen({ open: '' })
  const current = { show: '', retired: 'false' }
  const raise = can(actor, 'create', correctiveAction) && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ open: 'new' })}>
      New action
    </Button>
  )
  return (
    <Page title="Corrective actions" actions={raise}>
      <OfflineNotice />
      <DataList
        resource={correctiveAction}
        label="Corrective actions"
        state={state}
        onState={set}
        search="Search by number, action, person or source"
        filters={[
          {
            key: 'show',
            label: 'Show',
            options: [
              { value: 'open', label: 'Open', asks: { ...current, open: 'true' } },
              {
                value: 'overdue',
                label: 'Overdue',
                asks: { ...current, open: 'true', 'deadline[strictly_before]': londonToday() },
              },
              { value: 'mine', label: 'Mine', asks: { ...current, open: 'true', owner: String(actor.userId) } },
              { value: 'verify', label: 'To verify', asks: { ...current, state: 'rectified' } },
              { value: 'left', label: 'Owner has left', asks: { ...current, open: 'true', ownerLeft: 'true' } },
              { value: 'done', label: 'Done', asks: { ...current, open: 'false' } },
              { value: 'retired', label: 'Retired', asks: { show: '', retired: 'true' } },
              { value: 'all', label: 'All', asks: current },
            ],
          },
        ]}
        columns={[
          { key: 'number', tight: true, link: true },
          'description',
          'managerName',
          { key: 'deadline', tight: true, render: (a: CorrectiveAction) => formatIsoAsUkDate(a.deadline) },
          { key: 'sourceTitle', wide: true },
          {
            key: 'state',
            title: 'Status',
            tight: true,
            render: (a: CorrectiveAction) => <CorrectiveActionStatus action={a} />,
          },
        ]}
        rowMuted={(a) => a.retired}
        onOpen={(a: CorrectiveAction) => setOpen({ open: String(a.id) })}
        nothing={
          <EmptyState title={(!state.q && NOTHING[state.show]) || 'No corrective actions found'} action={raise}>
            A corrective action states what has to be put right, who must do it and by when. The person responsible is
            reminded until the action is complete.
          </EmptyState>
        }
      />
      <Dialog
        opened={open !== ''}
        onClose={close}
        title={open === 'new' ? 'New corrective action' : 'Corrective action'}
        size="46rem"
        addressed
      >
        {open === 'new' ? (
          <CorrectiveActionForm onClose={close} />
        ) : (
          <CorrectiveActionDetails id={open} onClose={close} />
        )}
      </Dialog>
    </Page>
  )
}
