import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tools = join(root, 'node_modules', '.bin')

/** The Node that everything but these scripts runs on. */
export const node = join(tools, 'node')

/**
 * The program, as the portal is run: with module for the answers that are under way. Where young memory begins with V8's one megabyte,
 * they are copied again and again while they are put together (a tenth of the processor's time of a list). What a start leaves behind
 * is given back by a collection that the program asks for.
 */
export const programOf = (file) => ['--min-semi-space-size=16', '--max-semi-space-size=32', '--expose-gc', file]
export const program = programOf('src/app/cli.ts')

export const inRoot = (...path) => join(root, ...path)

/** True in the script that was started, false in the ones it imports. */
export const isMain = (meta) =>
  existsSync(process.argv[1] ?? '') && realpathSync(process.argv[1]) === fileURLToPath(meta.url)

/** `on` or `off`: whether the gallery of examples is built in. Unless said, a portal on a database server goes without. */
export const gallery = (env = process.env) =>
  ['on', 'off'].includes(env.GALLERY ?? '') ? env.GALLERY : env.DATABASE_URL ? 'off' : 'on'

export function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Options for a child that finds our Node and our tools before any other; an undefined variable is left out. */
export function childOptions(variables = {}) {
  const env = { ...process.env, PATH: tools + delimiter + process.env.PATH, ...variables }
  for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name]
  return { cwd: root, env }
}

/** A digest of files, by their paths from the root, and of whatever else decides what is built of them. */
export function fingerprint(files, ...further) {
  const hash = createHash('sha256').update(further.join('\0'))
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)))
  return hash.digest('hex')
}

/** The files of `src` that `isMeant`, in order. */
export const sources = (isMeant) =>
  readdirSync(inRoot('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isMeant)
    .sort()

const costs = new AsyncLocalStorage()

/** Resolves to the value of work and the processor seconds of the tools that it ran. */
export async function measured(work) {
  const cost = { seconds: 0 }
  const value = await costs.run(cost, work)
  return { value, seconds: cost.seconds }
}

/** Runs a command, then prints the processor time of it and its children on the fourth channel. */
const TIMED = '"$@" 3>&-; code=$?; times >&3; exit $code'

/** Seconds in the last line of `times`, those of children: `1m2.34s 0m0.56s`. */
const secondsIn = (times) =>
  [...(times.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )

/** Runs a tool to its end; `output` is what it printed, unless `show` let it print. */
export function run(command, args, { show = false, variables, minutes = 10, shell = false, cwd = root } = {}) {
  const timed = process.platform === 'win32' || shell ? [command, args] : ['sh', ['-c', TIMED, 'sh', command, ...args]]
  return new Promise((resolve) => {
    const out = show ? 'inherit' : 'pipe'
    const child = spawn(...timed, { ...childOptions(variables), cwd, shell, stdio: ['ignore', out, out, 'pipe'] })
    const limit = setTimeout(() => {
      // The shell waits for the tool, and would leave it behind.
      spawnSync('pkill', ['-P', `${child.pid}`])
      child.kill()
    }, minutes * 60_000)
    const read = { output: '', times: '' }
    const collect = (name) => (text) => {
      read[name] += text
    }
    child.stdout?.setEncoding('utf8').on('data', collect('output'))
    child.stderr?.setEncoding('utf8').on('data', collect('output'))
    child.stdio[3].setEncoding('utf8').on('data', collect('times'))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => {
      clearTimeout(limit)
      const cost = costs.getStore()
      if (cost) cost.seconds += secondsIn(read.times)
      resolve({ code: code ?? 1, output: read.output })
    })
  })
}

/** Lives as long as these children do: passes signals on, ends with the first child's code. */
export function liveWith(...children) {
  const tell = (signal) => {
    for (const child of children) child.kill(signal)
  }
  // A terminal sends Ctrl-C to the children as well: twice would look like impatience.
  process.on('SIGINT', () => process.stdin.isTTY || tell('SIGINT'))
  process.on('SIGTERM', () => tell('SIGTERM'))
  process.on('SIGHUP', () => tell('SIGTERM'))

  let running = children.length
  let exitCode
  for (const child of children) {
    child.on('error', (error) => giveUp(`${child.spawnfile} could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      exitCode ??= code ?? 128 + constants.signals[signal]
      running -= 1
      if (running === 0) process.exit(exitCode)
      tell('SIGTERM')
    })
  }
}

/** Installs Debian packages where that is possible; false where it isn't. */
export function installWithApt(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...args) => spawnSync('apt-get', args, options).status === 0
  return apt('update', '-q') && apt('install', '-q', '-y', ...names)
}
