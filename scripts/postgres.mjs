// A real PostgreSQL in a temporary folder, for tests and measurements. As a script it runs until Ctrl-C.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { installWithApt, isMain } from './shared.mjs'

const oldestUsable = 15
const homes = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'].filter(existsSync)
const answer = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? ''

/** The newest usable PostgreSQL's program folder, or undefined. */
function programs() {
  return [
    answer('pg_config', '--bindir'),
    ...homes.flatMap((home) => readdirSync(home).map((name) => join(home, name, 'bin'))),
  ]
    .filter((folder) => folder && existsSync(join(folder, 'initdb')))
    .map((folder) => ({
      folder,
      version: Number.parseInt(answer(join(folder, 'postgres'), '--version').split(' ')[2], 10),
    }))
    .filter((found) => found.version >= oldestUsable)
    .sort((a, b) => b.version - a.version)[0]?.folder
}

/** The folder of a usable one's programs, which is installed where there is none and that can be. */
export const installPostgres = () => programs() ?? (installWithApt('postgresql') ? programs() : undefined)

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function owner() {
  if (process.getuid?.() !== 0) return {}
  const user = answer('id', '-u', 'postgres') ? 'postgres' : 'nobody'
  return { uid: Number(answer('id', '-u', user)), gid: Number(answer('id', '-g', user)) }
}

/** For tests: nothing need survive a power cut. */
const hasty = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

/**
 * Resolves to {url, stop(), kill(signal), start()}, or to null where no PostgreSQL can be had. `kill` ends the server as a machine
 * might, `start` brings it back.
 */
export async function throwawayPostgres(settings = hasty) {
  const folder = installPostgres()
  if (!folder) return null

  const home = mkdtempSync(join(tmpdir(), 'stanchion-postgres-'))
  const who = owner()
  if (who.uid !== undefined) chownSync(home, who.uid, who.gid)
  const data = join(home, 'data')
  const port = await freePort()
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  const options = { ...who, cwd: home, env: { ...process.env, LC_ALL: 'C' } }

  const locale = process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--no-locale']
  const initdb = spawnSync(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale],
    { ...options, encoding: 'utf8' },
  )
  if (initdb.status !== 0) {
    remove()
    console.error(`PostgreSQL could not be prepared: ${initdb.stderr}`)
    return null
  }

  let server
  let ended
  let log = ''
  function launch() {
    server = spawn(
      join(folder, 'postgres'),
      ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', home, ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    server.stderr.setEncoding('utf8').on('data', (text) => {
      log = (log + text).slice(-10_000)
    })
    ended = once(server, 'exit')
  }
  async function kill(signal) {
    server.kill(signal)
    await ended
  }
  const ready = () => spawnSync(join(folder, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', `${port}`]).status === 0
  /** True when it answers. After a crash, what is left of the server before may be in the way for a moment. */
  async function start() {
    launch()
    for (let tries = 0; tries < 300; tries += 1) {
      if (ready()) return true
      await sleep(100)
      if (server.exitCode === null) continue
      if (!/pre-existing shared memory|lock file .* already exists/.test(log)) return false
      log = ''
      launch()
    }
    return false
  }

  const onSignal = (signal) => process.exit(signal === 'SIGINT' ? 130 : 143)
  const onExit = () => {
    server.kill('SIGQUIT')
    remove()
  }
  process.on('exit', onExit).on('SIGINT', onSignal).on('SIGTERM', onSignal)
  async function stop() {
    await kill('SIGINT')
    process.off('exit', onExit).off('SIGINT', onSignal).off('SIGTERM', onSignal)
    remove()
  }

  if (await start()) return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop, kill, start }
  await stop()
  console.error(`PostgreSQL did not start: ${log}`)
  return null
}

if (isMain(import.meta)) {
  const postgres = await throwawayPostgres()
  if (postgres) console.log(postgres.url)
}
