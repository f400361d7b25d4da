import { problem } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/types.ts'
import { countedSale } from './counted-sale.ts'

type Sale = RowOf<typeof countedSale>
type Sold = Pick<Sale, 'id' | 'day' | 'contact' | 'product' | 'retired'>
type Values = ValuesOf<typeof countedSale>

/** Days before and after the end of a year in which another sale of the same renews it. */
const AROUND = 90
const WHY = 'a sale renews what was sold before'
const OPEN = { renewal: 'open', renewedBy: null, renewalReason: '' } as const

/** Does one sale renew another: to the same lead, of the same product where both name one, within ninety days of the end of its year? */
function renews(former: Pick<Sale, 'id' | 'day' | 'contact' | 'product' | 'renewsOn'>, sold: Sold): boolean {
  if (sold.retired || former.renewsOn === null || former.id === sold.id || former.day >= sold.day) return false
  if (former.contact === null || former.contact !== sold.contact) return false
  if (former.product !== null && sold.product !== null && former.product !== sold.product) return false
  const day = Temporal.PlainDate.from(sold.day)
  return Math.abs(Temporal.PlainDate.from(former.renewsOn).until(day).days) <= AROUND
}

/** Says of what the lead has bought before that this sale renews it; and takes that back where it does so no more. */
export async function renew(c: Context, sold: Sold): Promise<void> {
  const right = c.withoutPermissionCheck(WHY)
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

/** What is set when a customer does not renew. Throws 409 where there is nothing to lose. */
export function lose(row: Sale, reason: string): Values {
  if (row.retired || row.renewal !== 'open') throw problem.conflict('There is nothing left to renew of this sale.')
  return { renewal: 'lost', renewalReason: reason }
}

/** What is set when it may be renewed after all. */
export function hope(row: Sale): Values {
  if (row.renewal !== 'lost') throw problem.conflict('This sale is not said to be lost.')
  return OPEN
}
