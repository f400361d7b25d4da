import type { Logger } from 'pino'
import type { Resource } from '#kernel/resource.ts'
import { SecurityLog } from '#server/auth/security-log.ts'
import { SessionStore } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import { ListTotals } from '#server/data/totals.ts'
import type { Db } from '#server/db/db.ts'
import { makeLogger } from '#server/log.ts'
import { PortalClock } from './clock.ts'
import type { Module } from './module.ts'
import { Registry } from './registry.ts'
import type { Engine } from './types.ts'
import { RecordWrites } from './writes.ts'

class PortalEngine extends RecordWrites implements Engine {
  readonly db: Db
  readonly config: Config
  readonly resources: readonly Resource[]
  readonly addressed: readonly Resource[]
  readonly totals: ListTotals
  readonly clock: PortalClock
  readonly sessions: SessionStore
  readonly security: SecurityLog
  readonly log: Pick<Logger, 'error' | 'warn'>
  readonly onClose: Engine['onClose'] = []
  protected readonly registry: Registry
  protected readonly self = this

  constructor(db: Db, config: Config, modules: readonly Module[]) {
    super()
    this.db = db
    this.config = config
    this.registry = new Registry(this, modules)
    this.resources = this.registry.resources
    this.addressed = this.resources.filter((r) => r.allow.read !== 'nobody')
    this.clock = new PortalClock(db)
    this.sessions = new SessionStore(db, config)
    this.security = new SecurityLog(db)
    this.log = makeLogger(config.logLevel)
    this.totals = new ListTotals(db.read)
  }
}

/** Creates the engine of a portal with these modules. Throws if a module is registered incorrectly. */
export const createEngine = (db: Db, config: Config, modules: readonly Module[]): Engine =>
  new PortalEngine(db, config, modules)
