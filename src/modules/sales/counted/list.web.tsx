import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions } from '#web/lists/weeks.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { type CountedSaleRecord, dayRangeParams, SALE_BULK_WORDS, SALE_COLUMNS } from './columns.web.tsx'
import {
  countedSale,
  RENEWAL_FILTER,
  renewalFilterSchema,
  WEBSITE_FILTER,
  websiteFilterSchema,
} from './counted-sale.ts'
import { SaleDialog } from './dialog.web.tsx'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({
  when: weekFilterSchema,
  seller: id,
  source: z.enum(['', 'quote', 'insurance', 'hand']).default(''),
  state: z.enum(['', 'waiting', 'checked']).default(''),
  product: id,
  cameFrom: id,
  notSaid: emptyFieldFilterSchema,
  currency: z.string().default(''),
  renewal: renewalFilterSchema,
  web: websiteFilterSchema,
  retired: retiredFilterSchema,
})

/** Page with all counted sales, newest first. */
export default function SalesReport() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<CountedSaleRecord | 'new'>()
  return (
    <Page
      title="Sales report"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          New sale
        </Button>
      }
    >
      <DataList
        resource={countedSale}
        label="Sales"
        state={state}
        onState={set}
        search={false}
        params={dayRangeParams('day', state.when)}
        filters={[
          { key: 'when', label: 'Date', options: weekOptions(state.when) },
          'seller',
          'source',
          'product',
          'cameFrom',
          emptyFieldFilter({ product: 'Product', cameFrom: 'Lead source' }),
          'currency',
          'state',
          RENEWAL_FILTER,
          WEBSITE_FILTER,
          'retired',
        ]}
        empty={
          <EmptyState title="No sales yet">
            Sales appear here when a quote is accepted, insurance is sold, or you enter one.
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
