import { type BrowserContextOptions, expect, type Page, test as plain } from '@playwright/test'
import { PACE } from './pace.ts'
import { type JourneyPortal, openPortal } from './portal.ts'

interface OfTest {
  /** A page in a browser of its own, for another person or another device. */
  readonly elsewhere: (options?: BrowserContextOptions) => Promise<Page>
}

interface OfWorker {
  /** Settings of the portal; journeys that choose some of their own have a portal of their own. */
  readonly settings: Readonly<Record<string, string>>
  readonly portal: JourneyPortal
  readonly pace: number
}

/** A journey: in a portal that no other journey is in at the same time, with every page at the chosen pace. */
export const test = plain.extend<OfTest, OfWorker>({
  settings: [{}, { scope: 'worker', option: true }],
  portal: [
    async ({ settings }, use) => {
      const portal = await openPortal({ settings })
      await use(portal)
      await portal.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.origin),
  pace: [
    async ({ browser }, use) => {
      if (PACE !== 1) browser.on('context', (context) => context.on('page', (page) => void slowDown(page)))
      await use(PACE)
    },
    { scope: 'worker', auto: true },
  ],
  elsewhere: async ({ browser }, use) => {
    const opened: Page[] = []
    await use(async (options) => {
      const page = await (await browser.newContext(options)).newPage()
      opened.push(page)
      return page
    })
    for (const page of opened) await page.context().close()
  },
})

async function slowDown(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: PACE })
  } catch (error) {
    if (!page.isClosed()) throw error
  }
}

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export const PASSWORD = 'Portal-demo-2026'

/** Signs somebody of the demo world in without the form, which has journeys of its own, and opens a page. */
export async function signIn(page: Page, username: string, path: string): Promise<void> {
  const context = page.context()
  // Whoever was there before has left: their page would look after its session while the next one comes.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  const answer = await context.request.post('/api/security/login', {
    data: { username, password: PASSWORD },
    headers: { 'x-requested-with': 'portal' },
  })
  expect(answer.status()).toBe(200)
  // What a browser remembers of having signed in: that it is worth asking for the session.
  await context.addInitScript(() => localStorage.setItem('stanchion-signed-in', '1'))
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

/** Follows an address as a link in the portal does. */
export const goInside = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, address)

/** Resolves when the screen stands, nothing that it asked for is outstanding, and what came has been drawn. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.evaluate(async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const busy = () =>
      document.querySelector('[data-progress="busy"]') !== null || [...document.images].some((i) => !i.complete)
    await document.fonts.ready
    // Twice: what a screen asks for, it asks for after it has been drawn.
    for (let calm = 0; calm < 2; calm = busy() ? 0 : calm + 1) await drawn()
  })
}
