import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from './db.ts'

const FOLDER = join(import.meta.dirname, '../../../db/migrations')

interface Migration {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Returns the migration files, in numerical order. */
const migrations = (): Migration[] =>
  readdirSync(FOLDER)
    .filter((f) => f.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex').slice(0, 16) }
    })

const ROLE_NAMES = "ARRAY['stanchion_reader', 'stanchion_tenant', 'stanchion_system']"
const TAKEN_ON = "CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END"

/**
 * Creates the portal's three roles with their rights, and allows the migrating login to switch to them. Runs before the
 * migration files, because the first file only requires that the login is a member of the roles. That is not sufficient
 * since PostgreSQL 16, where the creator of a role is a member that may not switch to it.
 */
const ROLES = `DO $$
DECLARE
  r text;
  taken_on text := ${TAKEN_ON};
BEGIN
  FOREACH r IN ARRAY ${ROLE_NAMES} LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', r); END IF;
    IF NOT pg_has_role(current_user, r, taken_on) THEN EXECUTE format('GRANT %I TO CURRENT_USER', r); END IF;
  END LOOP;
END $$`

/** Query that checks whether the roles and the table of applied migrations exist. */
const BEGUN = `SELECT to_regclass('migration') IS NOT NULL AND (SELECT count(*) = 3 FROM pg_roles WHERE rolname = ANY(${ROLE_NAMES}) AND pg_has_role(oid, ${TAKEN_ON})) AS begun`

/**
 * Migrates the database in one transaction, so that a failure changes nothing. Processes that start together wait for
 * one another. Throws if an applied file has since been edited. Returns the names of the files applied. `last`: number
 * of the last migration to apply, for testing data migrations on old rows.
 */
export async function migrateDatabase(tx: Tx, last = Number.POSITIVE_INFINITY): Promise<string[]> {
  const all = migrations()
  const [{ begun } = {}] = await tx.rows(BEGUN)
  // On most starts there is nothing to apply.
  if (begun && !(await missing(tx, all, last)).length) return []
  await tx.rows('SELECT pg_advisory_xact_lock(7261836)')
  await tx.script(ROLES)
  await tx.script(
    `CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const fresh = await missing(tx, all, last)
  for (const m of fresh) {
    await tx.script(m.text).catch((e: Error) => {
      throw new Error(`Migration ${m.name}: ${e.message}`, { cause: e })
    })
    await tx.rows('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [m.name, m.checksum])
  }
  return fresh.map((m) => m.name)
}

/**
 * Returns the migration files that are not yet applied, up to `last`. Throws if an applied file has since been edited.
 */
async function missing(tx: Tx, all: readonly Migration[], last: number): Promise<Migration[]> {
  const rows = await tx.rows<{ name: string; checksum: string }>('SELECT name, checksum FROM migration')
  const applied = new Map(rows.map((m) => [m.name, m.checksum]))
  const edited = all.filter((m) => applied.has(m.name) && applied.get(m.name) !== m.checksum)
  if (edited.length)
    throw new Error(
      `These migrations were edited after they had been applied: ${edited.map((m) => m.name).join(', ')}. Add a new migration instead.`,
    )
  const unknown = [...applied.keys()].filter((name) => !all.some((m) => m.name === name))
  if (unknown.length)
    throw new Error(`This database is newer than this version of the portal: it contains ${unknown.join(', ')}.`)
  return all.filter((m) => !applied.has(m.name) && Number.parseInt(m.name, 10) <= last)
}
