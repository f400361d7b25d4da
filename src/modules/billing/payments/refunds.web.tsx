import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { createMoneyInput } from '#web/forms/inputs/money-input.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekOptions, weekParams } from '#web/lists/weeks.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { FINANCIAL_LIST_FILTERS, financialListUrlState } from '../customers/data.web.ts'
import { RaisedLimitsNotice } from '../raised-limits.web.tsx'
import { paymentSettings, refund } from './charge.ts'
import { RefundChip } from './chips.web.tsx'
import { paymentServiceName } from './names.ts'

const LIST = listUrlSchema({
  state: z.enum(['', 'waiting', 'pending', 'succeeded', 'failed']).default(''),
  createdBy: z.string().default(''),
  ...financialListUrlState,
})

export default function RefundsPage() {
  const [state, set] = useUrlState(LIST)
  return (
    <Page title="Refunds" actions={<Settings />}>
      <DataList
        resource={refund}
        label="Refunds"
        state={state}
        onState={set}
        search="Search by reason"
        params={weekParams('settledAt', state.when)}
        filters={[
          { key: 'when', label: 'Completed', options: weekOptions(state.when) },
          'state',
          ...FINANCIAL_LIST_FILTERS,
        ]}
        empty={
          <EmptyState title="No refunds yet">
            To refund a payment, open it under Payments and choose “Refund”.
          </EmptyState>
        }
        columns={[
          { key: 'id', title: 'Refund', tight: true, order: 'id', render: (r) => `Refund ${r.id}` },
          { key: 'customer', title: 'Customer', known: true, render: (r) => r.customer.companyName ?? '—' },
          { key: 'state', title: 'Status', tight: true, render: (r) => <RefundChip state={r.state} /> },
          {
            key: 'amount',
            title: 'Amount',
            render: (r) => <span className={css.money}>{formatMoney(r.amount, r.currency)}</span>,
          },
          {
            key: 'createdBy',
            title: 'Requested by',
            render: (r) => (r.createdBy ? <PersonName username={r.createdBy} /> : paymentServiceName(r.charge.gateway)),
          },
          { key: 'reason', title: 'Reason', wide: true },
          { key: 'createdAt', title: 'Requested', render: (r) => <DateTimeText at={r.createdAt} day /> },
        ]}
        href={(r) => `/crm/charge/${r.charge.id}`}
      />
    </Page>
  )
}

/** Setting for the amount above which refunds need approval. */
function Settings() {
  const actor = useActor()
  const [opened, setOpened] = useState(false)
  const rules = useList(paymentSettings, {}, { enabled: opened }).data?.['hydra:member'][0]
  const close = () => setOpened(false)
  if (!can(actor, 'update', paymentSettings)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Settings
      </Button>
      <Dialog opened={opened && !!rules} onClose={close} title="Payment settings" size="32rem">
        {rules && <RaisedLimitsNotice resource={paymentSettings} settings={rules} />}
        {rules && (
          <ResourceForm
            resource={paymentSettings}
            record={rules}
            inputs={{ refundLimit: createMoneyInput() }}
            onCancel={close}
            onSaved={close}
          />
        )}
      </Dialog>
    </>
  )
}
