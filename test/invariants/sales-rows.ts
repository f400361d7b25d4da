import type { TestPortal } from '#test/support/portal.ts'

/**
 * Commission rows for the permission matrix, in addition to each resource's own row: a colleague's row, and rows of a
 * locked month.
 */
export interface CommissionRows {
  readonly sale: number
  readonly line: number
  readonly lockedMonth: number
  readonly lockedSale: number
  readonly seller: number
}

/**
 * Inserts two sales for a user and a seller of that tenant: a colleague's sale in an open month, and a sale with its
 * commission line in a locked month.
 */
export async function insertCommissionRows(
  portal: TestPortal,
  clientId: number,
  person: number,
  seller: number,
): Promise<CommissionRows> {
  return portal.db.tx('system', async (tx) => {
    const id = async (text: string, values: readonly unknown[]) => {
      const [row] = await tx.rows<{ id: number }>(`${text} RETURNING id`, [clientId, ...values])
      return Number(row?.id)
    }
    const sell = (day: string) =>
      id(
        `INSERT INTO counted_sale (client_id, day, amount, what, person_id, seller_id) VALUES ($1, $2, 1000, 'Plain', $3, $4)`,
        [day, person, seller],
      )
    const [sale, lockedSale] = [await sell('2020-02-15'), await sell('2020-01-15')]
    const lockedMonth = await id('INSERT INTO commission_month (client_id, month) VALUES ($1, $2)', ['2020-01-01'])
    const line = await id(
      `INSERT INTO commission_line (client_id, month_id, seller_id, person_id, kind, amount, sale_id, reason) VALUES ($1, $2, $3, $4, 'earned', 100, $5, 'Plain')`,
      [lockedMonth, seller, person, lockedSale],
    )
    await tx.rows(`UPDATE commission_month SET state = 'locked' WHERE client_id = $1 AND id = $2`, [
      clientId,
      lockedMonth,
    ])
    return { sale, line, lockedMonth, lockedSale, seller }
  })
}

const STATS = '/api/sales/sales_stats'
const COMMISSION_LINES_PATH = '/api/sales/commission_lines'
const MONTHS = '/api/sales/commission_months'

interface SalesRowRequest {
  readonly method: string
  readonly path: string
  readonly note: string
  readonly url: (rows: CommissionRows) => string
  readonly body?: (rows: CommissionRows) => Record<string, unknown>
}

/** Requests for these rows, sent as every user. */
export const COMMISSION_CASES: readonly SalesRowRequest[] = [
  {
    method: 'GET',
    path: `${COMMISSION_LINES_PATH}/{id}`,
    note: 'colleague’s',
    url: (r) => `${COMMISSION_LINES_PATH}/${r.line}`,
  },
  {
    method: 'PUT',
    path: `${STATS}/{id}`,
    note: 'colleague’s',
    url: (r) => `${STATS}/${r.sale}`,
    body: () => ({ notes: 'Plain' }),
  },
  { method: 'POST', path: `${STATS}/{id}/check`, note: 'colleague’s', url: (r) => `${STATS}/${r.sale}/check` },
  {
    method: 'PUT',
    path: `${STATS}/{id}`,
    note: 'locked',
    url: (r) => `${STATS}/${r.lockedSale}`,
    body: () => ({ amount: 2 }),
  },
  {
    method: 'POST',
    path: COMMISSION_LINES_PATH,
    note: 'locked',
    url: () => COMMISSION_LINES_PATH,
    body: (r) => ({
      seller: `/api/crm/staff/${r.seller}`,
      amount: 1,
      reason: 'Plain',
      month: `${MONTHS}/${r.lockedMonth}`,
    }),
  },
  ...['reckon', 'approve', 'reopen', 'lock'].map((action) => ({
    method: 'POST',
    path: `${MONTHS}/{id}/${action}`,
    note: 'locked',
    url: (r: CommissionRows) => `${MONTHS}/${r.lockedMonth}/${action}`,
  })),
]
