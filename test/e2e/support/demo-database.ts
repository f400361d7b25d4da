import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startTemporaryPostgres } from '../../../scripts/postgres.mjs'
import { buildProgramArguments, buildSpawnOptions, inRoot, node } from '../../../scripts/shared.mjs'

const OWNER = 'demo_owner'
const TEMPLATE = 'demo_world'

/** Returns the Node arguments that load the demo data, or serve a copy of the demo data. */
export const demoPortalArguments = (command: 'load' | 'start') => [
  ...buildProgramArguments(inRoot('test', 'e2e', 'support', 'demo-portal.ts')),
  command,
]

/**
 * Returns the database URL for the role that the README requires: it owns its databases and is subject to row-level
 * security.
 */
const asOwner = (server: string, name: string) =>
  Object.assign(new URL(server), { username: OWNER, pathname: `/${name}` }).href

async function execute(server: string, ...statements: readonly string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  try {
    for (const statement of statements) await admin.query(statement)
  } finally {
    await admin.end()
  }
}

/** Global set-up: one database server, with the demo data in a template that each portal copies. */
export default async function setUpDemoDatabase(): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres()
  if (!postgres) throw new Error('Journeys need PostgreSQL 15 or newer: none is here, and none could be installed.')
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-demo-'))
  const teardown = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await execute(postgres.url, `CREATE ROLE ${OWNER} LOGIN CREATEROLE`, `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER}`)
  const loaded = spawnSync(node, demoPortalArguments('load'), {
    ...buildSpawnOptions({ DATABASE_URL: asOwner(postgres.url, TEMPLATE), DATA_DIR: folder }),
    encoding: 'utf8',
  })
  if (loaded.status !== 0) {
    await teardown()
    throw new Error(`The demo world could not be loaded: ${loaded.stderr}`)
  }
  Object.assign(process.env, { DEMO_SERVER: postgres.url, DEMO_FOLDER: folder })
  return teardown
}

/**
 * Copies the demo files to a folder and the demo database to a new database of this name. Returns the URL of the new
 * database.
 */
export async function copyDemoDatabase(name: string, folder: string): Promise<string> {
  const { DEMO_SERVER: server = '', DEMO_FOLDER: files = '' } = process.env
  cpSync(files, folder, { recursive: true })
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} OWNER ${OWNER}`)
  return asOwner(server, name)
}

export const dropDatabase = (name: string): Promise<void> =>
  execute(String(process.env.DEMO_SERVER), `DROP DATABASE ${name} WITH (FORCE)`)
