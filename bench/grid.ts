import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath, switches } from '../scripts/browsers.mjs'

const PORT = 3297
const BASE = `http://127.0.0.1:${PORT}`
const root = join(import.meta.dirname, '..')
const TIERS = ['engineering', 'administrative', 'ppe']
const TEXT = 'People who work below, and whoever passes by while the sheets are lifted'

const share = (times: readonly number[], p: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * p))] as number

/** A portal of its own with the demo world. */
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

/** An assessment with so many hazards, each with three controls; its id. */
async function assessment(hazards: number): Promise<number> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (await (await fetch(`${BASE}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      token: string
      id: number
    }
  const { token } = await post('/api/security/login', { username: 'admin.brick', password: 'Portal-demo-2026' })
  headers.authorization = `Bearer ${token}`
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
  return (await post('/api/safety/risk_assessments', { description: `${hazards} hazards`, controls })).id
}

/** Milliseconds from each key to the next paint after it, while a cell in the middle is typed in and the cells are walked. */
async function keys(page: Page, id: number): Promise<number[]> {
  await page.goto(`${BASE}/sfp/risk-assessment/update/${id}?step=hazards`)
  const row = page.locator('[data-hazard]').nth(20)
  await row.waitFor()
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
  await row.locator('[data-col="persons"] [data-cell]').focus()
  await page.keyboard.press('Enter')
  for (const key of TEXT) await page.keyboard.press(key === ' ' ? 'Space' : key, { delay: 40 })
  await page.keyboard.press('Escape')
  for (let i = 0; i < 12; i++) await page.keyboard.press(i % 3 ? 'ArrowDown' : 'ArrowRight', { delay: 40 })
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times)
  return times.slice(2)
}

/** What a key costs in the hazard table, at full speed and four times slower. */
export async function printGrid(): Promise<void> {
  const { child, dir } = await portal()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: switches })
  try {
    console.log('\n| a key in the hazard table, ms to the next paint | p50 | p95 | goal, p95 |\n|---|---|---|---|')
    for (const hazards of [40, 300]) {
      const id = await assessment(hazards)
      for (const slower of [1, 4]) {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
        const page = await context.newPage()
        await page.goto(BASE)
        await page.getByLabel('Username').fill('admin.brick')
        await page.getByLabel('Password', { exact: true }).fill('Portal-demo-2026')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/dashboard')
        const session = await context.newCDPSession(page)
        await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
        const times = await keys(page, id)
        const goal = slower === 1 ? '≤ 25' : '≤ 60'
        console.log(
          `| ${hazards} hazards, ${slower}× | ${share(times, 0.5).toFixed(1)} | ${share(times, 0.95).toFixed(1)} | ${goal} |`,
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await printGrid()
