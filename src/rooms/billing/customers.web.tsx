import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { oneOptions } from '#web/api/resources.ts'
import { DataList } from '#web/crud/DataList.tsx'
import { listSchema, retiredFilter } from '#web/crud/listState.ts'
import { useUrlState } from '#web/crud/useUrlState.ts'
import { useActor } from '#web/shell/me.ts'
import { PageTitle } from '#web/shell/PageTitle.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Relative } from '#web/ui/Relative.tsx'
import { EmptyState } from '#web/ui/States.tsx'
import css from './billing.module.css'
import { customer } from './customer.ts'
import { type Customer, customerName } from './customer-data.web.ts'
import { NewCustomer } from './new-customer.web.tsx'

const LIST = listSchema({ retired: retiredFilter })

/** Everybody who buys, found by name, e-mail address or company. */
export default function Customers() {
  const actor = useActor()
  const queries = useQueryClient()
  const go = useNavigate()
  const [state, set] = useUrlState(LIST)
  const [creating, setCreating] = useState(false)
  const add = can(actor, 'create', customer) && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New customer
    </Button>
  )
  return (
    <div className={css.page}>
      <div className={css.head}>
        <PageTitle>Customers</PageTitle>
        {add}
      </div>
      <DataList
        resource={customer}
        label="Customers"
        state={state}
        onState={set}
        search="Search by name, e-mail or company"
        filters={['retired']}
        empty={
          <EmptyState title="No customers yet">
            A lead becomes a customer when it is to be quoted or charged. Begin with its lead or client.
          </EmptyState>
        }
        columns={[
          { key: 'companyName', render: (c) => customerName(c as unknown as Customer) },
          { key: 'contactName', title: 'Person' },
          'email',
          { key: 'coupon', wide: true, render: (c) => (c as unknown as Customer).coupon?.name ?? '—' },
          {
            key: 'accountBalance',
            title: 'Balance',
            render: (c) => <span className={css.money}>{formatMoney(c.accountBalance ?? 0, c.currency ?? 'GBP')}</span>,
          },
          { key: 'createdAt', title: 'Since', wide: true, inCard: false, render: (c) => <Relative at={c.createdAt} /> },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'State' }]),
        ]}
        rowMuted={(c) => c.retired}
        href={(c) => `/crm/customer/${c.id}`}
        onNear={(c) => queries.setQueryData(oneOptions(customer, c.id).queryKey, c)}
      />
      <Dialog opened={creating} onClose={() => setCreating(false)} title="New customer">
        <NewCustomer onCancel={() => setCreating(false)} onSaved={(c) => void go(`/crm/customer/${c.id}`)} />
      </Dialog>
    </div>
  )
}
