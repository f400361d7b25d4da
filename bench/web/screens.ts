import type { Browser, Page } from '@playwright/test'
import { type BenchDevice, openMeasuredPage } from './browser.ts'
import type { BenchScreen, BenchSite } from './product.ts'

/** Cost of opening a screen: times in milliseconds, and the data transferred until the screen was useful. */
export interface ScreenLoadMetrics {
  readonly requests: number
  readonly bytes: number
  readonly useful: number
  readonly paint: number
  /** Sum of all layout shifts. */
  readonly shift: number
  /** Milliseconds until the largest paint when the screen is opened again from the browser's cache. */
  readonly warm: number
}

/** Measures a screen: opens it with an empty browser cache, then once more from the cache. */
export async function measureScreenLoad(
  browser: Browser,
  site: BenchSite,
  device: BenchDevice,
  screen: BenchScreen,
): Promise<ScreenLoadMetrics> {
  const { page, sent, close } = await openMeasuredPage(browser, site, device, screen.as)
  try {
    await page.addInitScript(markUseful, screen.useful)
    await page.goto(screen.path, { waitUntil: 'commit' })
    const useful = await standing(page, screen.useful)
    const cold = await painted(page)
    // Counts only requests sent before the screen was useful.
    const before = sent().filter(({ at }) => at < useful)
    const bytes = before.reduce((sum, one) => sum + one.bytes, 0)
    // Opens an empty page first, because a URL that differs only after the “#” would navigate within the page.
    await page.goto('about:blank')
    await page.goto(screen.path, { waitUntil: 'commit' })
    await standing(page, screen.useful)
    const warm = await painted(page)
    return { requests: before.length, bytes, useful, paint: cold.paint, shift: cold.shift, warm: warm.paint }
  } finally {
    await close()
  }
}

/** Runs in the page. Marks the first frame in which the selector finds an element. */
function markUseful(selector: string): void {
  const look = () => {
    if (document.querySelector(selector)) performance.mark('of-use')
    else requestAnimationFrame(look)
  }
  look()
}

/** Waits for an element. Resolves to the time at which it appeared, in milliseconds on the page's own clock. */
async function standing(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor()
  return page.evaluate(() => performance.getEntriesByName('of-use')[0]?.startTime ?? performance.now())
}

/** Milliseconds without a response after which the page is considered loaded. */
const QUIET_MS = 600

/** Waits until loading has finished. Ignores the stream of notifications, which never ends. */
export async function waitForNetworkIdle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  for (let was = -1, known = 0; was !== known; ) {
    was = known
    await page.waitForTimeout(QUIET_MS)
    known = await page.evaluate(() => performance.getEntriesByType('resource').length)
  }
}

/** Measures the largest paint and the layout shifts once the page sends no more requests. */
async function painted(page: Page): Promise<{ paint: number; shift: number }> {
  await waitForNetworkIdle(page)
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
        // Buffered entries are delivered in a separate task.
        setTimeout(() => done(found), 100)
      }),
  )
}
