import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Sessions } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { openDb } from '#server/db/open.ts'
import type { Engine } from '#server/engine/types.ts'
import { makeApp } from '#server/http/app.ts'
import { hydraRoutes } from '#server/hydra/routes.ts'
import type { Workers } from '#server/jobs/workers.ts'
import { makeLog } from '#server/log.ts'
import { closePools } from '#server/processes/own-pools.ts'
import { serveWeb } from '#server/web.ts'
import { makeEngine } from './engine.ts'

export interface Portal {
  readonly db: Db
  readonly engine: Engine
  readonly sessions: Sessions
  readonly app: FastifyInstance
}

/** The portal on an open database, not yet listening: what tests and the server share. */
export async function makePortal(
  db: Db,
  config: Config,
  logger: Parameters<typeof makeApp>[2] = false,
): Promise<Portal> {
  const engine = makeEngine(db, config)
  const { sessions } = engine
  // Rights may have changed: believe no token before asking again.
  engine.onCommit.push((touched) => {
    if (['user_account', 'role', 'client'].some((table) => touched.has(table))) sessions.forget()
  })
  const app = await makeApp(engine, (token) => sessions.authenticate(token), logger)
  hydraRoutes(app, engine)
  await serveWeb(app, engine)
  return { db, engine, sessions, app }
}

/** Milliseconds without a new connection after which nobody is at the door. */
const QUIET_MS = 150

/** Waits until whoever was on their way in before the door is closed has come in. */
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

/** Of a program whose own software has failed, by the convention of sysexits. */
const SOFTWARE_FAILED = 70
/** Milliseconds in which those who wait are refused, before the process ends. */
const LAST_WORDS_MS = 500

/** Ends the process when its embedded database has ended by itself. Whoever supervises the process starts it anew, with all that was acknowledged. */
async function endWith(embedded: Promise<string>, stopping: AbortSignal): Promise<void> {
  const why = await embedded
  if (stopping.aborted) return
  process.stderr.write(
    `The embedded database has ended (${why}). The portal ends, to be started anew: what it has acknowledged is kept.\n`,
  )
  setTimeout(() => process.exit(SOFTWARE_FAILED), LAST_WORDS_MS)
}

/** Milliseconds after which a start has left behind what it does. */
const SETTLED_MS = 2500

/** Gives back what only the start needed, a third of what the process holds: V8 would keep it for when it is busy. */
const giveBackMemory = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** Opens the database, serves, and works on the lanes. `stop` ends all three in order. */
export async function startServer(
  config: Config,
  prepare: (db: Db) => Promise<void>,
): Promise<Portal & { stop: () => Promise<void> }> {
  const log = makeLog(config.logLevel)
  const db = await openDb(config)
  const stopping = new AbortController()
  try {
    await prepare(db)
    const portal = await makePortal(db, config, log as never)
    portal.engine.security.writeLinesTo(log)
    db.presence.onChange((isAway) =>
      isAway ? log.error('The database does not answer: requests are refused') : log.warn('The database is back'),
    )
    await portal.engine.clock.load()
    await portal.app.listen({ port: config.port, host: config.host })
    if (db.ended) void endWith(db.ended, stopping.signal)
    // After listening: nobody waits for the lanes.
    const workers: Promise<Workers> = import('#server/jobs/workers.ts').then(async (m) => {
      const lanes = new m.Workers(portal.engine, log)
      await lanes.start()
      return lanes
    })
    workers.catch((e: unknown) => log.error(e, 'The lanes could not be opened'))
    void workers.finally(() => setTimeout(giveBackMemory, SETTLED_MS).unref()).catch(() => {})
    const stop = async () => {
      await letIn(portal.app.server)
      // Connections that were in use when it closed are kept open by their clients once they have their answer.
      const idle = setInterval(() => portal.app.server.closeIdleConnections(), QUIET_MS)
      await portal.app.close()
      clearInterval(idle)
      await workers.then(
        (w) => w.stop(),
        () => {},
      )
      await closePools()
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
