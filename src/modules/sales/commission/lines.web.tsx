import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import type { QueryParams } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { MoneyCell } from '../money.web.tsx'
import { commissionLine, formatCommissionMonth } from './month.ts'

type CommissionLineRecord = RecordOf<typeof commissionLine>

const LIST = listUrlSchema({
  kind: z.enum(['', 'earned', 'clawback', 'adjustment']).default(''),
  month: z.string().regex(/^\d*$/).default(''),
  seller: z.string().regex(/^\d*$/).default(''),
})

/** Commission lines, latest first, each with its sale. */
export function CommissionLines({ params, isOwn }: { readonly params: QueryParams; readonly isOwn: boolean }) {
  const [state, set] = useUrlState(LIST)
  return (
    <DataList
      resource={commissionLine}
      label="Commission"
      state={state}
      onState={set}
      search={false}
      params={params}
      filters={isOwn ? ['month', 'kind'] : ['month', 'seller', 'kind']}
      empty={<EmptyState title="No commission yet">Commission lines appear here when sales are counted.</EmptyState>}
      columns={[
        { key: 'reason', title: 'Reason', link: true },
        { key: 'kind', title: 'Type', tight: true },
        ...(isOwn ? [] : [{ key: 'seller', title: 'Seller', tight: true } as const]),
        { key: 'amount', title: 'Amount', render: (l: CommissionLineRecord) => <MoneyCell pence={l.amount} /> },
        {
          key: 'percent',
          title: 'Calculation',
          wide: true,
          render: (l: CommissionLineRecord) =>
            l.percent === null || l.base === null ? (
              '—'
            ) : (
              <>
                {l.percent}% of <MoneyCell pence={l.base} />
              </>
            ),
        },
        {
          key: 'month',
          title: 'Month',
          tight: true,
          render: (l: CommissionLineRecord) => (l.month ? formatCommissionMonth(l.month.month) : ''),
        },
        {
          key: 'createdAt',
          title: 'Added',
          wide: true,
          inCard: false,
          render: (l: CommissionLineRecord) => <DateTimeText at={l.createdAt} />,
        },
      ]}
      href={(l) => (l.sale ? `/cms/salesreport?when=${l.sale.day}..${l.sale.day}` : '/cms/commissionreview/makeup')}
    />
  )
}
