import type { Browser, BrowserContextOptions, Page } from '@playwright/test'

/**
 * Path on the portal's origin without scripts or a service worker. Opening it leaves the current page but keeps the
 * browser process.
 */
export const BLANK_PATH = '/healthz'

/**
 * Pool of reusable pages. A new page has a separate process, in which compiling the portal's scripts takes half of the
 * time to the first screen. A cleared page has already compiled the scripts.
 */
export class PagePool {
  private readonly browser: Browser
  private readonly idle = new Map<string, Page[]>()

  constructor(browser: Browser) {
    this.browser = browser
  }

  async take(options: BrowserContextOptions): Promise<Page> {
    const idle = this.idle.get(JSON.stringify(options))?.pop()
    return idle ?? (await this.browser.newContext(options)).newPage()
  }

  /**
   * Clears a page and returns it to the pool. Tests that change state that can't be cleared, such as the page's clock,
   * close the page instead.
   */
  async give(page: Page, options: BrowserContextOptions): Promise<void> {
    if (page.isClosed()) return this.close(page)
    await clear(page, options)
    const key = JSON.stringify(options)
    this.idle.set(key, [...(this.idle.get(key) ?? []), page])
  }

  close = (page: Page): Promise<void> => page.context().close()
}

/**
 * Events that tests listen to. Only their handlers are removed, because Playwright itself listens to other events.
 * Without its `close` handler, for example, closing a context would never end.
 */
const TEST_EVENTS = [
  'console',
  'download',
  'filechooser',
  'pageerror',
  'request',
  'requestfinished',
  'response',
] as const

/**
 * Removes everything that a test left in its browser: other pages, routes, handlers, emulation, cookies and storage.
 */
async function clear(page: Page, { viewport, colorScheme, reducedMotion }: BrowserContextOptions): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const one of [page, context]) {
    for (const event of TEST_EVENTS) one.removeAllListeners(event)
    await one.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await context.setOffline(false)
  await page.goto(BLANK_PATH)
  await context.clearCookies()
  await context.clearPermissions()
  await page.evaluate(() => sessionStorage.clear())
  const devtools = await context.newCDPSession(page)
  const { origin } = new URL(page.url())
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' })
  await devtools.detach()
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? 'light',
    reducedMotion: reducedMotion ?? 'no-preference',
  })
  if (viewport) await page.setViewportSize(viewport)
}
