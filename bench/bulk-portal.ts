import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { BULK_POSTGRES_SETTINGS } from './bulk-data.ts'
import { type signInToClient, start, waitForSchedules } from './systems.ts'

export type BulkPortal = Awaited<ReturnType<typeof start>>
type Headers = Awaited<ReturnType<typeof signInToClient>>

/** Fetches JSON from the portal, in the minimal form that its own pages request. */
export async function fetchJson<T>({ base }: BulkPortal, headers: Headers, path: string): Promise<T> {
  const answer = await fetch(base + path, { headers: { ...headers, prefer: 'return=minimal' } })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

/**
 * Runs a benchmark with a portal on a database with many records, and with a connection to that database. Starts the
 * PostgreSQL server; `createDatabase` returns the database's URL.
 */
export async function withBulkPortal(
  createDatabase: (postgresUrl: string) => Promise<string>,
  measure: (ours: BulkPortal, client: pg.Client) => Promise<void>,
): Promise<void> {
  // The portal stores uploaded files here.
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-bench-'))
  process.env.DATA_DIR = folder
  const postgres = await startTemporaryPostgres(BULK_POSTGRES_SETTINGS)
  try {
    const database = await createDatabase(postgres.url)
    const client = new pg.Client({ connectionString: database })
    // If a run fails, the server stops first. The resulting connection error must not hide the original error.
    client.on('error', () => {})
    await client.connect()
    const ours = await start('ours', database)
    try {
      await waitForSchedules(ours)
      await measure(ours, client)
    } finally {
      await ours.stop()
    }
    await client.end()
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
