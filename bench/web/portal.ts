import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { findFreePort } from '../../scripts/free-port.mjs'
import { programArguments } from '../../scripts/shared.mjs'
import { medianTime } from '../times.ts'
import { measureTimeToRender } from './drawn.ts'
import type { BenchProduct, BenchScreen, LeadPageSelectors } from './product.ts'
import { waitForNetworkIdle } from './screens.ts'

const OUTCOMES = 6
/**
 * Minimum time between two calls in milliseconds. It is long enough to save the last outcome and to activate the
 * shortcut key for the current lead.
 */
const BETWEEN_CALLS = 700

const LEADS: BenchScreen = { name: 'lead list', path: '/crm/contact/list', as: 'staff', useful: '[data-row-link]' }
const SCREENS: readonly BenchScreen[] = [
  LEADS,
  { name: 'record', path: '/crm/contact/view/1', as: 'staff', useful: '[data-lead-screen]' },
  { name: 'dashboard', path: '/dashboard', as: 'staff', useful: 'main section li a, main section td a' },
  { name: 'worker’s tasks', path: '/dashboard', as: 'worker.brick', useful: 'main section li a' },
  { name: 'sign-in', path: '/', useful: 'input[name=password]' },
  { name: 'about', path: '/about', as: 'staff', useful: 'main table' },
]

const MARKS: LeadPageSelectors = {
  list: LEADS,
  rows: 50,
  names: 'data-row-link',
  next: '[aria-label="Next page"]',
  sort: { press: 'thead th:nth-child(3) button' },
  record: '[data-lead-screen]',
  back: '[aria-label="Back to the list"]',
  form: { path: '/cms/contact/create', field: 'input[id$="-companyName"]' },
  finish: endCalls,
}

/** Measures the milliseconds from the key press or tap that ends a call until the screen shows the next lead. */
async function endCalls(page: Page, byKey: boolean): Promise<number> {
  await page.goto(LEADS.path)
  await page.getByRole('button', { name: /Start calling/ }).click()
  await page.waitForURL(/contact\/view/)
  const times: number[] = []
  for (let n = 0; n < OUTCOMES; n++) {
    if (!byKey) await page.getByRole('button', { name: 'How did the call end?' }).click()
    await page.getByRole('button', { name: /No answer/ }).waitFor()
    await waitForNetworkIdle(page)
    await page.waitForTimeout(BETWEEN_CALLS)
    const first = page.locator('[aria-keyshortcuts^="1 "]').first()
    times.push(await measureTimeToRender(first, byKey ? 'key 1' : 'click', {}))
  }
  return medianTime(times.slice(2))
}

/** Starts the portal of a source tree with a built `dist/web` folder and separate demo data. */
export async function startPortalProduct(name: string, tree: string): Promise<BenchProduct> {
  if (!existsSync(join(tree, 'dist/web/index.html')))
    throw new Error(`The web app of ${tree} has not been built. Run npm run build there first.`)
  const node = join(tree, 'node_modules/.bin/node')
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-web-'))
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}`
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: folder, PORT: String(port), SECOND_FACTOR: 'off' }
  const made = spawnSync(node, ['src/app/cli.ts', 'demo'], { cwd: tree, env, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`The demo data could not be loaded: ${made.stderr}`)
  const child = spawn(node, [...programArguments, 'start'], { cwd: tree, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((done) => child.once('exit', done))
  process.once('exit', () => child.kill())
  while (!(await fetch(`${base}/healthz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error('The portal did not start')
    await sleep(50)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { name, base, screens: SCREENS, marks: MARKS, stop }
}
