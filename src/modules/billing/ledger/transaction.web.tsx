import { Anchor, Title } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { useBillingUrls } from '../billing-urls.web.ts'
import { LEDGER_ACCOUNTS, LEDGER_TRANSACTION_KINDS, ledgerTransaction } from './ledger.ts'
import { MoneyTable } from './money-table.web.tsx'

export default function LedgerTransactionPage() {
  const { id } = useParams()
  const one = useApiRecord(ledgerTransaction, id)
  const t = one.data
  const places = useBillingUrls()
  const back = { label: 'Ledger', to: getListReturnPath(places.ledger) }
  if (!t)
    return (
      <Page title="Ledger transaction" back={back}>
        {one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return (
    <Page title={t.description} back={back}>
      <section className={page.card} aria-labelledby="movement">
        <Title order={2} size="h4" id="movement">
          {LEDGER_TRANSACTION_KINDS.find((k) => k.value === t.kind)?.label}, {formatIsoDateAsUk(t.day)}
        </Title>
        {t.customer && (
          <Anchor component={Link} to={places.customer(t.customer.id)}>
            {t.customer.companyName || 'Customer'}
          </Anchor>
        )}
        <MoneyTable
          head="Account"
          columns={['Debit', 'Credit']}
          rows={t.entries.map((e) => ({
            key: e.id,
            name: LEDGER_ACCOUNTS.find((a) => a.value === e.account)?.label,
            currency: e.currency,
            amounts: [Math.max(e.amount, 0), Math.max(-e.amount, 0)],
          }))}
        />
        <span>
          Posted by <PersonName username={t.author || 'system'} />, <DateTimeText at={t.createdAt} />
        </span>
      </section>
    </Page>
  )
}
