import type { Tx } from '#server/db/db.ts'
import { COLUMNS, type CompanyRow } from './import-row.ts'

const STAGING = `CREATE TEMP TABLE company_staging ON COMMIT DROP AS SELECT ${COLUMNS.join(', ')}, 0 AS nth FROM company LIMIT 0`
const STAGED = [...COLUMNS, 'nth'].join(', ')
const CASTS = COLUMNS.map((c) =>
  c === 'sic_codes' ? 'u.sic_codes::text[]' : /^(inc|dis)/.test(c) ? `u.${c}::date` : `u.${c}`,
)
const BY_COLUMNS = `INSERT INTO company_staging SELECT ${CASTS.join(', ')}, u.nth
  FROM unnest(${COLUMNS.map((_, n) => `$${n + 1}::text[]`).join(', ')}) WITH ORDINALITY u(${STAGED})`

/** What COPY's text format takes a value for. */
const escapeCopy = (v: string | null) =>
  v === null ? '\\N' : /[\\\n\r\t]/.test(v) ? v.replace(/[\\\n\r\t]/g, (c) => ESCAPES[c] ?? c) : v
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const LINES = 500

function* copyLines(rows: readonly CompanyRow[]): Generator<string> {
  for (let n = 0; n < rows.length; n += LINES)
    yield rows
      .slice(n, n + LINES)
      .map((row, k) => `${row.map(escapeCopy).join('\t')}\t${n + k}\n`)
      .join('')
}

/**
 * Lays a step's companies beside the register until the transaction ends. On a server they travel by COPY; the embedded
 * database has none from outside: one statement brings them, column by column.
 */
export async function stage(tx: Tx, rows: readonly CompanyRow[]): Promise<void> {
  await tx.rows(STAGING)
  if (tx.copy) await tx.copy(`COPY company_staging (${STAGED}) FROM STDIN`, copyLines(rows))
  else
    await tx.rows(
      BY_COLUMNS,
      COLUMNS.map((_, n) => rows.map((row) => row[n])),
    )
}
