import { enableCompileCache } from 'node:module'

// Loads and serves the demo data on a database server, because the program itself does neither there.

enableCompileCache()
const { createPortalEngine: makeEngine } = await import('#app/engine.ts')
const { startServer } = await import('#app/server.ts')
const { onStopSignal } = await import('#app/stop.ts')
const { readConfig } = await import('#server/config.ts')

const config = readConfig(process.env)

async function load(): Promise<void> {
  const { openDb } = await import('#server/db/open.ts')
  const { NO_TIME_LIMITS, withTimeLimits } = await import('#server/db/time-limits.ts')
  const { loadDemoData: loadDemo } = await import('#server/seed/demo.ts')
  const { loadReferenceData: loadReferences } = await import('#server/seed/reference.ts')
  const db = await openDb(config)
  const engine = makeEngine(db, config)
  await withTimeLimits(NO_TIME_LIMITS, async () => {
    await loadReferences(engine)
    await loadDemo(engine)
  })
  await db.close()
}

async function start(): Promise<void> {
  const { stop } = await startServer(config, async () => {})
  onStopSignal(stop)
}

await (process.argv[2] === 'load' ? load() : start())
