import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { copyDemoData } from '#test/support/demo-world.ts'
import { processFolder, type ServedPortal, servePortal } from './portal.ts'
import { findPostmasterPid, hasProcessEnded, killIfRunning, listBackendPids, listWatcherPids } from './postmaster.ts'

// Tests an embedded database that crashes, or that outlives its portal.

const LEADS = '/api/crm/contacts'
const env = { DATA_DIR: join(processFolder, 'breaks') }

beforeAll(() => copyDemoData(env.DATA_DIR))

const signIn = async (server: ServedPortal): Promise<string> =>
  (await server.signIn('manager', 'Portal-demo-2026')).token

/** Creates five leads, and returns their IRIs as acknowledged by the server. */
async function makeLeads(server: ServedPortal, token: string): Promise<string[]> {
  const made: string[] = []
  for (let i = 0; i < 5; i++)
    made.push((await server.call('POST', LEADS, { companyName: `Kept ${i}` }, token)).body['@id'])
  return made
}

async function expectAll(made: readonly string[], server: ServedPortal, token: string): Promise<void> {
  for (const iri of made) expect([iri, (await server.call('GET', iri, undefined, token)).status]).toEqual([iri, 200])
}

/** Starts the server again, expects all leads to exist, and shuts it down cleanly. */
async function expectKept(made: readonly string[]): Promise<void> {
  const again = await servePortal(env)
  await expectAll(made, again, await signIn(again))
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
}

test('a database whose server processes crash recovers automatically without data loss, and refuses requests meanwhile', async () => {
  const server = await servePortal(env)
  const token = await signIn(server)
  const made = await makeLeads(server, token)
  for (const pid of listBackendPids(findPostmasterPid(env.DATA_DIR))) killIfRunning(pid)
  const statuses = new Set<number>()
  for (let status = 0; status !== 200; ) {
    status = (await server.call('GET', made[0] as string, undefined, token)).status
    statuses.add(status)
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  await expectAll(made, server, token)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('a portal whose database stops ends with an error message, and no acknowledged write is lost', async () => {
  const server = await servePortal(env)
  const made = await makeLeads(server, await signIn(server))
  process.kill(findPostmasterPid(env.DATA_DIR), 'SIGKILL')
  expect(await server.ended).toBe(70)
  expect(server.said.err).toContain(
    'The embedded database stopped unexpectedly (it ended with SIGKILL). The portal is shutting down',
  )
  await expectKept(made)
})

test('an embedded database shuts down automatically if its portal is killed, but not if its watchers receive a signal', async () => {
  const server = await servePortal(env)
  const made = await makeLeads(server, await signIn(server))
  const postmaster = findPostmasterPid(env.DATA_DIR)
  const watchers = listWatcherPids(postmaster)
  for (const pid of watchers) process.kill(pid, 'SIGTERM')
  await expectAll(made, server, await signIn(server))
  expect(listWatcherPids(postmaster)).toEqual(watchers)
  server.child.kill('SIGKILL')
  await server.ended
  await expect.poll(() => [postmaster, ...watchers].filter((pid) => !hasProcessEnded(pid))).toEqual([])
  expect([watchers.length > 0, findPostmasterPid(env.DATA_DIR)]).toEqual([true, 0])
  await expectKept(made)
})

test('an embedded database that outlives its portal and all watchers is stopped by the next start', async () => {
  const server = await servePortal(env)
  const made = await makeLeads(server, await signIn(server))
  const postmaster = findPostmasterPid(env.DATA_DIR)
  // Kills the waiting watcher before the one that it waits for.
  for (const pid of listWatcherPids(postmaster)) killIfRunning(pid)
  expect(hasProcessEnded(postmaster)).toBe(false)
  server.child.kill('SIGKILL')
  await server.ended
  const again = await servePortal(env)
  await expect.poll(() => hasProcessEnded(postmaster)).toBe(true)
  expect(hasProcessEnded(findPostmasterPid(env.DATA_DIR))).toBe(false)
  again.child.kill('SIGKILL')
  await again.ended
  await expectKept(made)
})
