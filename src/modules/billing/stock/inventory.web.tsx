import { formatMoney } from '#kernel/money.ts'
import { Page } from '#web/ui/page.tsx'
import { Shelf } from '../catalogue/shelf.web.tsx'
import { SHELVES } from '../catalogue/shelves.web.tsx'
import { OnHand, Stock } from './stock.web.tsx'

interface Costed {
  readonly cost: number | null
  readonly currency: string
}

const { skus } = SHELVES
const INVENTORY = {
  ...skus,
  label: 'Items',
  one: 'item',
  columns: [
    ...skus.columns.filter((column) => typeof column === 'string' || column.key !== 'unit'),
    {
      key: 'cost',
      wide: true,
      render: (it: Costed) => (it.cost === null ? '—' : formatMoney(it.cost, it.currency)),
    },
    { key: 'onHand', title: 'In stock', render: (it: Parameters<typeof OnHand>[0]['of']) => <OnHand of={it} /> },
  ],
  history: (row: Parameters<NonNullable<typeof skus.history>>[0]) => (
    <>
      <Stock of={row as unknown as Parameters<typeof Stock>[0]['of']} />
      {skus.history?.(row)}
    </>
  ),
}

export default function Inventory() {
  return (
    <Page
      title="Inventory"
      about="Stock goes down when an invoice is issued, and up again when it is credited or voided."
    >
      <Shelf {...INVENTORY} />
    </Page>
  )
}
