import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { lastIriSegment } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import type { CustomerRecord } from '../customers/data.web.ts'
import { DunningChip } from './chip.web.tsx'
import { describeNextDunningStep } from './data.web.ts'
import { dunning } from './dunning.ts'

/** A customer's overdue invoices, oldest first. */
export default function CustomerDunning({ record: customer }: { readonly record: CustomerRecord }) {
  const list = useList(
    { ...dunning, url: `/api/financial/customers/${customer.id}/dunnings` },
    { state: ['collecting', 'held', 'ended'] },
  )
  const rows = list.data?.['hydra:member'].filter(({ invoice }) => invoice.amountDue > 0)
  return (
    <section className={page.card} aria-labelledby="collecting">
      <h2 id="collecting">Payment reminders</h2>
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
              <Anchor component={Link} to={`/crm/invoice/${lastIriSegment(one.invoice['@id'])}`}>
                {one.invoice.number}
              </Anchor>
              <DunningChip of={one} />
              <span>due {formatIsoDateAsUk(one.dueOn)}</span>
              {one.nextOn && <span>next {describeNextDunningStep(one)}</span>}
              <span className={css.money}>{formatMoney(one.invoice.amountDue, one.invoice.currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
