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

/** The numbered files, in order. */
const migrations = (): Migration[] =>
  readdirSync(FOLDER)
    .filter((f) => f.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex').slice(0, 16) }
    })

/**
 * Brings the database up to date in one transaction, so that a failure leaves it as it was. Processes that start
 * together wait for one another. Refuses a database whose applied files have since been edited.
 * Returns the names applied.
 */
export async function migrate(tx: Tx): Promise<string[]> {
  await tx.rows('SELECT pg_advisory_xact_lock(7261836)')
  await tx.script(
    `CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const applied = new Map(
    (await tx.rows<{ name: string; checksum: string }>('SELECT name, checksum FROM migration')).map((m) => [
      m.name,
      m.checksum,
    ]),
  )
  const all = migrations()
  const edited = all.filter((m) => applied.has(m.name) && applied.get(m.name) !== m.checksum)
  if (edited.length)
    throw new Error(
      `These migrations were edited after they had been applied: ${edited.map((m) => m.name).join(', ')}. Add a new one instead.`,
    )
  const unknown = [...applied.keys()].filter((name) => !all.some((m) => m.name === name))
  if (unknown.length) throw new Error(`This database is newer than the program: it has ${unknown.join(', ')}.`)
  const fresh = all.filter((m) => !applied.has(m.name))
  for (const m of fresh) {
    await tx.script(m.text).catch((e: Error) => {
      throw new Error(`Migration ${m.name}: ${e.message}`, { cause: e })
    })
    await tx.rows('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [m.name, m.checksum])
  }
  return fresh.map((m) => m.name)
}
