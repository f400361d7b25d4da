import { allowMovingClock } from '#server/engine/clock.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { sortByDependencies } from './fill.ts'

/**
 * Loads the demo data into an empty portal. Returns false if the portal already has users. Calls `report` with the
 * share that is complete, from 0 to 1.
 */
export async function loadDemoData(engine: Engine, report: (share: number) => void = () => {}): Promise<boolean> {
  const isEmpty = await engine.db.tx('system', async (tx) => {
    const [somebody] = await tx.rows('SELECT 1 FROM user_account LIMIT 1')
    if (!somebody) await allowMovingClock(tx)
    return !somebody
  })
  if (!isEmpty) return false
  const loaded = await Promise.all(registryOf(engine).modules.flatMap((module) => module.seeds?.() ?? []))
  const parts = sortByDependencies(loaded.flatMap(({ seeds }) => seeds))
  for (const [done, part] of parts.entries()) {
    report(done / parts.length)
    await part.tell(engine)
  }
  return true
}
