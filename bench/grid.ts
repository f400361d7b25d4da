import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { chromiumSwitches, findChromiumPath } from '../scripts/browsers.mjs'
import { timeAtQuantile } from './times.ts'
import { waitForNetworkIdle } from './web/screens.ts'

const PORT = 3297
const BASE = `http://127.0.0.1:${PORT}`
const root = join(import.meta.dirname, '..')
const TIERS = ['engineering', 'administrative', 'ppe']
const TEXT = 'People who work below, and whoever passes by while the sheets are lifted'

/** Starts a separate portal with demo data. */
async function portal(): Promise<{ readonly child: ChildProcess; readonly dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'stanchion-grid-'))
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: dir, PORT: String(PORT) }
  const child = spawn(process.execPath, ['src/app/cli.ts', 'start'], { cwd: root, env, stdio: 'ignore' })
  for (let i = 0; i < 240; i++) {
    if ((await fetch(`${BASE}/healthz`).catch(() => undefined))?.ok) return { child, dir }
    await sleep(250)
  }
  throw new Error('The portal did not start')
}

interface GridPostAnswer {
  readonly token: string
  readonly id: number
}
type Post = (path: string, body: object) => Promise<GridPostAnswer>

/** Signs in a user who writes documents. Returns a function that sends POST requests as that user. */
async function author(): Promise<Post> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const post: Post = async (path, body) => {
    const answer = await fetch(`${BASE}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${(await answer.text()).slice(0, 300)}`)
    return (await answer.json()) as GridPostAnswer
  }
  const { token } = await post('/api/security/login', { username: 'admin.brick', password: 'Portal-demo-2026' })
  headers.authorization = `Bearer ${token}`
  return post
}

/** A typing scenario: the page, and how to focus the cell or field. */
interface TypingScenario {
  readonly what: string
  readonly path: string
  readonly begin: (page: Page) => Promise<void>
  /** Keys pressed after the text. */
  readonly walk: readonly string[]
}

/**
 * Creates an assessment with the given number of hazards, each with three controls. Returns a scenario for typing in
 * it.
 */
async function assessment(post: Post, hazards: number): Promise<TypingScenario> {
  const controls = Array.from({ length: hazards }, (_, i) => {
    const head = {
      hazardName: `Hazard ${i + 1} of the work`,
      persons: 'Roofers',
      probability: 1 + (i % 5),
      severity: 1 + ((i * 3) % 5),
      judged: true,
    }
    return [head, ...TIERS.map((tier, k) => ({ ...head, controlName: `Control ${k + 1} of hazard ${i + 1}`, tier }))]
  }).flat()
  const { id } = await post('/api/safety/risk_assessments', { description: `${hazards} hazards`, controls })
  return {
    what: `hazard table with ${hazards} hazards`,
    path: `/sfp/risk-assessment/update/${id}?step=hazards`,
    begin: async (page) => {
      await page.locator('[data-hazard]').nth(20).locator('[data-col="persons"] [data-cell]').focus()
      await page.keyboard.press('Enter')
    },
    walk: ['Escape', ...Array.from({ length: 12 }, (_, i) => (i % 3 ? 'ArrowDown' : 'ArrowRight'))],
  }
}

/**
 * Creates a company's custom form with the given number of questions; every fourth depends on the answer to an earlier
 * one. Returns a scenario for typing in it.
 */
async function form(post: Post, questions: number): Promise<TypingScenario> {
  const options = ['yes', 'no', 'na'].map((value) => ({ value, label: value.toUpperCase() }))
  const question = (n: number) => {
    const about = { name: `q${n}`, label: `Question ${n} of the round` }
    if (n % 4 === 2) return { ...about, kind: 'select', options }
    if (n % 4 === 3) return { ...about, kind: 'text', when: [{ watch: `q${n - 1}`, in: ['yes', 'no'] }] }
    return { ...about, kind: n % 4 ? 'text' : 'longText', required: n % 8 === 1 }
  }
  const fields = Array.from({ length: questions }, (_, i) => question(i))
  const { id } = await post('/api/safety/custom_forms', {
    title: `${questions} questions`,
    schema: { steps: [{ name: 'round', title: 'Round', groups: [{ fields }] }] },
  })
  await post(`/api/safety/custom_forms/${id}/publish`, {})
  return {
    what: `a form with ${questions} fields`,
    path: `/safety/custom-form/fill/${id}`,
    begin: (page) => page.getByLabel(`Question ${(questions >> 3) * 4 + 1} of the round`).focus(),
    walk: Array.from({ length: 12 }, () => 'Tab'),
  }
}

/**
 * Measures the milliseconds from each key press to the next paint, when the user types in the middle of the page and
 * then moves on to other fields.
 */
async function keys(page: Page, { path, begin, walk }: TypingScenario): Promise<number[]> {
  await page.goto(`${BASE}${path}`)
  await begin(page)
  await waitForNetworkIdle(page)
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    addEventListener(
      'keydown',
      (e) => {
        const began = e.timeStamp
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => times.push(performance.now() - began)
          port2.postMessage(0)
        })
      },
      true,
    )
  })
  for (const key of TEXT) await page.keyboard.press(key === ' ' ? 'Space' : key, { delay: 40 })
  for (const key of walk) await page.keyboard.press(key, { delay: 40 })
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times)
  return times.slice(2)
}

/**
 * Prints the latency of a key press in the hazard table and in a long form, with the processor at full speed and four
 * times slower.
 */
export async function printKeyLatency(): Promise<void> {
  const { child, dir } = await portal()
  const browser = await chromium.launch({ executablePath: findChromiumPath(), args: chromiumSwitches })
  try {
    console.log('\n| keystroke, ms to the next paint | p50 | p95 | goal, p95 |\n|---|---|---|---|')
    const post = await author()
    for (const typed of [await assessment(post, 40), await assessment(post, 240), await form(post, 120)]) {
      for (const slower of [1, 4]) {
        // Measures a returning visitor, without background caching by a service worker.
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
        const page = await context.newPage()
        await page.goto(BASE)
        await page.getByLabel('Username').fill('admin.brick')
        await page.getByLabel('Password', { exact: true }).fill('Portal-demo-2026')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/dashboard')
        const session = await context.newCDPSession(page)
        await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
        const times = await keys(page, typed)
        const goal = slower === 1 ? '≤ 25' : '≤ 60'
        console.log(
          `| ${typed.what}, ${slower}× | ${timeAtQuantile(times, 0.5).toFixed(1)} | ${timeAtQuantile(times, 0.95).toFixed(1)} | ${goal} |`,
        )
        await context.close()
      }
    }
  } finally {
    await browser.close()
    child.kill()
    await sleep(500)
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await printKeyLatency()
