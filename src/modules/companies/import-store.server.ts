import type { Tx } from '#server/db/db.ts'
import { COLUMNS, type CompanyRow } from './import-row.ts'

const STAGING = `CREATE TEMP TABLE company_staging ON COMMIT DROP AS SELECT ${COLUMNS.join(', ')}, 0 AS nth FROM company LIMIT 0`
const STAGED = [...COLUMNS, 'nth'].join(', ')

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

/** Lays a step's companies beside the register until the transaction ends. */
export async function stage(tx: Tx, rows: readonly CompanyRow[]): Promise<void> {
  await tx.rows(STAGING)
  await tx.copy(`COPY company_staging (${STAGED}) FROM STDIN`, copyLines(rows))
}
