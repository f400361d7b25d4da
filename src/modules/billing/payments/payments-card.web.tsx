import { Anchor, Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { lastIriSegment } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import type { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { charge } from './charge.ts'
import { ChargeChip } from './chips.web.tsx'
import { PENDING_PAYMENT_POLL_MS } from './data.web.ts'
import { PaymentForm, type PaymentTarget } from './take-payment.web.tsx'

/** Payments card on an invoice's page, except for drafts. */
export function InvoicePayments({ record: i }: { readonly record: RecordOf<typeof invoice> }) {
  if (i.state === 'draft') return null
  return (
    <PaymentsPanel
      url={`${i['@id']}/charges`}
      closed={i.state !== 'open'}
      paying={{
        customer: { '@id': i.customer['@id'], id: Number(lastIriSegment(i.customer['@id'])) },
        currency: i.currency,
        invoice: { '@id': i['@id'], number: i.number, amountDue: i.amountDue },
      }}
    />
  )
}

/** Payments card on a customer's page. Payments recorded here are added to the customer's credit. */
export const CustomerPayments = ({ record: c }: { readonly record: CustomerRecord }) => (
  <PaymentsPanel
    url={`${c['@id']}/charges`}
    closed={c.retired}
    paying={{ customer: { '@id': c['@id'], id: c.id }, currency: c.currency }}
  />
)

interface Props {
  readonly url: string
  readonly paying: PaymentTarget
  /** True if no payment is possible. The reason is shown elsewhere on the page. */
  readonly closed: boolean
}

function PaymentsPanel({ url, paying, closed }: Props) {
  const [open, setOpen] = useState(false)
  const places = useBillingUrls()
  const isFinance = hasRole(useActor(), FINANCE_ROLES)
  const close = () => setOpen(false)
  const list = useQuery({
    ...listQueryOptions({ ...charge, url }, { itemsPerPage: MAX_PAYMENTS_SHOWN }),
    refetchInterval: ({ state }) =>
      state.data?.['hydra:member'].some((c) => c.state === 'pending') ? PENDING_PAYMENT_POLL_MS : false,
  })
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="payments">
      <div className={css.head}>
        <Title order={2} size="h4" id="payments">
          Payments
        </Title>
        {!closed && (paying.invoice !== undefined || isFinance) && (
          <Button variant="default" onClick={() => setOpen(true)}>
            Record a payment
          </Button>
        )}
      </div>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={2} />
      ) : rows.length === 0 ? (
        <span>No payments yet</span>
      ) : (
        <ul className={css.list}>
          {rows.map((c) => (
            <li key={c.id} className={css.row}>
              <Anchor component={Link} to={places.charge(c.id)}>
                Payment {c.id}
              </Anchor>
              <ChargeChip state={c.state} />
              {c.method === 'debit' && c.state === 'succeeded' && <span>Collected by Direct Debit on</span>}
              <DateTimeText at={c.receivedAt ?? c.createdAt} day />
              <span className={css.money}>{formatMoney(c.amount, c.currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <Dialog opened={open} onClose={close} title="Record a payment" size="32rem">
        <PaymentForm of={paying} onDone={close} />
      </Dialog>
    </section>
  )
}

/** Number of latest payments shown; the payments list shows them all. */
const MAX_PAYMENTS_SHOWN = 20
