import type { TestPortal } from '../support/portal.ts'

/**
 * Inserts a customer's bank payment and its refund by raw SQL, and returns their IDs. The database requires each to
 * match the other.
 */
export async function insertPaymentAndRefund({ db }: TestPortal, clientId: number, customer: number, mark: string) {
  const insert = (sql: string, values: readonly unknown[]) =>
    db.tx('system', async (tx) => Number((await tx.rows<{ id: number }>(`${sql} RETURNING id`, values))[0]?.id))
  const charge = await insert(
    `INSERT INTO charge (client_id, customer_id, method, amount, currency, state, received_at, reference, notes)
     VALUES ($1, $2, 'bank', 1000, 'GBP', 'succeeded', '2026-06-01T00:00:00Z', $3, $3)`,
    [clientId, customer, mark],
  )
  const refund = await insert(
    "INSERT INTO refund (client_id, charge_id, customer_id, amount, currency, reason) VALUES ($1, $2, $3, 1, 'GBP', $4)",
    [clientId, charge, customer, mark],
  )
  return { Charge: charge, Refund: refund }
}
