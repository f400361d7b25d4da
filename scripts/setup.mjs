// Installs the dependencies in package-lock.json, including the Node that runs Stanchion. Needs only Node and npm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { exitWithError, inRoot, isMain, node, run } from './shared.mjs'
import { runStep } from './steps.mjs'

/**
 * Whether this is a production server. Nothing is built, checked or tested there, and development dependencies are not
 * installed.
 */
export const isProduction = process.env.NODE_ENV === 'production'

const stampFile = inRoot('node_modules', '.stanchion-setup')
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const wanted = () =>
  createHash('sha256')
    .update(read(inRoot('package.json')))
    .update(read(inRoot('package-lock.json')))
    .update(isProduction ? 'production' : '')
    .digest('hex')

export async function installDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    exitWithError(`Stanchion needs Node 20.19 or newer to start, but this is Node ${process.versions.node}.`)
  if (read(stampFile) === wanted() && existsSync(node)) return

  // Not `npm ci`, because it rejects a lockfile that was created where other platforms' optional binaries were not
  // available.
  const args = ['install', isProduction ? '--omit=dev' : '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await runStep('Dependencies', () =>
    run('npm', args, { shell: process.platform === 'win32' }),
  )
  if (code !== 0) exitWithError(`${output.trim()}\nThe dependencies could not be installed. See npm's message above.`)

  const expected = `v${JSON.parse(read(inRoot('package.json'))).dependencies.node}`
  const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
  if (found !== expected)
    exitWithError(
      `node_modules/.bin should contain Node ${expected}, but contains ${found || 'nothing'}. Are npm's install scripts disabled?`,
    )
  writeFileSync(stampFile, wanted())
}

if (isMain(import.meta)) await installDependencies()
