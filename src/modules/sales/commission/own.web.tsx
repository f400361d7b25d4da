import { formatMoney } from '#kernel/money.ts'
import { useActor } from '#web/api/me.ts'
import { Numbers } from '#web/charts/numbers.tsx'
import { InOrder } from '#web/dashboard/in-order.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { useSums } from './data.web.ts'
import { Lines } from './lines.web.tsx'
import { standing } from './sums.ts'

const pounds = (pence: number) => formatMoney(pence, 'GBP')

/** The signed-in seller's commission: due, paid and clawed back, with every line. */
export default function OwnCommission() {
  const actor = useActor()
  const sums = useSums()
  const own = sums.data && standing(sums.data, (s) => s.mine)
  return (
    <Page title="My commission">
      <InOrder>
        {sums.isPending && <LoadingRows rows={2} />}
        {sums.isError && !sums.data && <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />}
        {own && (
          <Numbers
            all={[
              {
                label: 'Due',
                cell: { value: own.pending },
                format: pounds,
                beside: 'Months not locked yet',
              },
              { label: 'Paid', cell: { value: own.paid }, format: pounds, beside: 'Locked months' },
              { label: 'Clawed back', cell: { value: own.clawedBack }, format: pounds, beside: 'Deducted from both' },
            ]}
          />
        )}
        <Lines params={{ person: actor.userId }} isOwn />
      </InOrder>
    </Page>
  )
}
