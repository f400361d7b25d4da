import { type BrowserContextOptions, expect, type Page, test as plain } from '@playwright/test'
import { SLOWDOWN_FACTOR } from './pace.ts'
import { type JourneyPortal, openPortal, type PortalSettings } from './portal.ts'
import { BLANK_PATH, PagePool } from './warm-pages.ts'

interface OfTest {
  /** Settings of a separate portal for this test; if unset, the test uses the portal of its worker. */
  readonly ownPortal: PortalSettings | undefined
  readonly portal: JourneyPortal
  /** Opens a page in another browser context, for another user or device. */
  readonly elsewhere: (options?: BrowserContextOptions) => Promise<Page>
  readonly pages: Pages
}

interface OfWorker {
  readonly sharedSettings: PortalSettings
  readonly sharedPortal: JourneyPortal
  readonly warmPages: PagePool
  readonly pace: number
}

interface Pages {
  readonly open: (options?: BrowserContextOptions) => Promise<Page>
}

/** Secret that signs incoming e-mail. */
export const INBOUND_EMAIL_SECRET = 'a secret of thirty-two characters'

/** Test fixture: no other test uses the portal at the same time, and all pages run at the configured pace. */
export const test = plain.extend<OfTest, OfWorker>({
  ownPortal: [undefined, { option: true }],
  sharedSettings: [{ MAIL_INBOUND_SECRET: INBOUND_EMAIL_SECRET }, { scope: 'worker', option: true }],
  sharedPortal: [
    async ({ sharedSettings }, use) => {
      const portal = await openPortal({ settings: sharedSettings })
      await use(portal)
      await portal.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  portal: async ({ sharedPortal, ownPortal }, use) => {
    if (!ownPortal) return use(sharedPortal)
    const portal = await openPortal({ settings: ownPortal })
    await use(portal)
    await portal.close()
  },
  baseURL: async ({ portal }, use) => use(portal.origin),
  pace: [
    async ({ browser }, use) => {
      if (SLOWDOWN_FACTOR !== 1) browser.on('context', (context) => context.on('page', (page) => void slowDown(page)))
      await use(SLOWDOWN_FACTOR)
    },
    { scope: 'worker', auto: true },
  ],
  warmPages: [async ({ browser }, use) => use(new PagePool(browser)), { scope: 'worker' }],
  pages: async (
    { warmPages, ownPortal, baseURL, viewport, hasTouch, isMobile, userAgent, serviceWorkers, pace },
    use,
  ) => {
    // Pages with service workers are not reused. Pages of another portal are not reused either, because that portal has
    // been closed.
    const isKept = (options: BrowserContextOptions) =>
      options.serviceWorkers === 'block' && options.baseURL === baseURL && !ownPortal && pace === 1
    const usual = { baseURL, viewport, hasTouch, isMobile, userAgent, serviceWorkers }
    const opened: (readonly [Page, BrowserContextOptions])[] = []
    await use({
      open: async (options = {}) => {
        const all = { ...usual, ...options }
        const page = await warmPages.take(all)
        opened.push([page, all])
        return page
      },
    })
    for (const [page, all] of opened) await (isKept(all) ? warmPages.give(page, all) : warmPages.close(page))
  },
  page: async ({ pages }, use) => use(await pages.open()),
  context: async ({ page }, use) => use(page.context()),
  elsewhere: async ({ pages }, use) => use(pages.open),
})

async function slowDown(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN_FACTOR })
  } catch (error) {
    if (!page.isClosed()) throw error
  }
}

export const PHONE_OPTIONS: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

export const DEMO_PASSWORD = 'Portal-demo-2026'

/** Signs in a demo user without the form, which has its own tests, and opens a page. */
export async function signIn(page: Page, username: string, path: string): Promise<void> {
  // Leaves the previous user's page first, because it might refresh its session during the sign-in.
  await page.goto(BLANK_PATH)
  const answer = await page.context().request.post('/api/security/login', {
    data: { username, password: DEMO_PASSWORD },
    headers: { 'x-requested-with': 'portal' },
  })
  expect(answer.status()).toBe(200)
  // The portal requests a session only if the browser has signed in before.
  await page.evaluate(() => localStorage.setItem('stanchion-signed-in', '1'))
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** Navigates to a URL within the app, as a link in the portal does. */
export const navigateInApp = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, address)

/** Waits until the heading is shown, no request is pending, and the results are rendered. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.evaluate(async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const busy = () =>
      document.querySelector('[data-progress="busy"]') !== null || [...document.images].some((i) => !i.complete)
    await document.fonts.ready
    // The page must be idle twice, because a screen sends further requests after its first rendering.
    for (let calm = 0; calm < 2; calm = busy() ? 0 : calm + 1) await drawn()
  })
}

/** Region of a document's page that states the document's status and the next step. */
export const statusRegion = (page: Page) => page.getByRole('region', { name: 'Status and next step' })

/**
 * Waits until a document's status contains a text and the server has confirmed it. The page shows a new status before
 * the server has answered, so another device could still read the old one.
 */
export async function expectStatus(page: Page, text: string | RegExp): Promise<void> {
  await expect(statusRegion(page)).toContainText(text)
  await waitUntilSettled(page)
}
