import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { SessionStore } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { openDb } from '#server/db/open.ts'
import type { Engine } from '#server/engine/types.ts'
import { createHttpApp } from '#server/http/app.ts'
import { registerHydraRoutes } from '#server/hydra/documentation.ts'
import type { QueueWorkers } from '#server/jobs/workers.ts'
import { makeLogger } from '#server/log.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { registerWebRoutes } from '#server/web.ts'
import { createPortalEngine } from './engine.ts'

export interface RunningPortal {
  readonly db: Db
  readonly engine: Engine
  readonly sessions: SessionStore
  readonly app: FastifyInstance
}

/**
 * Creates the portal for an open database, but does not start to listen for requests. Used by the tests and the server.
 */
export async function createPortal(
  db: Db,
  config: Config,
  logger: Parameters<typeof createHttpApp>[2] = false,
): Promise<RunningPortal> {
  const engine = createPortalEngine(db, config)
  const { sessions } = engine
  // Clears the cached sessions after changes to users, roles or clients. Every token is then checked again.
  engine.onCommit.push((touched) => {
    if (['user_account', 'role', 'client'].some((table) => touched.has(table))) sessions.forget()
  })
  const app = await createHttpApp(engine, (token) => sessions.authenticate(token), logger)
  registerHydraRoutes(app, engine)
  await registerWebRoutes(app, engine)
  return { db, engine, sessions, app }
}

/** Milliseconds without a new connection after which the server is considered idle. */
const QUIET_MS = 150

/**
 * Waits until no new connection has arrived for `QUIET_MS`, but at most 20 times as long, so that pending connections
 * are accepted before the server closes.
 */
async function letIn(server: Server): Promise<void> {
  let came = true
  const count = () => {
    came = true
  }
  server.on('connection', count)
  for (const end = performance.now() + 20 * QUIET_MS; came && performance.now() < end; ) {
    came = false
    await sleep(QUIET_MS)
  }
  server.off('connection', count)
}

/** Exit code for an internal software error, according to the sysexits convention. */
const SOFTWARE_FAILED = 70
/**
 * Milliseconds for which this process continues after its embedded database has ended unexpectedly, to reject waiting
 * requests.
 */
const LAST_WORDS_MS = 500

/**
 * Ends the process when its embedded database has ended unexpectedly. The supervisor restarts the process; acknowledged
 * data is preserved.
 */
async function endWith(embedded: Promise<string>, stopping: AbortSignal): Promise<void> {
  const why = await embedded
  if (stopping.aborted) return
  process.stderr.write(
    `The embedded database stopped unexpectedly (${why}). The portal is shutting down: please start it again. No acknowledged change is lost.\n`,
  )
  setTimeout(() => process.exit(SOFTWARE_FAILED), LAST_WORDS_MS)
}

/** Milliseconds from the start of the queues until start-up work is assumed to be complete. */
const SETTLED_MS = 2500

/**
 * Frees memory that was used only during start-up. This is a third of the process's memory, which V8 would otherwise
 * retain.
 */
const giveBackMemory = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** Opens the database, starts the HTTP server and starts the queue workers. `stop` ends all three in order. */
export async function startServer(
  config: Config,
  prepare: (db: Db) => Promise<void>,
): Promise<RunningPortal & { stop: () => Promise<void> }> {
  const log = makeLogger(config.logLevel)
  const db = await openDb(config)
  const stopping = new AbortController()
  try {
    await prepare(db)
    const portal = await createPortal(db, config, log as never)
    portal.engine.security.writeLinesTo(log)
    db.presence.onChange((isAway) =>
      isAway
        ? log.error('The database is not responding: requests are being rejected')
        : log.warn('The database is responding again'),
    )
    await portal.engine.clock.load()
    await portal.app.listen({ port: config.port, host: config.host })
    if (db.ended) void endWith(db.ended, stopping.signal)
    // The queue workers are loaded once the server is listening, because requests must not wait for them.
    const workers: Promise<QueueWorkers> = import('#server/jobs/workers.ts').then(async (m) => {
      const lanes = new m.QueueWorkers(portal.engine, log)
      await lanes.start()
      return lanes
    })
    workers.catch((e: unknown) => log.error(e, 'The queues could not be started'))
    void workers.finally(() => setTimeout(giveBackMemory, SETTLED_MS).unref()).catch(() => {})
    const stop = async () => {
      await letIn(portal.app.server)
      // A connection that is in use when the server closes stays open until its response is sent. This timer then
      // closes it.
      const idle = setInterval(() => portal.app.server.closeIdleConnections(), QUIET_MS)
      await portal.app.close()
      clearInterval(idle)
      await workers.then(
        (w) => w.stop(),
        () => {},
      )
      await closeAllPools()
      await portal.engine.security.flush().catch((e: unknown) => log.error(e, 'The security log could not be written'))
      stopping.abort()
      await db.close()
    }
    return { ...portal, stop }
  } catch (e) {
    await db.close()
    throw e
  }
}
