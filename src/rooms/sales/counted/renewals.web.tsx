import { z } from 'zod'
import { ukDay } from '#kernel/time.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Money } from '../money.web.tsx'
import type { Sale } from './columns.web.tsx'
import { countedSale } from './counted-sale.ts'

const LIST = listSchema({ seller: z.string().regex(/^\d*$/).default('') })
const DAYS = 90

/** What is paid by the year and comes to its end within the next ninety days, by accepted quotes. */
export default function Renewals() {
  const [state, set] = useUrlState(LIST)
  const today = londonToday()
  const last = Temporal.PlainDate.from(today).add({ days: DAYS }).toString()
  return (
    <Page title="Renewals">
      <DataList
        resource={countedSale}
        label="Renewals"
        state={state}
        onState={set}
        search={false}
        params={{ retired: false, 'renewsOn[after]': today, 'renewsOn[before]': last, 'order[renewsOn]': 'asc' }}
        filters={['seller']}
        empty={
          <EmptyState title="Nothing to renew">
            What a quote sells by the year stands here for the last ninety days of its year.
          </EmptyState>
        }
        columns={[
          { key: 'company', title: 'Company', link: true },
          { key: 'what', title: 'What was sold', wide: true },
          {
            key: 'renewsOn',
            title: 'Renewal',
            tight: true,
            render: (s: Sale) => (s.renewsOn ? ukDay(s.renewsOn) : ''),
          },
          { key: 'amount', title: 'Amount', render: (s: Sale) => <Money pence={s.amount} currency={s.currency} /> },
          { key: 'seller', title: 'Sold by', tight: true },
        ]}
        href={(s) => (s.contact ? `/crm/contact/view/${s.contact.id}` : `/crm/quote/${s.quote?.id}`)}
      />
    </Page>
  )
}
