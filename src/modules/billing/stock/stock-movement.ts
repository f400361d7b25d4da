import { choice, decimal, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { sku } from '../catalogue/plan.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/** Types of movement that are entered manually; other types are recorded from documents. */
export const MANUAL_MOVEMENT_TYPES = [
  { value: 'received', label: 'Received', adds: true },
  { value: 'returned', label: 'Returned', adds: true },
  { value: 'counted', label: 'Stock count', adds: undefined },
  { value: 'lost', label: 'Lost or damaged', adds: false },
  { value: 'used', label: 'Internal use', adds: false },
] as const

const KINDS = [
  ...MANUAL_MOVEMENT_TYPES.map(({ value, label }) => ({ value, label })),
  { value: 'issued', label: 'Invoiced' },
  { value: 'voided', label: 'Invoice voided' },
  { value: 'credited', label: 'Credited' },
] as const

/** A quantity of an item received or issued. Movements never change; a mistake is corrected by another movement. */
export const stockMovement = resource({
  type: 'StockMovement',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'stock_movements',
  table: 'stock_movement',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    sku: link(() => sku, { required: 'Please choose an item', filter: true, embed: ['name', 'unit'] }),
    /** Negative for quantities issued. */
    quantity: decimal({
      required: 'Please enter the quantity',
      min: -1_000_000,
      max: 1_000_000,
      order: true,
      label: 'Quantity',
    }),
    kind: choice(KINDS, { required: 'Please choose the type of movement', filter: true, label: 'Type' }),
    reason: text({ default: '', max: 500, filter: 'partial', label: 'Reason' }),
    invoiceId: integer({ filter: true, editable: 'nobody' }),
    invoiceLineId: integer({ editable: 'nobody' }),
    creditNoteId: integer({ filter: true, editable: 'nobody' }),
    onHand: decimal({ readonly: true, notNull: true, label: 'In stock' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Recorded' }),
  },
  allow: { read: SELLING_ROLES, create: SELLING_ROLES },
})
