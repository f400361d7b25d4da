import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { dayParameterSchema, listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { AmountBreakdown } from '../ledger/amount-breakdown.web.tsx'
import { CsvDownloadButton } from '../ledger/csv-file.web.tsx'
import {
  type AgedDebt,
  type AgedDebtor,
  type AgedDebtorsResponse,
  DEBT_AGE_BANDS,
  DEBTORS_URL,
  type DebtAgeBand,
} from './ageing.ts'

const LIST = listUrlSchema({
  day: dayParameterSchema,
})
/** Number of rows rendered initially. */
const FIRST = 100

/** Title and query of the debts to show. */
interface DebtSelection {
  readonly title: string
  readonly query: Readonly<Record<string, string>>
}

/** Aged debtors screen: what customers owe at the end of a day, by days overdue. */
export default function AgedDebtorsPage() {
  const [state, set] = useUrlState(LIST)
  const [asked, setAsked] = useState<DebtSelection>()
  const day = state.day || londonToday()
  const url = `${DEBTORS_URL}?day=${day}`
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<AgedDebtorsResponse>(url), refetchOnMount: 'always' })
  return (
    <Page title="Aged debtors" actions={<CsvDownloadButton url={`${DEBTORS_URL}/export.csv?day=${day}`} />}>
      <Stack gap="lg">
        <Text>What customers owe, by days overdue. Credits are deducted from the oldest invoices first.</Text>
        <Group>
          <DateField label="As at" value={day} onChange={(next) => set({ day: next ?? '' })} />
        </Group>
        {answer.isPending && <LoadingRows rows={8} />}
        {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.data?.rows.length === 0 && (
          <EmptyState title="No debts">On {formatIsoDateAsUk(day)} all accounts were settled.</EmptyState>
        )}
        {answer.data && answer.data.rows.length > 0 && <Found data={answer.data} onAsk={setAsked} />}
      </Stack>
      <Dialog opened={asked !== undefined} onClose={() => setAsked(undefined)} title={asked?.title ?? ''} size="44rem">
        {asked && <Debts query={{ day, ...asked.query }} />}
      </Dialog>
    </Page>
  )
}

interface FoundProps {
  readonly data: AgedDebtorsResponse
  readonly onAsk: (asked: DebtSelection) => void
}

function Found({ data, onAsk }: FoundProps) {
  const [all, setAll] = useState(false)
  const isMixed = new Set(data.rows.map((row) => row.currency)).size > 1
  const cellsOf = (of: Pick<AgedDebtor, 'ages' | 'total' | 'currency'>, whose: string, customer?: number) => {
    const narrowed = { currency: of.currency, ...(customer === undefined ? {} : { customer: String(customer) }) }
    const number = (pence: number, label: string, age?: DebtAgeBand) =>
      pence === 0 ? (
        ''
      ) : (
        <Anchor
          component="button"
          inherit
          aria-label={`${formatMoney(pence, of.currency)} ${whose}, ${label}`}
          onClick={() => onAsk({ title: `${whose}: ${label}`, query: { ...narrowed, ...(age ? { age } : {}) } })}
        >
          {formatMoney(pence, of.currency)}
        </Anchor>
      )
    return [
      ...DEBT_AGE_BANDS.map(({ value, label }) => number(of.ages[value], label, value)),
      number(of.total, 'Total'),
    ]
  }
  const rows = all ? data.rows : data.rows.slice(0, FIRST)
  return (
    <section aria-labelledby="customers">
      <Title order={2} size="h4" id="customers" mb="xs">
        {data.rows.length} {data.rows.length === 1 ? 'account' : 'accounts'} on {formatIsoDateAsUk(data.day)}
      </Title>
      <ResponsiveNumberTable
        label="Aged debtors"
        head="Customer"
        columns={[...DEBT_AGE_BANDS.map(({ label }) => label), 'Total']}
        rows={[
          ...rows.map((row) => ({
            key: `${row.customer} ${row.currency}`,
            name: (
              <Anchor component={Link} to={`/crm/customer/${row.customer}`} inherit>
                {row.company}
                {isMixed && `, ${row.currency}`}
              </Anchor>
            ),
            cells: cellsOf(row, row.company, row.customer),
          })),
          ...data.sums.map((sum) => ({
            key: sum.currency,
            name: isMixed ? `All, ${sum.currency}` : 'All',
            cells: cellsOf(sum, 'All'),
            isSum: true,
          })),
        ]}
      />
      {rows.length < data.rows.length && (
        <Button variant="default" mt="sm" onClick={() => setAll(true)}>
          Show all {data.rows.length}
        </Button>
      )}
    </section>
  )
}

/** Invoices and other entries that make up a total, each with a link. */
function Debts({ query }: { readonly query: Readonly<Record<string, string>> }) {
  return (
    <AmountBreakdown<AgedDebt>
      url={`${DEBTORS_URL}/debts?${new URLSearchParams(query)}`}
      head="Invoice"
      columns={['Customer', 'Due', 'Days overdue', 'Amount']}
      row={(one) => ({
        key: `${one.customer} ${one.invoice} ${one.dueOn} ${one.age}`,
        name:
          one.invoice === null ? (
            <Anchor component={Link} to={`/crm/customer/${one.customer}`} inherit>
              {one.age === 'credit' ? 'In credit' : 'Recorded without an invoice'}
            </Anchor>
          ) : (
            <Anchor component={Link} to={`/crm/invoice/${one.invoice}`} inherit>
              {one.number}
            </Anchor>
          ),
        cells: [
          one.company,
          formatIsoDateAsUk(one.dueOn),
          one.days > 0 ? String(one.days) : '—',
          formatMoney(one.amount, one.currency),
        ],
      })}
    />
  )
}
