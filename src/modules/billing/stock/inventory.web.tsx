import { formatMoney } from '#kernel/money.ts'
import { Page } from '#web/ui/page.tsx'
import { CatalogueList } from '../catalogue/catalogue-list.web.tsx'
import { CATALOGUE_LISTS } from '../catalogue/catalogue-lists.web.tsx'
import { ItemStock, StockQuantity } from './stock.web.tsx'

interface Costed {
  readonly cost: number | null
  readonly currency: string
}

const { skus } = CATALOGUE_LISTS
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
    {
      key: 'onHand',
      title: 'In stock',
      render: (it: Parameters<typeof StockQuantity>[0]['of']) => <StockQuantity of={it} />,
    },
  ],
  history: (row: Parameters<NonNullable<typeof skus.history>>[0]) => (
    <>
      <ItemStock of={row as unknown as Parameters<typeof ItemStock>[0]['of']} />
      {skus.history?.(row)}
    </>
  ),
}

export default function InventoryPage() {
  return (
    <Page
      title="Inventory"
      about="Stock goes down when an invoice is issued, and up again when the invoice is credited or voided."
    >
      <CatalogueList {...INVENTORY} />
    </Page>
  )
}
