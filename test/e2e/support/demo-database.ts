import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { throwawayPostgres } from '../../../scripts/postgres.mjs'
import { childOptions, inRoot, node, programOf } from '../../../scripts/shared.mjs'

const OWNER = 'demo_owner'
const TEMPLATE = 'demo_world'

/** The arguments of Node that load the demo world, or serve a copy of it. */
export const demoPortal = (command: 'load' | 'start') => [
  ...programOf(inRoot('test', 'e2e', 'support', 'demo-portal.ts')),
  command,
]

/** The address of a database for the login that the README asks for: it owns its databases, and row-level security binds it. */
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

/** Before all journeys: one database server, with the demo world in a template that each portal copies. */
export default async function setup(): Promise<() => Promise<void>> {
  const postgres = await throwawayPostgres()
  if (!postgres) throw new Error('Journeys need PostgreSQL 15 or newer: none is here, and none could be installed.')
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-demo-'))
  const teardown = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await execute(postgres.url, `CREATE ROLE ${OWNER} LOGIN CREATEROLE`, `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER}`)
  const loaded = spawnSync(node, demoPortal('load'), {
    ...childOptions({ DATABASE_URL: asOwner(postgres.url, TEMPLATE), DATA_DIR: folder }),
    encoding: 'utf8',
  })
  if (loaded.status !== 0) {
    await teardown()
    throw new Error(`The demo world could not be loaded: ${loaded.stderr}`)
  }
  Object.assign(process.env, { DEMO_SERVER: postgres.url, DEMO_FOLDER: folder })
  return teardown
}

/** Copies the demo world: its files to a folder, its database to one of this name, of which it returns the address. */
export async function copyDemoDatabase(name: string, folder: string): Promise<string> {
  const { DEMO_SERVER: server = '', DEMO_FOLDER: files = '' } = process.env
  cpSync(files, folder, { recursive: true })
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} OWNER ${OWNER}`)
  return asOwner(server, name)
}

export const dropDatabase = (name: string): Promise<void> =>
  execute(String(process.env.DEMO_SERVER), `DROP DATABASE ${name} WITH (FORCE)`)
