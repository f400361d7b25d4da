import { readConfig } from '#server/config.ts'
import { openDb } from '#server/db/open.ts'
import { loadReferences } from '#server/world/reference.ts'
import { makeEngine } from './engine.ts'
import { startServer } from './server.ts'

/** How the command line is used. */
export const HELP = `Usage: npm run portal -- COMMAND

  start                       serve the portal (npm start does this)
  migrate                     bring the database up to date and end
  user create --username NAME --client 0 --roles ROLE_STAFF,… [--name "…"] [--email …] [--password …]
                              without --password it is asked for, or read from standard input
  import leads FILE.csv [--client 0] [--owner NAME]… [--dry-run] [--duplicates add] [--map "Company=companyName,…"]
                              add a list of leads; nothing that is there already is added twice
  import companies FILE.csv [--resume]
                              bring the register of companies up to date from the public register's file (unzipped);
                              what was interrupted goes on where it was when the same command is given again
  demo                        load the demo world into an empty embedded database
  jobs                        list what failed: letters, events, schedules
  jobs retry ID               try one of it again
  verify [--client N]         prove that sealed documents are unchanged, their chain unbroken and the trail guarded
  backup FILE.tar.gz          write the embedded database to one file (while the portal is stopped);
                              uploaded files are not in it: copy the folder or bucket that holds them too
  restore FILE.tar.gz         make the embedded database of an empty DATA_DIR from it;
                              uploaded files are put back by copying
  help                        this

Settings are read from the environment; the README has a table of them.
`

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const portal = await startServer(config, async (db) => {
    const engine = makeEngine(db, config)
    await loadReferences(engine)
    if (db.kind === 'embedded') await (await import('#server/world/demo.ts')).loadDemo(engine)
  })
  const address =
    config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  const demo = await portal.db.tx('system', (tx) =>
    tx.rows<{ username: string }>(
      'SELECT u.username FROM credential c JOIN user_account u ON u.client_id = c.client_id AND u.id = c.user_id WHERE c.demo ORDER BY u.id',
    ),
  )
  process.stdout.write(`\n  ${config.provider} is open at ${address}\n`)
  if (demo.length)
    process.stdout.write(`  Demo sign-ins (password Portal-demo-2026): ${demo.map((d) => d.username).join(', ')}\n`)
  process.stdout.write('  Ctrl-C stops it.\n\n')
  let stopping = false
  const stop = async () => {
    if (stopping) process.exit(1)
    stopping = true
    await portal.stop()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
}

/** One command on an open database. */
async function once(work: (db: Awaited<ReturnType<typeof openDb>>) => Promise<string>): Promise<void> {
  const config = readConfig(process.env)
  const db = await openDb(config)
  try {
    await loadReferences(makeEngine(db, config))
    process.stdout.write(`${await work(db)}\n`)
  } finally {
    await db.close()
  }
}

const args = process.argv.slice(3)

/** What is done with the embedded database while no portal has it open. */
async function stopped(what: 'backup' | 'restore'): Promise<void> {
  const commands = await import('./backup.ts')
  process.stdout.write(`${await commands[what](readConfig(process.env), args[0])}\n`)
}

/** What `npm run portal --` can do. Only what is asked for is loaded: the server, above all, carries nothing else along. */
export const commands: Record<string, () => Promise<void>> = {
  start,
  migrate: () =>
    once(async (db) => (db.applied.length ? `Applied ${db.applied.join(', ')}.` : 'The database is up to date.')),
  user: () => once(async (db) => (await import('./create-user.ts')).createUser(db, args)),
  import: () =>
    once(async (db) => {
      const config = readConfig(process.env)
      return args[0] === 'companies'
        ? (await import('./import-companies.ts')).importCompanies(db, config, args)
        : (await import('./import-leads.ts')).importLeads(db, config, args)
    }),
  demo: () =>
    once(async (db) => {
      if (db.kind !== 'embedded') throw new Error('The demo world is never loaded into a database server.')
      return (await (await import('#server/world/demo.ts')).loadDemo(makeEngine(db, readConfig(process.env))))
        ? 'The demo world is loaded.'
        : 'This database is not empty; the demo world is for empty ones only.'
    }),
  jobs: () => once(async (db) => (await import('./jobs.ts')).jobs(db, readConfig(process.env), args)),
  verify: () => once(async (db) => (await import('./verify.ts')).verifyChains(db, readConfig(process.env), args)),
  backup: () => stopped('backup'),
  restore: () => stopped('restore'),
  help: async () => void process.stdout.write(HELP),
}
