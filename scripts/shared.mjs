import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tools = join(root, 'node_modules', '.bin')

/** Path of the Node that runs everything except these scripts. */
export const node = join(tools, 'node')

/**
 * Returns the Node arguments that run a program file. The first two enlarge V8's memory for new objects. With the
 * default of one megabyte at the start, responses would be copied repeatedly while they are assembled, which takes a
 * tenth of a list's processor time. `--expose-gc` lets the program collect the garbage left by its start.
 */
export const buildProgramArguments = (file) => [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--expose-gc',
  file,
]
export const programArguments = buildProgramArguments('src/app/cli.ts')

export const inRoot = (...path) => join(root, ...path)

/** Returns true in the script that was started, and false in the scripts that it imports. */
export const isMain = (meta) =>
  existsSync(process.argv[1] ?? '') && realpathSync(process.argv[1]) === fileURLToPath(meta.url)

/**
 * Returns `on` or `off`: whether the gallery of examples is built in. The default is `off` for a portal on a database
 * server, otherwise `on`.
 */
export const readGallerySetting = (env = process.env) =>
  ['on', 'off'].includes(env.GALLERY ?? '') ? env.GALLERY : env.DATABASE_URL ? 'off' : 'on'

export function exitWithError(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * Returns options for a child process that finds our Node and tools before any others. Variables that are undefined are
 * removed.
 */
export function buildSpawnOptions(variables = {}) {
  const env = { ...process.env, PATH: tools + delimiter + process.env.PATH, ...variables }
  for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name]
  return { cwd: root, env }
}

/** Returns a hash of the given files, their paths from the root, and other values that affect the build. */
export function hashFiles(files, ...further) {
  const hash = createHash('sha256').update(further.join('\0'))
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)))
  return hash.digest('hex')
}

/** Lists the files of `src` for which `isMeant` returns true, sorted. */
export const listSourceFiles = (isMeant) =>
  readdirSync(inRoot('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isMeant)
    .sort()

const costs = new AsyncLocalStorage()

/** Runs `work`. Resolves to its value and the processor seconds of the tools that it ran. */
export async function measureProcessorSeconds(work) {
  const cost = { seconds: 0 }
  const value = await costs.run(cost, work)
  return { value, seconds: cost.seconds }
}

/**
 * Shell script that runs a command, then prints the processor time of the command and its children to file descriptor
 * 3.
 */
const TIMED = '"$@" 3>&-; code=$?; times >&3; exit $code'

/** Returns the seconds in the last line of `times`, which are those of the children: `1m2.34s 0m0.56s`. */
const secondsIn = (times) =>
  [...(times.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )

/** Runs a tool until it ends. `output` contains what the tool printed, unless `show` lets it print directly. */
export function run(command, args, { show = false, variables, minutes = 10, shell = false, cwd = root } = {}) {
  const timed = process.platform === 'win32' || shell ? [command, args] : ['sh', ['-c', TIMED, 'sh', command, ...args]]
  return new Promise((resolve) => {
    const out = show ? 'inherit' : 'pipe'
    const child = spawn(...timed, { ...buildSpawnOptions(variables), cwd, shell, stdio: ['ignore', out, out, 'pipe'] })
    const limit = setTimeout(() => {
      // The shell waits for the tool, and killing only the shell would leave the tool running.
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

/**
 * Runs until all given children have ended. Forwards signals to them, and exits with the code of the first child that
 * ended.
 */
export function superviseChildren(...children) {
  const tell = (signal) => {
    for (const child of children) child.kill(signal)
  }
  // A terminal also sends Ctrl-C to the children. A second signal could make them stop immediately.
  process.on('SIGINT', () => process.stdin.isTTY || tell('SIGINT'))
  process.on('SIGTERM', () => tell('SIGTERM'))
  process.on('SIGHUP', () => tell('SIGTERM'))

  let running = children.length
  let exitCode
  for (const child of children) {
    child.on('error', (error) => exitWithError(`${child.spawnfile} could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      exitCode ??= code ?? 128 + constants.signals[signal]
      running -= 1
      if (running === 0) process.exit(exitCode)
      tell('SIGTERM')
    })
  }
}

/** Installs Debian packages if possible. Returns true if they were installed. */
export function installWithApt(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...args) => spawnSync('apt-get', args, options).status === 0
  return apt('update', '-q') && apt('install', '-q', '-y', ...names)
}
