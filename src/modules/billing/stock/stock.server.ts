import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { sku } from '../catalogue/plan.ts'
import { INVOICING_PACK } from '../rights.ts'
import { MANUAL_MOVEMENT_TYPES, stockMovement } from './stock-movement.ts'

const MOVEMENT_REASON = 'record an invoice’s stock movements'

/** Fields of a document line that affect stock. */
interface StockLine {
  readonly id: number
  readonly sku: number | null
  readonly quantity: number
}

type Item = RowOf<typeof sku>

/** Returns the tracked items on the given lines, with their total quantities. */
async function wantedOf(
  c: Pick<RecordReader, 'find'>,
  lines: readonly StockLine[],
): Promise<{ of: Item; wanted: number }[]> {
  const ids = [...new Set(lines.flatMap((line) => line.sku ?? []))]
  const kept = ids.length ? await c.find(sku, { id: ids, stocked: true }) : []
  return kept.map((of) => ({
    of,
    wanted: lines.filter((line) => line.sku === of.id).reduce((sum, line) => sum + line.quantity, 0),
  }))
}

const plain = (n: number) => n.toLocaleString('en-GB', { maximumFractionDigits: 4 })

/** Returns the lines that need more stock than is available, each with a message. */
export async function findStockShortages(
  c: Pick<RecordReader, 'find'>,
  lines: readonly StockLine[],
): Promise<Violation[]> {
  return (await wantedOf(c, lines))
    .filter(({ of, wanted }) => wanted > of.onHand)
    .map(({ of, wanted }) =>
      violation(
        `lines[${lines.findIndex((line) => line.sku === of.id)}].quantity`,
        `This invoice needs ${plain(wanted)} of “${of.name}”, but ${plain(of.onHand)} ${of.onHand === 1 ? 'is' : 'are'} in stock`,
      ),
    )
}

/**
 * Deducts the quantities on an invoice from stock. Items are processed in ID order, so that simultaneous invoices can't
 * deadlock.
 */
export async function deductStockForInvoice(
  c: Context,
  of: { readonly id: number; readonly number: string; readonly lines: readonly StockLine[] },
): Promise<void> {
  const items = new Set((await wantedOf(c, of.lines)).map(({ of: { id } }) => id))
  const going = of.lines.filter((line) => line.sku !== null && items.has(line.sku))
  for (const { id, sku: item, quantity } of going.toSorted((a, b) => (a.sku ?? 0) - (b.sku ?? 0)))
    await c.withoutPermissionCheck(MOVEMENT_REASON).create(stockMovement, {
      sku: item ?? 0,
      quantity: -quantity,
      kind: 'issued',
      reason: of.number,
      invoiceId: of.id,
      invoiceLineId: id,
    })
}

/**
 * Adds the quantities issued with an invoice back to stock: the credited quantities if there is a credit note,
 * otherwise all quantities.
 */
export async function returnStockForInvoice(
  c: Context,
  invoice: { readonly id: number; readonly number: string },
  credit?: {
    readonly id: number
    readonly number: string
    readonly lines: readonly { readonly line: number; readonly quantity: number | null }[]
  },
): Promise<void> {
  const gone = await c.find(stockMovement, { invoiceId: invoice.id, kind: 'issued' })
  for (const one of gone.toSorted((a, b) => a.sku - b.sku)) {
    const credited = credit?.lines.find(({ line }) => line === one.invoiceLineId)
    const quantity = credit ? (credited?.quantity ?? 0) : -one.quantity
    if (quantity <= 0) continue
    await c.withoutPermissionCheck(MOVEMENT_REASON).create(stockMovement, {
      sku: one.sku,
      quantity,
      kind: credit ? 'credited' : 'voided',
      reason: credit?.number ?? invoice.number,
      invoiceId: invoice.id,
      invoiceLineId: one.invoiceLineId,
      creditNoteId: credit?.id ?? null,
    })
  }
}

const stockBehaviour = behaviour(stockMovement, {
  beforeSave: async (c) => {
    const { values } = c
    const by = MANUAL_MOVEMENT_TYPES.find(({ value }) => value === values.kind)
    if (!by) {
      // Only invoices, credit notes and voided invoices record these types of movement, with their own permission.
      if (values.invoiceId == null)
        throw problem.invalid([
          violation(
            'kind',
            'Movements of this type are recorded automatically by invoices and credit notes. Choose another type',
          ),
        ])
      return undefined
    }
    const { quantity, sku: id } = values
    const wrong: Violation[] = []
    if (!values.reason?.trim()) wrong.push(violation('reason', 'Please enter a reason'))
    if (quantity === 0) wrong.push(violation('quantity', 'Please enter the quantity'))
    if (typeof quantity === 'number' && by.adds !== undefined && quantity > 0 !== by.adds)
      wrong.push(
        violation(
          'quantity',
          by.adds
            ? 'Please enter a quantity of more than 0'
            : 'Enter outgoing stock as a negative quantity, such as −3',
        ),
      )
    if (typeof id === 'number' && (await c.get(sku, id))?.stocked === false)
      wrong.push(violation('sku', 'Stock is not tracked for this item. Turn on “Track stock” for the item first'))
    if (wrong.length) throw problem.invalid(wrong)
    return undefined
  },
})

/**
 * Sets the stock to the counted quantity, and records the difference as a movement. Throws 409 if stock is not tracked
 * for the item.
 */
export async function recordStockCount(c: Context, row: Item, { onHand, reason }: { onHand: number; reason: string }) {
  if (!row.stocked)
    throw problem.conflict('Stock is not tracked for this item. Turn on “Track stock” for the item first.')
  const quantity = Number((onHand - row.onHand).toFixed(4))
  if (quantity !== 0) await (await c.create(stockMovement, { sku: row.id, quantity, kind: 'counted', reason })).saved()
}

export const stock = feature({
  pack: INVOICING_PACK,
  resources: [stockMovement],
  behaviours: [stockBehaviour],
})
