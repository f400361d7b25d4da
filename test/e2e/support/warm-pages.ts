import type { Browser, BrowserContextOptions, Page } from '@playwright/test'

/** An answer of the server that runs no scripts and that no service worker touches, in the portal's origin: leaving it keeps the process. */
export const NEUTRAL = '/healthz'

/**
 * Pages that later journeys use again. A new page has a process of its own, and compiling the portal's scripts in it is half of what
 * a first screen costs; a cleared page has them compiled.
 */
export class WarmPages {
  private readonly browser: Browser
  private readonly idle = new Map<string, Page[]>()

  constructor(browser: Browser) {
    this.browser = browser
  }

  async take(options: BrowserContextOptions): Promise<Page> {
    const idle = this.idle.get(JSON.stringify(options))?.pop()
    return idle ?? (await this.browser.newContext(options)).newPage()
  }

  /** Clears a page and keeps it. A journey that does what can't be cleared, such as moving the page's clock, closes its page. */
  async give(page: Page, options: BrowserContextOptions): Promise<void> {
    if (page.isClosed()) return this.close(page)
    await clear(page, options)
    const key = JSON.stringify(options)
    this.idle.set(key, [...(this.idle.get(key) ?? []), page])
  }

  close = (page: Page): Promise<void> => page.context().close()
}

/** Leaves nothing of a journey in its browser: no other pages, routes, listeners, emulation, cookies or storage. */
async function clear(page: Page, { viewport, colorScheme, reducedMotion }: BrowserContextOptions): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const one of [page, context]) {
    one.removeAllListeners()
    await one.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await context.setOffline(false)
  await page.goto(NEUTRAL)
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
