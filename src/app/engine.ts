import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { createEngine } from '#server/engine/engine.ts'
import type { Engine } from '#server/engine/types.ts'
import { modules } from './modules.ts'

/** Creates the engine with every module, for work without an HTTP server: commands, reference data and demo data. */
export const createPortalEngine = (db: Db, config: Config): Engine => createEngine(db, config, modules)
