import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashFiles, inRoot, isMain, listSourceFiles, node } from '../../scripts/shared.mjs'

const CACHE = inRoot('node_modules', '.cache', 'stanchion')
const NAME = /^demo-(\d{4}-\d\d-\d\dT\d\d)-/
const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 13)

/**
 * Returns a name for the demo data: the current hour and a hash of its sources. The hour is included because the data
 * contains dates and times close to its creation.
 */
function edition(): string {
  const data = ['migrations', 'reference'].flatMap((folder) =>
    readdirSync(inRoot('db', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /[.]\w+$/.test(name))
      .map((name) => `db/${folder}/${name}`),
  )
  const program = listSourceFiles((file: string) => /[.]ts$/.test(file) && !/[.](test|web)[.]ts$/.test(file))
  return `demo-${process.env.DEMO_HOUR ?? hourAgo(0)}-${hashFiles([...data.sort(), ...program, 'package-lock.json']).slice(0, 12)}`
}

/** Creates a data folder with the demo data, at most once an hour. Returns its path. */
function makeDemoWorld(): string {
  const world = join(CACHE, edition())
  if (existsSync(world)) return world
  mkdirSync(CACHE, { recursive: true })
  // Runs that started within the last hour may still copy their folder.
  for (const name of readdirSync(CACHE))
    if ((NAME.exec(name)?.[1] ?? hourAgo(0)) < hourAgo(1)) rmSync(join(CACHE, name), { recursive: true, force: true })
  const made = mkdtempSync(`${world}-`)
  const { DATABASE_URL: _, ...env } = process.env
  const { status, stderr } = spawnSync(node, [inRoot('src', 'app', 'cli.ts'), 'demo'], {
    env: { ...env, DATA_DIR: made },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The demo world could not be made: ${stderr}`)
  try {
    renameSync(made, world)
  } catch (error) {
    // Another run that started at the same time may have created the folder.
    if (!existsSync(world)) throw error
    rmSync(made, { recursive: true })
  }
  return world
}

/** Global set-up: all tests of a run copy the same demo data, however long the run takes. */
export default function setUpDemoData(): void {
  process.env.DEMO_WORLD = makeDemoWorld()
}

/**
 * Copies the demo data of this run, or of this hour, to a data folder. If the database is in another folder, to which
 * the data folder links (`lockDatabase`), the database is copied too.
 */
export const copyDemoData = (to: string): void =>
  cpSync(process.env.DEMO_WORLD ?? makeDemoWorld(), to, { recursive: true, dereference: true })

if (isMain(import.meta)) makeDemoWorld()
