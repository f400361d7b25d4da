import { billingReference } from '#rooms/billing/catalogue/reference.server.ts'
import { quoteReference } from '#rooms/billing/quotes/reference.server.ts'
import { libraryReference } from '#rooms/safety/library/reference.server.ts'
import { loadTemplates } from '#rooms/safety/templates.server.ts'
import { type Reference, readReference as reference } from '#server/data/reference.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'

const base: Reference = {
  name: 'base',
  edition: 2,
  load: async (tx) => {
    await tx.rows("INSERT INTO client (id, company) VALUES (0, 'Provider') ON CONFLICT (id) DO NOTHING")
    await roles(tx)
    await leadLookups(tx)
  },
}

const references: readonly Reference[] = [base, billingReference, quoteReference, libraryReference]

/** What is told through the engine, after the lists. Must bear being done twice. */
const told = [{ name: 'document templates', edition: 1, load: loadTemplates }] as const

/** Loads the reference data that the portal can't run without. Each edition once; keeps what people have changed. */
export async function seed(engine: Engine): Promise<void> {
  const { db } = engine
  const loaded = await db.tx('system', async (tx) => {
    const there = await editions(tx)
    for (const { name, edition, load } of references) {
      if ((there.get(name) ?? 0) >= edition) continue
      await load(tx)
      await noteEdition(tx, name, edition)
    }
    return there
  })
  for (const { name, edition, load } of told) {
    if ((loaded.get(name) ?? 0) >= edition) continue
    await load(engine)
    await db.tx('system', (tx) => noteEdition(tx, name, edition))
  }
}

async function editions(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.rows<{ name: string; version: number }>('SELECT name, version FROM reference_version')
  return new Map(rows.map((r) => [r.name, r.version]))
}

const noteEdition = (tx: Tx, name: string, edition: number) =>
  tx.rows(
    'INSERT INTO reference_version (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version',
    [name, edition],
  )

async function roles(tx: Tx): Promise<void> {
  const data = reference('roles.json') as {
    categories: { name: string; internal: boolean }[]
    roles: { name: string; label: string; description: string; category: string; internal: boolean }[]
  }
  for (const c of data.categories)
    await tx.rows('INSERT INTO role_category (name, internal) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
      c.name,
      c.internal,
    ])
  for (const r of data.roles)
    await tx.rows(
      'INSERT INTO role (name, label, description, category_id, internal) VALUES ($1, $2, $3, (SELECT id FROM role_category WHERE name = $4), $5) ON CONFLICT (name) DO NOTHING',
      [r.name, r.label, r.description, r.category, r.internal],
    )
}

async function leadLookups(tx: Tx): Promise<void> {
  const results = reference('last-results.json') as { id: number; text: string; category: string }[]
  for (const r of results)
    await tx.rows('INSERT INTO last_result (id, text, category) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING', [
      r.id,
      r.text,
      r.category,
    ])
  await tx.rows("SELECT setval('last_result_id_seq', 1000, false)")
  const types = reference('business-types.json') as { name: string; section: string }[]
  for (const t of types)
    await tx.rows(
      'INSERT INTO business_type (name, section) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM business_type WHERE name = $1)',
      [t.name, t.section],
    )
  for (const name of reference('came-froms.json') as string[])
    await tx.rows('INSERT INTO came_from (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name])
  for (const [name, county] of reference('cities.json') as [string, string][])
    await tx.rows('INSERT INTO city (name, county) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [name, county])
  for (const [username, name] of [
    ['after5', 'After 5'],
    ['dead', 'Dead'],
    ['duplicates', 'Duplicates'],
    ['baddetails', 'Bad details'],
  ])
    await tx.rows(
      'INSERT INTO staff (client_id, username, name, tray) VALUES (0, $1, $2, true) ON CONFLICT (client_id, lower(username)) DO NOTHING',
      [username, name],
    )
}
