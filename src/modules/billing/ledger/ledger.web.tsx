import '@mantine/core/styles/Combobox.layer.css'
import { Anchor, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { CURRENCIES } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { DateRangeField } from '#web/dates/date-range-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { dayParameterSchema, listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import { CsvDownloadButton } from './csv-file.web.tsx'
import {
  ACCOUNTANT_FILES_URL,
  type AccountantFile,
  type AccountBalance,
  DEPOSITS_URL,
  type Deposit,
  LEDGER_BALANCES_URL,
  LEDGER_TRANSACTION_KINDS,
  ledgerLock,
  ledgerTransaction,
  TRIAL_BALANCE_URL,
  VAT_REPORT_URL,
  type VatReportLine,
} from './ledger.ts'
import { MoneyTable } from './money-table.web.tsx'

const LIST = listUrlSchema({
  from: dayParameterSchema,
  to: dayParameterSchema,
  kind: z.enum(['', ...LEDGER_TRANSACTION_KINDS.map((k) => k.value)]).default(''),
  customer: z.string().regex(/^\d*$/).default(''),
})

/** Ledger screen: account balances, VAT and the transactions that make them up. */
export default function LedgerPage() {
  const places = useBillingUrls()
  const [state, set] = useUrlState(LIST)
  const [closing, setClosing] = useState(false)
  const [exporting, setExporting] = useState(false)
  const today = londonToday()
  const from = state.from || `${today.slice(0, 8)}01`
  const to = state.to || today
  return (
    <Page
      title="Ledger"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => setExporting(true)}
          >
            Files for your accountant
          </Button>
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
        <Deposits from={from} to={to} />
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
      <Dialog opened={exporting} onClose={() => setExporting(false)} title="Files for your accountant" size="40rem">
        <AccountantFiles from={from} to={to} />
      </Dialog>
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

const PROGRAMS = [
  { value: 'xero', label: 'Xero' },
  { value: 'sage', label: 'Sage 50' },
]
const HOW_FILES_DIVIDE = {
  xero: 'Every posting is in exactly one file. Sales contain the VAT, so the journal contains none. Xero takes no trade debtors or bank accounts in journals: payments are bank statements that you reconcile with the imported invoices. Set up 1250 as a bank account in Xero.',
  sage: 'Every posting is in exactly one file. Sales contain the VAT, so the journal contains none. Payments are imported on account, for you to allocate. Create the customers in Sage first, with the account references in the files.',
} as const

/** Files of the period for an accountant, by program and currency. */
function AccountantFiles({ from, to }: Period) {
  const [layout, setLayout] = useState<'xero' | 'sage'>('xero')
  const [currency, setCurrency] = useState<string>('GBP')
  const url = `${ACCOUNTANT_FILES_URL}?${new URLSearchParams({ from, to, layout, currency })}`
  const answer = useQuery({
    queryKey: [url],
    ...urlQueryOptions<{ files: AccountantFile[] }>(url),
    refetchOnMount: 'always',
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        {formatIsoDateAsUk(from)} to {formatIsoDateAsUk(to)}. Choose another period on the ledger’s page.
      </Text>
      <Group grow>
        <Select
          label="Program"
          data={PROGRAMS}
          value={layout}
          onChange={(value) => setLayout(value === 'sage' ? 'sage' : 'xero')}
          allowDeselect={false}
        />
        <Select
          label="Currency"
          data={[...CURRENCIES]}
          value={currency}
          onChange={(value) => setCurrency(value ?? 'GBP')}
          allowDeselect={false}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {HOW_FILES_DIVIDE[layout]}
      </Text>
      {answer.isPending && <LoadingRows rows={4} />}
      {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.data?.files.map(({ title, reason, rows, urls }) => (
        <Group key={title} justify="space-between" gap="xs">
          <Text size="sm" flex="1 1 12rem">
            {title}
          </Text>
          {reason || rows === 0 ? (
            <Text size="sm" c="dimmed" flex="1 1 12rem">
              {reason || 'Nothing in this period'}
            </Text>
          ) : (
            urls.map((one, n) => (
              <CsvDownloadButton
                key={one}
                url={one}
                words={urls.length > 1 ? `Part ${n + 1} of ${urls.length}` : 'Download'}
                label={urls.length > 1 ? `${title}, part ${n + 1}` : title}
              />
            ))
          )}
        </Group>
      ))}
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 12rem">
          Trial balance at the end of {formatIsoDateAsUk(to)}
        </Text>
        <CsvDownloadButton
          url={`${TRIAL_BALANCE_URL}?${new URLSearchParams({ day: to, currency })}`}
          words="Download"
          label="Trial balance"
        />
      </Group>
    </Stack>
  )
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

/** Payments on account. VAT is due on them before there is an invoice. */
const Deposits = ({ from, to }: Period) => (
  <Report<{ lines: Deposit[] }>
    title="Payments received before an invoice"
    url={`${DEPOSITS_URL}?${new URLSearchParams({ from, to })}`}
    empty={({ lines }) => (lines.length ? undefined : 'No payments before an invoice in this period.')}
  >
    {({ lines }) => (
      <>
        <Text size="sm">
          A payment for a future supply has its own tax point. Issue a VAT invoice for it, or include its VAT in the
          return for this period.
        </Text>
        <MoneyTable
          head="Payment"
          columns={['Received']}
          rows={lines.map((l) => ({
            key: l.id,
            name: `${formatIsoDateAsUk(l.day)}, ${l.company || 'Customer'}`,
            currency: l.currency,
            amounts: [l.amount],
          }))}
        />
      </>
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
