import { formatPounds } from '#kernel/money.ts'
import { useActor } from '#web/api/me.ts'
import { KeyFigures } from '#web/charts/key-figures.tsx'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { useCommissionTotals } from './data.web.ts'
import { CommissionLines } from './lines.web.tsx'
import { calculateCommissionBalance } from './sums.ts'

/** Page with the signed-in seller's commission: due, paid and clawed back, with all lines. */
export default function OwnCommission() {
  const actor = useActor()
  const sums = useCommissionTotals()
  const own = sums.data && calculateCommissionBalance(sums.data, (s) => s.mine)
  return (
    <Page title="My commission">
      <DashboardSections>
        {sums.isPending && <LoadingRows rows={2} />}
        {sums.isError && !sums.data && <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />}
        {own && (
          <KeyFigures
            all={[
              {
                label: 'Due',
                cell: { value: own.pending },
                format: formatPounds,
                beside: 'Months not locked yet',
              },
              { label: 'Paid', cell: { value: own.paid }, format: formatPounds, beside: 'Locked months' },
              {
                label: 'Clawed back',
                cell: { value: own.clawedBack },
                format: formatPounds,
                beside: 'Deducted from due and paid commission',
              },
            ]}
          />
        )}
        <CommissionLines params={{ person: actor.userId }} isOwn />
      </DashboardSections>
    </Page>
  )
}
