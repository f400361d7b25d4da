import { Button, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import css from '../sales.module.css'
import { useMonthAct, useSums } from './data.web.ts'
import { Lines } from './lines.web.tsx'
import { monthWords } from './month.ts'
import { RatesDialog } from './rates.web.tsx'
import type { CommissionSums } from './sums.ts'

type Month = CommissionSums['months'][number]

const STANDS = {
  open: { meaning: 'info', words: 'Open' },
  approved: { meaning: 'attention', words: 'Approved' },
  locked: { meaning: 'safe', words: 'Locked and paid' },
} as const

/** The months of commission: compared, approved and locked, with the lines behind them. */
export default function CommissionReview() {
  const sums = useSums()
  const [rates, setRates] = useState(false)
  return (
    <Page
      title="Commission"
      actions={
        <>
          <Button variant="default" onClick={() => setRates(true)}>
            Rates
          </Button>
          <Button component={Link} to="/cms/commissionreview/makeup" variant="default">
            Adjustments
          </Button>
        </>
      }
    >
      <Stack gap="lg">
        {sums.isPending && <LoadingRows rows={4} />}
        {sums.isError && !sums.data && <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />}
        {sums.data?.months.length === 0 && (
          <EmptyState title="No commission yet">Set a rate, and the sales from its first day on earn it.</EmptyState>
        )}
        {sums.data && sums.data.months.length > 0 && <Months of={sums.data} />}
        <Title order={2} size="h4">
          Lines
        </Title>
        <Lines params={{}} isOwn={false} />
      </Stack>
      <RatesDialog opened={rates} onClose={() => setRates(false)} />
    </Page>
  )
}

function Months({ of }: { readonly of: CommissionSums }) {
  const act = useMonthAct()
  const [dialog, ask] = useConfirm()
  const total = (month: Month, kind?: string) =>
    of.sums
      .filter((s) => s.month === month.id && (kind === undefined || s.kind === kind))
      .reduce((n, s) => n + s.amount, 0)
  const lock = async (month: Month) => {
    const yes = await ask({
      title: `Lock ${monthWords(month.month)}`,
      question:
        'What was earned is then paid, and nothing of the month changes any more. What comes later stands in a later month.',
      action: 'Lock month',
      meaning: 'stop',
    })
    if (yes) act.mutate({ month: month['@id'], path: 'lock' })
  }
  return (
    <>
      {dialog}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={css.frame} aria-label="Months" tabIndex={0}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Stands</th>
              <th scope="col">Earned</th>
              <th scope="col">Clawed back</th>
              <th scope="col">Adjusted</th>
              <th scope="col">To pay</th>
              <th scope="col">To do</th>
            </tr>
          </thead>
          <tbody>
            {of.months.map((month) => (
              <tr key={month.id}>
                <th scope="row">
                  <Link to={`?month=${month.id}`}>{monthWords(month.month)}</Link>
                </th>
                <td>
                  <StatusChip meaning={STANDS[month.state].meaning}>{STANDS[month.state].words}</StatusChip>
                </td>
                {['earned', 'clawback', 'adjustment', undefined].map((kind) => (
                  <td key={kind ?? 'all'}>{formatMoney(total(month, kind), 'GBP')}</td>
                ))}
                <td>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    {month.state === 'open' && (
                      <>
                        <Button
                          variant="default"
                          aria-label={`Work ${monthWords(month.month)} out again`}
                          onClick={() => act.mutate({ month: month['@id'], path: 'reckon' })}
                        >
                          Work out again
                        </Button>
                        <Button
                          aria-label={`Approve ${monthWords(month.month)}`}
                          onClick={() => act.mutate({ month: month['@id'], path: 'approve' })}
                        >
                          Approve
                        </Button>
                      </>
                    )}
                    {month.state === 'approved' && (
                      <>
                        <Button
                          variant="default"
                          aria-label={`Open ${monthWords(month.month)} again`}
                          onClick={() => act.mutate({ month: month['@id'], path: 'reopen' })}
                        >
                          Open again
                        </Button>
                        <Button aria-label={`Lock ${monthWords(month.month)}`} onClick={() => void lock(month)}>
                          Lock
                        </Button>
                      </>
                    )}
                  </Group>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
