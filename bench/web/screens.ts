import type { Browser, Page } from '@playwright/test'
import { type Device, openVisit } from './browser.ts'
import type { Screen, Site } from './product.ts'

/** What one opening of a screen took: milliseconds, and what was sent until it was of use. */
export interface Opened {
  readonly requests: number
  readonly bytes: number
  readonly useful: number
  readonly paint: number
  /** The sum of all layout shifts. */
  readonly shift: number
  /** Of the largest paint when it is opened once more, from the browser's cache. */
  readonly warm: number
}

/** Opens a screen in a browser that has nothing of it, and then again. */
export async function open(browser: Browser, site: Site, device: Device, screen: Screen): Promise<Opened> {
  const { page, sent, close } = await openVisit(browser, site, device, screen.as)
  try {
    await page.addInitScript(markUseful, screen.useful)
    await page.goto(screen.path, { waitUntil: 'commit' })
    const useful = await standing(page, screen.useful)
    const cold = await painted(page)
    // What was asked for before it was of use; what came later was for later.
    const before = sent().filter(({ at }) => at < useful)
    const bytes = before.reduce((sum, one) => sum + one.bytes, 0)
    // A page whose place is behind a “#” would only be moved in.
    await page.goto('about:blank')
    await page.goto(screen.path, { waitUntil: 'commit' })
    await standing(page, screen.useful)
    const warm = await painted(page)
    return { requests: before.length, bytes, useful, paint: cold.paint, shift: cold.shift, warm: warm.paint }
  } finally {
    await close()
  }
}

/** Runs in the page: marks the picture in which what a selector finds is there for the first time. */
function markUseful(selector: string): void {
  const look = () => {
    if (document.querySelector(selector)) performance.mark('of-use')
    else requestAnimationFrame(look)
  }
  look()
}

/** Waits for an element; resolves to the milliseconds of the page's own clock at which it was there. */
async function standing(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor()
  return page.evaluate(() => performance.getEntriesByName('of-use')[0]?.startTime ?? performance.now())
}

/** Milliseconds in which nothing has come: then nothing comes any more. */
const QUIET_MS = 600

/** Waits until nothing comes any more, but for the stream of notices, which never ends. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  for (let was = -1, known = 0; was !== known; ) {
    was = known
    await page.waitForTimeout(QUIET_MS)
    known = await page.evaluate(() => performance.getEntriesByType('resource').length)
  }
}

/** When nothing is asked for any more: the largest paint, and how far things moved. */
async function painted(page: Page): Promise<{ paint: number; shift: number }> {
  await settle(page)
  return page.evaluate(
    () =>
      new Promise<{ paint: number; shift: number }>((done) => {
        const found = { paint: 0, shift: 0 }
        new PerformanceObserver((list) => {
          found.paint = list.getEntries().at(-1)?.startTime ?? 0
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) found.shift += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        // What is buffered is told in a task of its own.
        setTimeout(() => done(found), 100)
      }),
  )
}
