import { useState } from 'react'
import { z } from 'zod'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { parseDaySpan, weekFilterSchema, weekOptions } from '#web/lists/weeks.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { MoneyCell } from '../money.web.tsx'
import type { CountedSaleRecord } from './columns.web.tsx'
import { dayRangeParams } from './columns.web.tsx'
import { countedSale, RENEWAL_FILTER, renewalFilterSchema } from './counted-sale.ts'
import { SaleDialog } from './dialog.web.tsx'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({
  when: weekFilterSchema,
  seller: id,
  product: id,
  notSaid: emptyFieldFilterSchema,
  renewal: renewalFilterSchema,
})
const DAYS = 90

const STANDS = {
  none: { meaning: 'plain', words: 'Nothing to renew' },
  open: { meaning: 'attention', words: 'Not yet known' },
  renewed: { meaning: 'safe', words: 'Renewed' },
  lost: { meaning: 'stop', words: 'Not renewed' },
} as const

/** Page with sales that are due for renewal. By default it shows open renewals in the next ninety days. */
export default function RenewalsPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<CountedSaleRecord>()
  const today = londonToday()
  const next = `${today}..${Temporal.PlainDate.from(today).add({ days: DAYS }).toString()}`
  const when = state.when || next
  const usual = { value: next, label: 'Next 90 days' }
  const others = weekOptions(parseDaySpan(when) && when !== next ? when : '').filter(({ value }) =>
    value.includes('..'),
  )
  return (
    <Page title="Renewals due">
      <DataList
        resource={countedSale}
        label="Renewals due"
        state={state}
        onState={set}
        search={false}
        params={{
          retired: false,
          'order[renewsOn]': 'asc',
          ...dayRangeParams('renewsOn', when),
          ...(state.renewal || state.when ? {} : { renewal: 'open' }),
        }}
        filters={[
          { key: 'when', label: 'Renewal due', options: [usual, ...others] },
          'seller',
          'product',
          emptyFieldFilter({ product: 'Product' }),
          RENEWAL_FILTER,
        ]}
        empty={
          <EmptyState title="Nothing to renew">
            Annual plans from quotes appear here 90 days before their renewal date.
          </EmptyState>
        }
        columns={[
          { key: 'company', title: 'Company', link: true },
          { key: 'what', title: 'What was sold', wide: true },
          {
            key: 'renewsOn',
            title: 'Renewal due',
            tight: true,
            render: (s: CountedSaleRecord) => (s.renewsOn ? formatIsoDateAsUk(s.renewsOn) : ''),
          },
          {
            key: 'amount',
            title: 'Amount',
            render: (s: CountedSaleRecord) => <MoneyCell pence={s.amount} currency={s.currency} />,
          },
          { key: 'seller', title: 'Sold by', tight: true },
          {
            key: 'renewal',
            title: 'Renewal',
            tight: true,
            render: (s: CountedSaleRecord) => (
              <StatusChip meaning={STANDS[s.renewal].meaning}>{STANDS[s.renewal].words}</StatusChip>
            ),
          },
        ]}
        onOpen={setOpen}
      />
      <SaleDialog of={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}
