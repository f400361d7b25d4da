import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema, retiredFilter } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { daysOf, weekOptions, weekState } from '#web/lists/weeks.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { COLUMNS, type Sale } from './columns.web.tsx'
import { countedSale } from './counted-sale.ts'
import { SaleDialog } from './dialog.web.tsx'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listSchema({
  when: weekState,
  seller: id,
  source: z.enum(['', 'quote', 'insurance', 'hand']).default(''),
  state: z.enum(['', 'waiting', 'checked']).default(''),
  product: id,
  cameFrom: id,
  currency: z.string().default(''),
  retired: retiredFilter,
})

/** What a list of days is asked for a span of them. */
function dayParams(when: string): Record<string, string> {
  if (!when) return {}
  const first = Temporal.PlainDate.from(when === 'today' ? londonToday() : (daysOf(when)?.[0] ?? when).toString())
  const last = daysOf(when)?.[1] ?? (when === 'today' ? first : first.add({ days: 6 }))
  return { 'day[after]': first.toString(), 'day[before]': last.toString() }
}

/** Every sale that is counted, newest first. */
export default function SalesReport() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Sale | 'new'>()
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
        params={dayParams(state.when)}
        filters={[
          { key: 'when', label: 'When', options: weekOptions(state.when) },
          'seller',
          'source',
          'product',
          'cameFrom',
          'currency',
          'state',
          'retired',
        ]}
        empty={
          <EmptyState title="No sales yet">
            A sale stands here when a quote is accepted or insurance is sold, or when you enter it.
          </EmptyState>
        }
        columns={[...COLUMNS]}
        onOpen={setOpen}
      />
      <SaleDialog of={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}
