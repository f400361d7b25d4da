import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { PromiseChip } from './chip.web.tsx'
import { overdueInvoice } from './overdue.ts'

/** A customer's overdue invoices, oldest first. */
export default function CustomerDunning({ record: customer }: { readonly record: CustomerRecord }) {
  const places = useBillingUrls()
  const list = useList(overdueInvoice, { customer: customer.id })
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="collecting">
      <h2 id="collecting">Overdue</h2>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={2} />
      ) : rows.length === 0 ? (
        <span>Nothing overdue</span>
      ) : (
        <ul className={css.list}>
          {rows.map((one) => (
            <li key={one.id} className={css.row}>
              <Anchor component={Link} to={places.invoice(one.id)}>
                {one.number}
              </Anchor>
              <PromiseChip state={one.promise} />
              <span>due {formatIsoDateAsUk(one.dueOn ?? '')}</span>
              {one.pausedUntil && <span>paused until {formatIsoDateAsUk(one.pausedUntil)}</span>}
              <span className={css.money}>{formatMoney(one.amountDue, one.currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
