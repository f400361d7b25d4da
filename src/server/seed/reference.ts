import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Actor, createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Tx } from '#server/db/db.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { PRODUCT_USERNAME, sortByDependencies } from './fill.ts'

/** Reads and parses a file in `db/reference/`. */
export const readReferenceFile = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../db/reference', name), 'utf8'))

/** Reads and parses all files in a folder of `db/reference/`, in the order of their names. */
export const readReferenceFolder = (folder: string) =>
  readdirSync(join(import.meta.dirname, '../../../db/reference', folder))
    .sort()
    .map((name) => readReferenceFile(join(folder, name)))

/** Author of reference data in the audit trail: the product itself. */
const product: Actor = {
  ...createSystemActor(PROVIDER_CLIENT_ID, 'reference data'),
  username: PRODUCT_USERNAME,
  name: PRODUCT_USERNAME,
}

/** Loads the reference data of all modules. Each edition is loaded once. */
export async function loadReferenceData(engine: Engine): Promise<void> {
  const loaded = await engine.db.tx('system', editions)
  for (const reference of sortByDependencies(
    registryOf(engine).modules.flatMap((module) => module.referenceData ?? []),
  ))
    if ((loaded.get(reference.name) ?? 0) < reference.edition) await loadOne(engine, reference)
}

const loadOne = (engine: Engine, { name, edition, load }: ReferenceData): Promise<void> =>
  engine.inTenant(PROVIDER_CLIENT_ID, { actor: product, requestId: 'reference' }, async (c) => {
    const { tx } = c.work
    await tx.rows('SET LOCAL ROLE stanchion_system')
    // If another process starts at the same time, it waits here and then finds that the data has been loaded.
    await tx.rows("SELECT pg_advisory_xact_lock(hashtext('reference'))")
    if (((await editions(tx)).get(name) ?? 0) < edition) {
      await load(c)
      await tx.rows(
        'INSERT INTO reference_version (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version',
        [name, edition],
      )
    }
    return () => undefined
  })

async function editions(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ name: string; version: number }>('SELECT name, version FROM reference_version')
  return new Map(rows.map((r) => [r.name, r.version]))
}
