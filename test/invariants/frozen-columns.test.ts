import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

/** Columns that change after a record is issued or sent. Every other column is frozen by the trigger. */
const CHANGING = {
  invoice: {
    trigger: 'invoice_sealed',
    columns:
      'amount_credited amount_due amount_paid amount_written_off mail_queued_at notes paid_at po_number reason sent_at times_written_off updated_at',
  },
  quote: {
    trigger: 'quote_sealed',
    columns:
      'billed_at contact_id expires_at next_invoices opened_at owned_by owner_id po_number priced_by reason reminded_at replaced_by_id signed_copy_at updated_at',
  },
} as const
/** Keys, and the time of creation, which the engine never changes. */
const NEVER_CHANGED = ['client_id', 'created_at', 'id']

test.each(Object.entries(CHANGING))(
  'each column of an issued %s is frozen by its trigger or listed here as changing',
  async (table, { trigger, columns }) => {
    const [found] = await portal.db.tx('system', (tx) =>
      tx.rows<{ code: string; columns: string[] }>(
        `SELECT pg_get_functiondef($2::regproc) AS code, array_agg(attname::text ORDER BY attname) AS columns
         FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [table, trigger],
      ),
    )
    const isFrozen = (column: string) => new RegExp(`\\bOLD[.]${column}\\b`).test(found?.code ?? '')
    const changing = found?.columns.filter((column) => !isFrozen(column) && !NEVER_CHANGED.includes(column))
    expect(changing).toEqual(columns.split(' '))
  },
)
