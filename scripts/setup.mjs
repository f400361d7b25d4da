// Makes node_modules what package-lock.json says, among it the Node that runs Stanchion. Needs nothing but Node and npm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { giveUp, inRoot, isMain, node, run } from './shared.mjs'
import { step } from './steps.mjs'

/** On a server nothing is built, checked or tested: its dependencies are those that the portal runs on. */
export const isProduction = process.env.NODE_ENV === 'production'

const stampFile = inRoot('node_modules', '.stanchion-setup')
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const wanted = () =>
  createHash('sha256')
    .update(read(inRoot('package.json')))
    .update(read(inRoot('package-lock.json')))
    .update(isProduction ? 'production' : '')
    .digest('hex')

export async function setup() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    giveUp(`Stanchion needs Node 20.19 or newer to start, and this is Node ${process.versions.node}.`)
  if (read(stampFile) === wanted() && existsSync(node)) return

  // Not `npm ci`: it refuses a lockfile that was resolved where other platforms' optional binaries can't be seen.
  const args = ['install', isProduction ? '--omit=dev' : '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await step('Dependencies', () => run('npm', args, { shell: process.platform === 'win32' }))
  if (code !== 0) giveUp(`${output.trim()}\nThe dependencies could not be installed: npm says why above.`)

  const expected = `v${JSON.parse(read(inRoot('package.json'))).dependencies.node}`
  const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
  if (found !== expected)
    giveUp(
      `Node ${expected} should be in node_modules/.bin but ${found || 'nothing'} is: were npm's install scripts switched off?`,
    )
  writeFileSync(stampFile, wanted())
}

if (isMain(import.meta)) await setup()
