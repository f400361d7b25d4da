import { useState } from 'react'
import { z } from 'zod'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { type CountedSaleRecord, SALE_BULK_WORDS, SALE_COLUMNS } from './columns.web.tsx'
import { countedSale } from './counted-sale.ts'
import { SaleDialog } from './dialog.web.tsx'

const LIST = listUrlSchema({ seller: z.string().regex(/^\d*$/).default('') })

/** Page of sales waiting to be checked by somebody other than the seller, oldest first. */
export default function SaleChecksPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<CountedSaleRecord>()
  return (
    <Page title="Sales to check">
      <DataList
        resource={countedSale}
        label="Sales to check"
        state={state}
        onState={set}
        search={false}
        params={{ state: 'waiting', retired: false, 'order[day]': 'asc' }}
        filters={['seller']}
        empty={
          <EmptyState title="Nothing to check">
            Every sale has been checked by somebody other than its seller.
          </EmptyState>
        }
        bulkWords={SALE_BULK_WORDS}
        columns={[...SALE_COLUMNS]}
        onOpen={setOpen}
      />
      <SaleDialog of={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}
