import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createPortAccess, findPostgresBinaries, findServerAccount } from '#server/db/embedded/binaries.ts'
import { initialiseCluster, startPostgres } from '#server/db/embedded/cluster.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { processFolder } from './portal.ts'

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

test('PostgreSQL listening on a port, as needed on Windows, admits only connections with the password from the data folder', async () => {
  const dir = join(processFolder, 'port')
  mkdirSync(dir, { mode: 0o711 })
  const account = findServerAccount()
  const access = await createPortAccess(dir, account)
  const cluster = { folder: join(dir, 'database'), account, binaries: findPostgresBinaries(account, dir, () => {}) }
  initialiseCluster(cluster, access.options)
  const server = await startPostgres(cluster, access.settings)
  onTestFinished(() => server.stop())
  const url = access.url('postgres', 'postgres')
  expect(await ask(url, 'SELECT current_user AS me')).toEqual([{ me: 'postgres' }])
  await expect(ask(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password authentication failed')
  expect(statSync(join(dir, 'database-password')).mode & 0o777).toBe(0o600)
})

test("the portal's database login is not a superuser, commits are flushed to disk, and text in any alphabet can be searched", async () => {
  const { url, stop } = await startEmbeddedPostgres(join(processFolder, 'login'))
  onTestFinished(stop)
  const [found] = await ask(
    url,
    `SELECT rolsuper, rolbypassrls, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS committed,
       current_setting('full_page_writes') AS pages, lower('ÉÜ') AS lower, 'B' < 'a' AS "byCode" FROM pg_roles WHERE rolname = current_user`,
  )
  expect(found).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    fsync: 'on',
    committed: 'on',
    pages: 'on',
    lower: 'éü',
    byCode: true,
  })
  await ask(url, 'CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin')
  expect(await ask(url, "SELECT 'ünder' % 'Ünder' AS alike, show_trgm('é') AS parts")).toEqual([
    { alike: true, parts: expect.arrayContaining([expect.any(String)]) },
  ])
})
