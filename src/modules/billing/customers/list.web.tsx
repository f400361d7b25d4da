import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { useActor } from '#web/api/me.ts'
import { recordQueryOptions } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls, useIsProviderStaff } from '../billing-urls.web.ts'
import { customer } from './customer.ts'
import { formatCustomerName } from './data.web.ts'
import { NewCustomerForm } from './new-customer.web.tsx'

const LIST = listUrlSchema({ retired: retiredFilterSchema, unsettled: z.enum(['', 'true']).default('') })
/** `?new=lead` opens an empty form; `?new=12` opens the form for lead 12. */
const OPEN = z.object({
  new: z
    .string()
    .regex(/^(lead|\d{0,15})$/)
    .default(''),
})

/** Customer list, searchable by name, e-mail address or company. */
export default function CustomersPage() {
  const actor = useActor()
  const queries = useQueryClient()
  const go = useNavigate()
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useUrlState(OPEN)
  const close = () => setOpen({ new: '' })
  const add = can(actor, 'create', customer) && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ new: 'lead' })}>
      New customer
    </Button>
  )
  const statements = (
    <Button variant="default" onClick={() => set({ unsettled: state.unsettled ? '' : 'true' })}>
      {state.unsettled ? 'All customers' : 'Month-end statements'}
    </Button>
  )
  return (
    <Page
      title="Customers"
      actions={
        <>
          {statements}
          {add}
        </>
      }
    >
      {state.unsettled && (
        <Text size="sm">
          Select the customers below, then choose “E-mail statement”. Each gets one e-mail, which can’t be undone.
        </Text>
      )}
      <DataList
        resource={customer}
        label="Customers"
        state={state}
        onState={set}
        search="Search by name, e-mail or company"
        filters={[
          'retired',
          { key: 'unsettled', label: 'Balance', options: [{ value: 'true', label: 'With a balance' }] },
        ]}
        bulkWords={{
          sendStatement: { title: 'E-mail statement', done: 'queued for e-mail' },
        }}
        empty={
          <EmptyState title="No customers yet">
            {isStaff
              ? 'Create a customer from a lead or client before you send them a quote or invoice.'
              : 'Create a customer before you send a quote or invoice. Start with their name and e-mail address.'}
          </EmptyState>
        }
        columns={[
          { key: 'companyName', render: (c) => formatCustomerName(c) },
          { key: 'contactName', title: 'Contact name' },
          'email',
          { key: 'coupon', wide: true, render: (c) => c.coupon?.name ?? '—' },
          {
            key: 'accountBalance',
            title: 'Balance',
            render: (c) => <span className={css.money}>{formatMoney(c.accountBalance ?? 0, c.currency ?? 'GBP')}</span>,
          },
          {
            key: 'createdAt',
            title: 'Created',
            wide: true,
            inCard: false,
            render: (c) => <RelativeTimeText at={c.createdAt} />,
          },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Status' }]),
        ]}
        rowMuted={(c) => c.retired}
        href={(c) => places.customer(c.id)}
        onNear={(c) => queries.setQueryData(recordQueryOptions(customer, c.id).queryKey, c)}
      />
      <Dialog opened={open.new !== ''} onClose={close} title="New customer" size="40rem">
        <NewCustomerForm
          {...(/^\d+$/.test(open.new) ? { lead: iriOf(contact, open.new) } : {})}
          onCancel={close}
          onSaved={(c) => void go(places.customer(c.id))}
        />
      </Dialog>
    </Page>
  )
}
