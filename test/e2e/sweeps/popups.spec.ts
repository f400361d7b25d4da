import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { navigateInApp, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { checkPopup, checkPopups } from '../support/popups.ts'

// Checks that popups (menus, lists of choices, dialogs, sheets) are as accessible as the page under them, at every
// screen size in light mode, and on a desktop and a phone in dark mode. One session per user and device opens every
// element that is marked as an opener. It also opens the listed buttons that are not marked.

// Emulates appearance only; offline behaviour has its own tests.
interface Size {
  readonly width: number
  readonly height: number
  readonly scale?: number
}
interface Device {
  readonly options: BrowserContextOptions
  /**
   * Page sizes. The page loads at the first size, at which its colours are checked too, and is then resized to the
   * others.
   */
  readonly sizes: Readonly<Record<string, Size>>
}
const DEVICES: Readonly<Record<string, Device>> = {
  'a desk': {
    options: {},
    sizes: { desk: { width: 1440, height: 900 }, 'zoom 200%': { width: 640, height: 450, scale: 2 } },
  },
  'a phone': {
    options: { hasTouch: true, isMobile: true },
    sizes: { phone: { width: 390, height: 844 }, 'small phone': { width: 320, height: 568 } },
  },
}

type Open = (page: Page) => Promise<unknown>
interface Visit {
  readonly path: string
  /** Whether to open the first row of the list instead of the list itself. */
  readonly first?: true
  readonly step?: string
  /**
   * Other popups, opened by the name of a button or by a function. On smaller screens they are checked only if the
   * button is visible.
   */
  readonly also?: readonly (RegExp | Open)[]
  readonly onPhones?: readonly RegExp[]
}

const cell =
  (name: RegExp): Open =>
  (page) =>
    page.getByRole('grid').getByRole('button', { name }).first().click()
const keys =
  (...pressed: readonly string[]): Open =>
  async (page) => {
    for (const key of pressed) await page.keyboard.press(key)
  }

const VISITS: Readonly<Record<string, readonly Visit[]>> = {
  manager: [
    { path: '/crm/contact/list', also: [keys('Control+k', 'r', 'o', 'o', 'f'), keys('?'), /^Columns/] },
    { path: '/crm/contact/view/1', also: [/^Record insurance sale$/] },
    { path: '/cms/clients', also: [/^New client$/] },
    { path: '/config/users', also: [/^New user$/] },
    { path: '/staff' },
  ],
  staff: [
    { path: '/crm/quote', also: [/^Choose Valid until$/] },
    { path: '/crm/customers', also: [/^New customer$/] },
    { path: '/crm/quotes' },
  ],
  'admin.brick': [
    { path: '/safety/risk-assessment' },
    {
      path: '/safety/risk-assessment?state=draft&q=RA-0004',
      first: true,
      also: [/^Industry and template$/, /^Choose Start date$/, /^Help for The/],
    },
    {
      path: '/safety/risk-assessment?state=draft&q=RA-0004',
      first: true,
      step: 'hazards',
      also: [
        cell(/^Initial risk/),
        async (page) => {
          await page.getByRole('button', { name: /^New hazard/ }).focus()
          await page.keyboard.type('slip')
        },
        async (page) => {
          await cell(/^Controls/)(page)
          await page.locator('button[data-tier]').first().click()
        },
        /^Hazard library$/,
      ],
      onPhones: [/^Edit Use of/],
    },
    {
      path: '/safety/risk-assessment?state=current&q=RA-0008',
      first: true,
      also: [/^Sign$/, /^Revise$/],
    },
    { path: '/safety/risk-assessment?state=complete&q=RA-0003', first: true, also: [/^Approve$/, /^Reject$/] },
    { path: '/safety/toolbox-talks/presented' },
    { path: '/sfp/file-manager', also: [/^New folder$/, /^View ladder/] },
    { path: '/safety/library' },
    { path: '/profile/security', also: [/^Set up app$/] },
  ],
  'worker.brick': [
    { path: '/safety/risk-assessment' },
    { path: '/safety/risk-assessment', first: true, also: [/^Sign$/] },
  ],
}

async function visit(page: Page, { path, first, step }: Visit): Promise<void> {
  await page.goto(path)
  if (first) {
    const href = await page.locator('[data-row-link]').first().getAttribute('href')
    await navigateInApp(page, `${href}${step ? `?step=${step}` : ''}`)
  }
  await waitUntilSettled(page)
}

/** Returns a function that resizes the page, as a resized window, a phone or zooming would. */
async function resizer(page: Page, mobile: boolean) {
  const session = await page.context().newCDPSession(page)
  return ({ width, height, scale: deviceScaleFactor = 1 }: Size) =>
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile })
}

for (const [device, { options, sizes }] of Object.entries(DEVICES))
  for (const [person, visits] of Object.entries(VISITS))
    test(`popups on ${device} are accessible for ${person}`, async ({ elsewhere }) => {
      test.slow()
      const page = await elsewhere({ ...options, reducedMotion: 'reduce' })
      const resize = await resizer(page, Boolean(options.isMobile))
      const wrong: string[] = []
      const seen = new Map(Object.keys(sizes).map((name) => [name, new Set<string>()]))
      const [largest] = Object.entries(sizes)[0] as [string, Size]
      await signIn(page, person, '/about')
      for (const one of visits)
        for (const [name, size] of Object.entries(sizes))
          await test.step(`popups on ${one.path} are accessible at ${name}`, async () => {
            const isLargest = name === largest
            const schemes = isLargest ? (['dark', 'light'] as const) : (['light'] as const)
            const say = (found: readonly string[]) =>
              wrong.push(...found.map((line) => `${one.path}, ${name}, ${line}`))
            await resize(size)
            await (isLargest ? visit(page, one) : waitUntilSettled(page))
            say(await checkPopups(page, seen.get(name) as Set<string>, schemes))
            for (const open of [...(one.also ?? []), ...(options.isMobile ? (one.onPhones ?? []) : [])]) {
              const button = open instanceof RegExp && page.locator('main').getByRole('button', { name: open }).first()
              if (name !== 'desk' && !(button && (await button.isVisible()))) continue
              const press = button ? () => button.click({ timeout: 10_000 }) : () => (open as Open)(page)
              say(await checkPopup(page, String(open), press, schemes))
            }
          })
      // The context is closed, because its size was changed.
      await page.context().close()
      expect(wrong).toEqual([])
    })
