import { Button } from '@mantine/core'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { PromiseChip } from './chip.web.tsx'
import { ChaseActions } from './chase.web.tsx'
import { overdueInvoice } from './overdue.ts'
import { DunningSettingsForm } from './settings.web.tsx'

const LIST = listUrlSchema({
  promise: z.enum(['', 'open', 'kept', 'broken']).default(''),
  settings: z.enum(['', '1']).default(''),
})

/** Overdue invoices, oldest first, with the last contact and any promise to pay. */
export default function OverduePage() {
  const [state, set] = useUrlState(LIST)
  const places = useBillingUrls()
  const { settings, ...list } = state
  const close = () => set({ settings: '' })
  return (
    <Page
      title="Overdue"
      actions={
        <Button variant="default" onClick={() => set({ settings: '1' })}>
          Reminder settings
        </Button>
      }
    >
      <DataList
        resource={overdueInvoice}
        label="Overdue invoices"
        state={list}
        onState={set}
        search="Search by invoice or customer"
        filters={['promise']}
        bulkWords={{ remind: { title: 'Send reminders', done: 'being e-mailed' } }}
        empty={<EmptyState title="No overdue invoices">Invoices appear here the day after their due date.</EmptyState>}
        columns={[
          { key: 'number', title: 'Invoice', tight: true },
          { key: 'company', title: 'Customer', render: (i) => i.company || '—' },
          {
            key: 'amountDue',
            title: 'Amount due',
            render: (i) => <span className={css.money}>{formatMoney(i.amountDue, i.currency)}</span>,
          },
          {
            key: 'daysOverdue',
            title: 'Days overdue',
            tight: true,
            render: (i) => `${i.daysOverdue ?? 0} ${i.daysOverdue === 1 ? 'day' : 'days'}`,
          },
          {
            key: 'lastContactAt',
            title: 'Last contact',
            render: (i) => (i.lastContactAt ? <DateTimeText at={i.lastContactAt} /> : 'None recorded'),
          },
          {
            key: 'promise',
            title: 'Promise to pay',
            render: (i) =>
              i.promise && i.promisedOn ? (
                <span>
                  {formatMoney(i.promisedAmount ?? 0, i.currency)} by {formatIsoDateAsUk(i.promisedOn)}{' '}
                  <PromiseChip state={i.promise} />
                </span>
              ) : (
                '—'
              ),
            fields: ['promisedOn', 'promisedAmount'],
          },
          {
            key: 'pausedUntil',
            title: 'Paused',
            render: (i) =>
              i.pausedUntil ? (
                <span className={css.why}>
                  until {formatIsoDateAsUk(i.pausedUntil)}: {i.pauseReason}
                </span>
              ) : (
                '—'
              ),
            fields: ['pauseReason'],
          },
          {
            key: 'notes',
            title: 'Note',
            wide: true,
            render: (i) => (i.notes ? <span className={css.why}>{i.notes}</span> : '—'),
          },
        ]}
        rowActions={(i) => <ChaseActions of={i} />}
        href={(i) => places.invoice(i.id)}
      />
      <Dialog opened={settings === '1'} onClose={close} title="Reminder settings" size="46rem">
        <DunningSettingsForm onDone={close} />
      </Dialog>
    </Page>
  )
}
