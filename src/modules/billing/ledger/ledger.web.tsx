import { Anchor, Button, Text, Title } from '@mantine/core'
import { IconDownload, IconLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { DateRangeField } from '#web/dates/date-range-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import {
  type AccountBalance,
  LEDGER_BALANCES_URL,
  LEDGER_JOURNAL_URL,
  LEDGER_TRANSACTION_KINDS,
  ledgerLock,
  ledgerTransaction,
  VAT_REPORT_URL,
  type VatReportLine,
} from './ledger.ts'
import { MoneyTable } from './money-table.web.tsx'

const day = z
  .string()
  .regex(/^(\d{4}-\d\d-\d\d)?$/)
  .default('')
const LIST = listUrlSchema({
  from: day,
  to: day,
  kind: z.enum(['', ...LEDGER_TRANSACTION_KINDS.map((k) => k.value)]).default(''),
  customer: z.string().regex(/^\d*$/).default(''),
})

/** Ledger screen: account balances, VAT and the transactions that make them up. */
export default function LedgerPage() {
  const places = useBillingUrls()
  const [state, set] = useUrlState(LIST)
  const [closing, setClosing] = useState(false)
  const today = londonToday()
  const from = state.from || `${today.slice(0, 8)}01`
  const to = state.to || today
  return (
    <Page
      title="Ledger"
      actions={
        <>
          <Journal from={from} to={to} />
          <Button variant="default" leftSection={<IconLock size={16} aria-hidden />} onClick={() => setClosing(true)}>
            Close a period
          </Button>
        </>
      }
    >
      <DateRangeField
        label="Period"
        value={{ start: from, end: to }}
        onChange={({ start, end }) => set({ from: start ?? '', to: end ?? '' })}
      />
      <DashboardSections>
        <Accounts day={to} />
        <Vat from={from} to={to} />
        <Title order={2} size="h4">
          Transactions
        </Title>
        <DataList
          resource={ledgerTransaction}
          label="Ledger transactions"
          state={state}
          onState={set}
          search={false}
          params={{ 'day[after]': from, 'day[before]': to }}
          filters={['kind', 'customer']}
          empty={<EmptyState title="No transactions in this period">Choose other dates to see more.</EmptyState>}
          columns={[
            { key: 'day', title: 'Date', tight: true, render: (t) => formatIsoDateAsUk(t.day) },
            { key: 'description', title: 'Description', link: true },
            { key: 'kind', title: 'Type', tight: true },
            {
              key: 'customer',
              title: 'Customer',
              render: (t) =>
                t.customer ? (
                  <Anchor component={Link} to={places.customer(t.customer.id)} inherit>
                    {t.customer.companyName || 'Customer'}
                  </Anchor>
                ) : (
                  '—'
                ),
            },
            { key: 'author', title: 'Posted by', wide: true, inCard: false },
          ]}
          href={(t) => places.transaction(t.id)}
        />
      </DashboardSections>
      <Dialog opened={closing} onClose={() => setClosing(false)} title="Close a period" size="28rem">
        <Closing onDone={() => setClosing(false)} />
      </Dialog>
    </Page>
  )
}

interface Period {
  readonly from: string
  readonly to: string
}

/** Downloads the period's journal in the chosen layout. */
function Journal({ from, to }: Period) {
  const file = useMutation({
    mutationFn: async (layout: string) => {
      const { bytes, name } = await fetchFile(`${LEDGER_JOURNAL_URL}?${new URLSearchParams({ from, to, layout })}`)
      saveToDisk(bytes, name ?? 'journal.csv')
    },
    onError: (e) => toast.failed(e),
  })
  return [
    { layout: 'xero', words: 'CSV for Xero' },
    { layout: 'sage', words: 'CSV for Sage' },
  ].map(({ layout, words }) => (
    <Button
      key={layout}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={file.isPending && file.variables === layout}
      onClick={() => file.mutate(layout)}
    >
      {words}
    </Button>
  ))
}

/** A ledger report in its own card. */
function Report<T>({
  title,
  url,
  empty,
  children,
}: {
  readonly title: string
  readonly url: string
  readonly empty: (of: T) => string | undefined
  readonly children: (of: T) => ReactNode
}) {
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<T>(url), refetchOnMount: 'always' })
  const id = title.toLowerCase().replaceAll(' ', '-')
  const none = answer.data && empty(answer.data)
  return (
    <section className={page.card} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {answer.isPending && <LoadingRows rows={4} />}
      {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
      {none ? <Text size="sm">{none}</Text> : answer.data && children(answer.data)}
    </section>
  )
}

const Accounts = ({ day }: { readonly day: string }) => (
  <Report<{ accounts: AccountBalance[] }>
    title={`Accounts at the end of ${formatIsoDateAsUk(day)}`}
    url={`${LEDGER_BALANCES_URL}?day=${day}`}
    empty={({ accounts }) => (accounts.length ? undefined : 'No transactions up to this day.')}
  >
    {({ accounts }) => (
      <MoneyTable
        head="Account"
        columns={['Debit', 'Credit']}
        rows={accounts.map((a) => ({
          key: `${a.account} ${a.currency}`,
          name: `${a.nominal} ${a.label}`,
          currency: a.currency,
          amounts: [a.debit, a.credit],
        }))}
      />
    )}
  </Report>
)

const Vat = ({ from, to }: Period) => (
  <Report<{ lines: VatReportLine[] }>
    title="VAT for the period"
    url={`${VAT_REPORT_URL}?${new URLSearchParams({ from, to })}`}
    empty={({ lines }) => (lines.length ? undefined : 'No sales in this period.')}
  >
    {({ lines }) => (
      <MoneyTable
        head="Type"
        columns={['Net sales', 'VAT']}
        rows={lines.map((l) => ({
          key: `${l.code} ${l.percent} ${l.currency}`,
          name: l.percent > 0 ? `${l.label}, ${l.percent}%` : l.label,
          currency: l.currency,
          amounts: [l.net, l.vat],
        }))}
      />
    )}
  </Report>
)

/** Form to close a period. Shows the date up to which the books are closed. */
function Closing({ onDone }: { readonly onDone: () => void }) {
  const locks = useList(ledgerLock, { itemsPerPage: 1 })
  const last = locks.data?.['hydra:member'][0]
  return (
    <>
      <Text size="sm" mb="md">
        {last
          ? `The books are closed up to and including ${formatIsoDateAsUk(last.through)}.`
          : 'No period has been closed yet. '}
        A closed period can’t be reopened, and nothing more can be posted to it. Corrections are posted to the next
        period.
      </Text>
      <ResourceForm
        resource={ledgerLock}
        fields={['through']}
        action="Close period"
        onCancel={onDone}
        onSaved={() => {
          toast.saved('the end of the closed period')
          onDone()
        }}
      />
    </>
  )
}
