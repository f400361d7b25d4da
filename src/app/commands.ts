import { findDemoUsers } from '#server/auth/accounts.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { openDb } from '#server/db/open.ts'
import { NO_TIME_LIMITS, withTimeLimits } from '#server/db/time-limits.ts'
import type { Engine } from '#server/engine/types.ts'
import { loadReferenceData } from '#server/seed/reference.ts'
import { createPortalEngine } from './engine.ts'
import { modules } from './modules.ts'
import { startServer } from './server.ts'
import { onStopSignal } from './stop.ts'

const brought = modules.flatMap((module) => module.commands ?? [])

export const COMMAND_LINE_HELP = `Usage: npm run portal -- COMMAND

  start                       serve the portal (same as npm start)
  migrate                     update the database to this version, then exit
${brought.map((command) => command.help).join('\n')}
  demo                        load the demo data into an empty embedded database
  jobs                        list failed e-mails, events and schedules
  jobs retry ID               retry one failed job
  backup FILE.tar.gz          write the embedded database to a file (while the portal is stopped);
                              uploaded files are not included: also copy the folder or bucket that stores them
  restore FILE.tar.gz         restore a backup file to an empty DATA_DIR;
                              uploaded files must be copied back separately
  help                        show this help

Settings are read from environment variables; docs/operations.md lists them.
`

async function start(): Promise<void> {
  const config = readConfig(process.env)
  beginStartupStep('Database')
  const portal = await startServer(config, (db) =>
    withTimeLimits(NO_TIME_LIMITS, async () => {
      const engine = createPortalEngine(db, config)
      await loadReferenceData(engine)
      if (config.databaseUrl) {
        if (await engine.clock.load())
          throw new Error(
            'This database contains demo or test data, for which the portal’s clock can be changed. The portal can’t serve such data from a database server.',
          )
        return
      }
      beginStartupStep('Demo data')
      await (await import('#server/seed/demo.ts')).loadDemoData(engine, reportStartupProgress)
    }),
  )
  onStopSignal(portal.stop)
  const address =
    config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  // Demo users are read from the embedded database only. A database server has none, and a query that fails at this
  // point would end the running portal.
  const demo = config.databaseUrl ? [] : await demoSignIns(portal.db)
  const signIns = demo.length ? `  Demo sign-ins (password Portal-demo-2026): ${demo.join(', ')}\n` : ''
  printToOperator(`\n  ${config.provider} is open at ${address}\n${signIns}  Press Ctrl-C to stop the portal.\n\n`)
}

const demoSignIns = async (db: Db): Promise<string[]> => (await db.tx('system', findDemoUsers)).map((p) => p.username)

/** Opens the database, loads the reference data, runs one command and closes the database. */
async function once(work: (engine: Engine, applied: readonly string[]) => Promise<string> | string): Promise<void> {
  const config = readConfig(process.env)
  const db = await openDb(config)
  try {
    const engine = createPortalEngine(db, config)
    await withTimeLimits(NO_TIME_LIMITS, async () => {
      await loadReferenceData(engine)
      process.stdout.write(`${await work(engine, db.applied)}\n`)
    })
  } finally {
    await db.close()
  }
}

async function loadWorld(engine: Engine): Promise<string> {
  if (engine.config.databaseUrl) throw new Error('The demo data can’t be loaded into a database server.')
  const { loadDemoData: loadDemo } = await import('#server/seed/demo.ts')
  return (await loadDemo(engine))
    ? 'Demo data loaded.'
    : 'This database is not empty. The demo data can only be loaded into an empty one.'
}

/** Runs `backup` or `restore` on the embedded database. The portal must be stopped. */
async function stopped(what: 'backup' | 'restore', [file]: readonly string[]): Promise<void> {
  const { backupDatabase, restoreDatabase } = await import('./backup.ts')
  const run = what === 'backup' ? backupDatabase : restoreDatabase
  process.stdout.write(`${await run(readConfig(process.env), file)}\n`)
}

type Run = (args: string[]) => Promise<void>

/** Commands for `npm run portal --`. Each command loads only the code that it needs. */
const commands: Readonly<Record<string, Run>> = {
  start,
  migrate: () =>
    once((_, applied) =>
      applied.length ? `Migrations applied: ${applied.join(', ')}.` : 'The database is up to date.',
    ),
  demo: () => once(loadWorld),
  jobs: (args) => once(async (engine) => (await import('./jobs.ts')).runJobsCommand(engine, args)),
  backup: (args) => stopped('backup', args),
  restore: (args) => stopped('restore', args),
  help: async () => void process.stdout.write(COMMAND_LINE_HELP),
  ...Object.fromEntries(
    brought.map(({ name, load }): [string, Run] => [
      name,
      (args) => once(async (engine) => (await load())(engine, args)),
    ]),
  ),
}

/**
 * Returns the command named by the first two words or by the first word, with the remaining words as arguments;
 * `undefined` if there is no such command.
 */
export function findCommand(words: readonly string[]): (() => Promise<void>) | undefined {
  for (const length of [2, 1]) {
    const run = commands[words.slice(0, length).join(' ')]
    if (run) return () => run(words.slice(length))
  }
  return undefined
}

/** Message to the parent process about start-up progress. `scripts/start.mjs` prints it. */
type News = { readonly begins: string } | { readonly share: number } | { readonly says: string }

const tell = (news: News) => process.send?.(news)

/** Begins a step and ends the previous one. */
const beginStartupStep = (name: string): void => void tell({ begins: name })

/** Reports the progress of the current step, from 0 to 1. */
const reportStartupProgress = (share: number): void => void tell({ share })

/** Prints a message for the operator, after all start-up steps. */
function printToOperator(text: string): void {
  if (!tell({ says: text })) process.stdout.write(text)
}
