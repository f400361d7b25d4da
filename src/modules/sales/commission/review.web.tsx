import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { SALE_SOURCES } from '../counted/counted-sale.ts'
import css from '../sales.module.css'
import { useCommissionMonthAction, useCommissionTotals } from './data.web.ts'
import { CommissionLines } from './lines.web.tsx'
import { commissionRate, formatCommissionMonth } from './month.ts'
import type { CommissionTotals } from './sums.ts'

type Rate = RecordOf<typeof commissionRate>

const forWhom = (r: Rate) =>
  [r.seller?.name, r.product?.name, SALE_SOURCES.find((s) => s.value === r.source)?.label].filter(Boolean).join(', ') ||
  'All sales'

function CommissionRatesDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const rates = useList(commissionRate, { retired: false, itemsPerPage: 100 })
  const [open, setOpen] = useState<Rate | 'new'>()
  const back = () => setOpen(undefined)
  const close = () => {
    back()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title="Commission rates">
      {open ? (
        <ResourceForm
          resource={commissionRate}
          {...(open === 'new' ? {} : { record: open })}
          onCancel={back}
          onSaved={back}
        />
      ) : (
        <Stack>
          {rates.isPending && <LoadingRows rows={3} />}
          {rates.isError && <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />}
          {rates.data?.['hydra:member'].length === 0 && (
            <EmptyState title="No rates yet">No commission is earned without a rate.</EmptyState>
          )}
          {rates.data && rates.data['hydra:member'].length > 0 && (
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">Applies to</th>
                  <th scope="col">Percentage</th>
                  <th scope="col">Applies from</th>
                </tr>
              </thead>
              <tbody>
                {rates.data['hydra:member'].map((rate) => (
                  <tr key={rate.id}>
                    <th scope="row">
                      <Button variant="subtle" onClick={() => setOpen(rate)}>
                        {forWhom(rate)}
                      </Button>
                    </th>
                    <td>{rate.percent}%</td>
                    <td>{formatIsoDateAsUk(rate.from)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <Button onClick={() => setOpen('new')}>New rate</Button>
        </Stack>
      )}
    </Dialog>
  )
}

type Month = CommissionTotals['months'][number]

const STANDS = {
  open: { meaning: 'info', words: 'Open' },
  approved: { meaning: 'attention', words: 'Approved' },
  locked: { meaning: 'safe', words: 'Locked and paid' },
} as const

/** Page on which managers compare, approve and lock commission months and view their lines. */
export default function CommissionReview() {
  const sums = useCommissionTotals()
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
      <DashboardSections>
        {sums.isPending && <LoadingRows rows={4} />}
        {sums.isError && !sums.data && <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />}
        {sums.data?.months.length === 0 && (
          <EmptyState title="No commission yet">
            Choose “Rates” and create a rate. Sales earn commission from the date on which the rate applies.
          </EmptyState>
        )}
        {sums.data && sums.data.months.length > 0 && <Months of={sums.data} />}
        <Title order={2} size="h4">
          Commission lines
        </Title>
        <CommissionLines params={{}} isOwn={false} />
      </DashboardSections>
      <CommissionRatesDialog opened={rates} onClose={() => setRates(false)} />
    </Page>
  )
}

function Months({ of }: { readonly of: CommissionTotals }) {
  const act = useCommissionMonthAction()
  const [dialog, ask] = useConfirm()
  const total = (month: Month, kind?: string) =>
    of.sums
      .filter((s) => s.month === month.id && (kind === undefined || s.kind === kind))
      .reduce((n, s) => n + s.amount, 0)
  const lock = async (month: Month) => {
    const yes = await ask({
      title: `Lock ${formatCommissionMonth(month.month)}`,
      question:
        'The month’s commission will then be treated as paid, and nothing in the month can be changed. Later corrections will be recorded in a later month.',
      action: 'Lock month',
      meaning: 'stop',
    })
    if (yes) act.mutate({ month: month['@id'], path: 'lock' })
  }
  return (
    <>
      {dialog}
      <ResponsiveNumberTable
        label="Months"
        head="Month"
        columns={['Status', 'Earned', 'Clawed back', 'Adjusted', 'To pay', 'Next step']}
        rows={of.months.map((month) => ({
          key: String(month.id),
          name: (
            <Anchor component={Link} to={`?month=${month.id}`} inherit>
              {formatCommissionMonth(month.month)}
            </Anchor>
          ),
          cells: [
            <StatusChip key="stands" meaning={STANDS[month.state].meaning}>
              {STANDS[month.state].words}
            </StatusChip>,
            ...['earned', 'clawback', 'adjustment', undefined].map((kind) => formatMoney(total(month, kind), 'GBP')),
            <ToDo key="to-do" month={month} onLock={() => void lock(month)} />,
          ],
        }))}
      />
    </>
  )
}

/** Buttons for the actions that a month's status allows. */
function ToDo({ month, onLock }: { readonly month: Month; readonly onLock: () => void }) {
  const act = useCommissionMonthAction()
  const words = formatCommissionMonth(month.month)
  const isOver = month.month < `${londonToday().slice(0, 8)}01`
  const go = (path: string) => act.mutate({ month: month['@id'], path })
  if (month.state === 'locked') return '—'
  return (
    <Group gap="xs" justify="flex-end">
      {month.state === 'open' ? (
        <>
          <Button
            variant="default"
            loading={act.isPending}
            aria-label={`Recalculate: ${words}`}
            onClick={() => go('reckon')}
          >
            Recalculate
          </Button>
          {isOver ? (
            <Button loading={act.isPending} aria-label={`Approve ${words}`} onClick={() => go('approve')}>
              Approve
            </Button>
          ) : (
            <Text span size="sm">
              Can be approved after the month ends
            </Text>
          )}
        </>
      ) : (
        <>
          <Button
            variant="default"
            loading={act.isPending}
            aria-label={`Reopen: ${words}`}
            onClick={() => go('reopen')}
          >
            Reopen
          </Button>
          <Button aria-label={`Lock ${words}`} onClick={onLock}>
            Lock
          </Button>
        </>
      )}
    </Group>
  )
}
