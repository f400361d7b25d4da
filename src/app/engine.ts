import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { Engine } from '#server/engine/engine.ts'
import { modules } from './modules.ts'

/** The engine with every module, for what is done without a server: commands, reference data, the demo world. */
export const makeEngine = (db: Db, config: Config): Engine => new Engine(db, config, modules)
