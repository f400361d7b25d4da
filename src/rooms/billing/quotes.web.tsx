import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { DataList } from '#web/crud/DataList.tsx'
import { listSchema } from '#web/crud/listState.ts'
import { useUrlState } from '#web/crud/useUrlState.ts'
import { PageTitle } from '#web/shell/PageTitle.tsx'
import { Moment } from '#web/ui/Relative.tsx'
import { EmptyState } from '#web/ui/States.tsx'
import css from './billing.module.css'
import { quote } from './quote.ts'
import { QuoteChip } from './quote-chip.web.tsx'

const LIST = listSchema({
  state: z.enum(['', 'draft', 'open', 'accepted', 'declined', 'expired', 'cancelled']).default(''),
  owner: z.string().regex(/^\d*$/).default(''),
})

/** Every quote with where it stands and until when, newest first. */
export default function Quotes() {
  const [state, set] = useUrlState(LIST)
  const add = (
    <Button component={Link} to="/crm/quote" leftSection={<IconPlus size={16} aria-hidden />}>
      New quote
    </Button>
  )
  return (
    <div className={css.page}>
      <div className={css.head}>
        <PageTitle>Quotes</PageTitle>
        {add}
      </div>
      <DataList
        resource={quote}
        label="Quotes"
        state={state}
        onState={set}
        search="Search by number, company or e-mail"
        filters={['state', 'owner']}
        empty={
          <EmptyState title="No quotes yet">
            A quote begins with its customer. Add what they want, and send it.
          </EmptyState>
        }
        columns={[
          'reference',
          { key: 'company', title: 'Customer', render: (q) => q.company || '—' },
          { key: 'state', title: 'State', render: (q) => <QuoteChip of={q} /> },
          {
            key: 'total',
            title: 'Total',
            render: (q) => <span className={css.money}>{formatMoney(q.total ?? 0, q.currency ?? 'GBP')}</span>,
          },
          { key: 'expiresAt', title: 'Valid until', render: (q) => <Moment at={q.expiresAt} day /> },
          { key: 'owner', title: 'Owner', wide: true },
          { key: 'sentAt', title: 'Sent', wide: true, inCard: false, render: (q) => <Moment at={q.sentAt} day /> },
        ]}
        href={(q) => `/crm/quote/${q.id}`}
      />
    </div>
  )
}
