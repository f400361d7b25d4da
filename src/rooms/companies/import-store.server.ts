import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '#server/db/db.ts'
import { COLUMNS, type CompanyRow } from './import-row.ts'

/** A connection's plain queries. */
export type Ask = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>

/** Where companies are written: in transactions, as the database's owner, since indexes come and go. */
export interface Store {
  /** Rows that one transaction takes. */
  readonly step: number
  tx<T>(work: (ask: Ask, stage: (rows: readonly CompanyRow[]) => Promise<void>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const STAGING = `CREATE TEMP TABLE company_staging ON COMMIT DROP AS SELECT ${COLUMNS.join(', ')}, 0 AS nth FROM company LIMIT 0`
const STAGED = [...COLUMNS, 'nth'].join(', ')

/** What COPY's text format takes a value for. */
const escapeCopy = (v: string | null) =>
  v === null ? '\\N' : /[\\\n\r\t]/.test(v) ? v.replace(/[\\\n\r\t]/g, (c) => ESCAPES[c] as string) : v
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const LINES = 500

function* copyLines(rows: readonly CompanyRow[]): Generator<string> {
  for (let n = 0; n < rows.length; n += LINES)
    yield rows
      .slice(n, n + LINES)
      .map((row, k) => `${row.map(escapeCopy).join('\t')}\t${n + k}\n`)
      .join('')
}

/** On a server, rows travel by COPY, over a connection of their own. */
export async function serverStore(url: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url, application_name: 'stanchion import' })
  await client.connect()
  const ask: Ask = async (text, values = []) => (await client.query(text, [...values])).rows as never
  return {
    step: 25_000,
    tx: async (work) => {
      await client.query('BEGIN')
      try {
        const result = await work(ask, async (rows) => {
          await ask(STAGING)
          await pipeline(
            Readable.from(copyLines(rows)),
            client.query(copyFrom(`COPY company_staging (${STAGED}) FROM STDIN`)),
          )
        })
        await client.query('COMMIT')
        return result
      } catch (e) {
        await client.query('ROLLBACK').catch(() => {})
        throw e
      }
    },
    close: () => client.end(),
  }
}

/** The embedded database has no COPY from outside: one statement brings a step's rows, column by column. */
export const embeddedStore = (db: Db): Store => ({
  step: 2000,
  tx: (work) =>
    db.tx('owner', (tx) =>
      work(
        (text, values) => tx.rows(text, values) as never,
        async (rows) => {
          await tx.rows(STAGING)
          const casts = COLUMNS.map((c, n) =>
            c === 'sic_codes' ? 'u.sic_codes::text[]' : /^(inc|dis)/.test(c) ? `u.${c}::date` : `u.${COLUMNS[n]}`,
          )
          await tx.rows(
            `INSERT INTO company_staging SELECT ${casts.join(', ')}, u.nth FROM unnest(${COLUMNS.map((_, n) => `$${n + 1}::text[]`).join(', ')}) WITH ORDINALITY u(${STAGED})`,
            COLUMNS.map((_, n) => rows.map((row) => row[n])),
          )
        },
      ),
    ),
  close: async () => {},
})
