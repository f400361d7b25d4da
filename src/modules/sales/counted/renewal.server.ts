import { problem } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import { countedSale } from './counted-sale.ts'

type Sale = RowOf<typeof countedSale>
type Sold = Pick<Sale, 'id' | 'day' | 'contact' | 'product' | 'retired'>
type Values = ValuesOf<typeof countedSale>

/** Days before and after the renewal date within which a sale of the same product counts as its renewal. */
const AROUND = 90
const RENEWAL_REASON = 'a sale renews what was sold before'
const OPEN = { renewal: 'open', renewedBy: null, renewalReason: '' } as const

/** True if one sale renews another: same lead, same product if both have one, within 90 days of the renewal date. */
function renews(former: Pick<Sale, 'id' | 'day' | 'contact' | 'product' | 'renewsOn'>, sold: Sold): boolean {
  if (sold.retired || former.renewsOn === null || former.id === sold.id || former.day >= sold.day) return false
  if (former.contact === null || former.contact !== sold.contact) return false
  if (former.product !== null && sold.product !== null && former.product !== sold.product) return false
  const day = Temporal.PlainDate.from(sold.day)
  return Math.abs(Temporal.PlainDate.from(former.renewsOn).until(day).days) <= AROUND
}

/** Marks earlier sales of the lead as renewed by this sale, and reopens them if it no longer renews them. */
export async function updateRenewals(c: Context, sold: Sold): Promise<void> {
  const right = c.withoutPermissionCheck(RENEWAL_REASON)
  const change = async (id: number, values: Values) =>
    right.set(countedSale, await right.lock(countedSale, id), values, 'renew')
  for (const former of await right.find(countedSale, { renewedBy: sold.id }))
    if (!renews(former, sold)) await change(former.id, OPEN)
  if (sold.retired || sold.contact === null) return
  for (const former of await right.find(countedSale, {
    contact: sold.contact,
    renewal: ['open', 'lost'],
    retired: false,
  }))
    if (renews(former, sold)) await change(former.id, { renewal: 'renewed', renewedBy: sold.id, renewalReason: '' })
}

/** Returns the values of a sale that the customer does not renew. Throws 409 if it has no open renewal. */
export function markRenewalLost(row: Sale, reason: string): Values {
  if (row.retired || row.renewal !== 'open') throw problem.conflict('This sale has no open renewal.')
  return { renewal: 'lost', renewalReason: reason }
}

/** Returns the values that reopen a lost renewal. Throws 409 if it is not lost. */
export function reopenRenewal(row: Sale): Values {
  if (row.renewal !== 'lost') throw problem.conflict('This sale is not marked as lost.')
  return OPEN
}
