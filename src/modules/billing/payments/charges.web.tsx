import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekOptions, weekParams } from '#web/lists/weeks.ts'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { FINANCIAL_LIST_FILTERS, financialListUrlState } from '../customers/data.web.ts'
import { charge } from './charge.ts'
import { ChargeChip } from './chips.web.tsx'
import { PAY_LINK_AUTHOR } from './names.ts'

const LIST = listUrlSchema({
  state: z.enum(['', 'pending', 'succeeded', 'failed', 'disputed']).default(''),
  method: z.enum(['', 'card', 'debit', 'bank', 'other']).default(''),
  customer: z.string().regex(/^\d*$/).default(''),
  ...financialListUrlState,
})

export default function ChargesPage() {
  const [state, set] = useUrlState(LIST)
  const places = useBillingUrls()
  return (
    <Page title="Payments">
      <DataList
        resource={charge}
        label="Payments"
        state={state}
        onState={set}
        search="Search by reference"
        params={weekParams('receivedAt', state.when)}
        filters={[
          { key: 'when', label: 'Received', options: weekOptions(state.when) },
          'state',
          'method',
          'customer',
          ...FINANCIAL_LIST_FILTERS,
        ]}
        empty={
          <EmptyState title="No payments yet">
            Choose “Record a payment” on an invoice or on a customer’s page. Card payments appear here automatically.
          </EmptyState>
        }
        columns={[
          { key: 'id', title: 'Payment', tight: true, order: 'id', render: (c) => `Payment ${c.id}` },
          {
            key: 'customer',
            title: 'Customer',
            known: true,
            render: (c) => c.customer.companyName ?? c.customer.email,
          },
          { key: 'state', title: 'Status', tight: true, render: (c) => <ChargeChip state={c.state} /> },
          { key: 'amount', render: (c) => <span className={css.money}>{formatMoney(c.amount, c.currency)}</span> },
          {
            key: 'amountRefunded',
            wide: true,
            render: (c) => (c.amountRefunded ? formatMoney(c.amountRefunded, c.currency) : '—'),
          },
          'method',
          { key: 'invoice', title: 'Invoice', wide: true },
          { key: 'createdAt', title: 'Started', render: (c) => <DateTimeText at={c.createdAt} day /> },
          {
            key: 'createdBy',
            wide: true,
            inCard: false,
            render: (c) =>
              c.createdBy === PAY_LINK_AUTHOR ? 'The customer, by payment link' : <PersonName username={c.createdBy} />,
          },
        ]}
        href={(c) => places.charge(c.id)}
      />
    </Page>
  )
}
