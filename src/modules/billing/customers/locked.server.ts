import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/context.ts'
import { customer } from './customer.ts'

/**
 * Customers whose money is about to move, locked in the order of their ids, as everybody locks them. Payments of two invoices of one customer
 * have each referred to it before they come to its balance.
 */
export async function lockCustomers(
  c: Context,
  ids: Iterable<number>,
  why: string,
): Promise<Map<number, RowOf<typeof customer>>> {
  const right = c.withoutPermissionCheck(why)
  const locked = new Map<number, RowOf<typeof customer>>()
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) locked.set(id, await right.lock(customer, id, 'values'))
  return locked
}
