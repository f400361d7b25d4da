import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { goInside, settled, signIn, test } from '../support/journey.ts'
import { lookAtOpen, lookAtPopups } from '../support/popups.ts'

// Whatever opens over a page, menus, lists of choices, dialogs, sheets, is as accessible open as the page under it: on every size of
// screen, in light, and on a desk and a phone in the dark. One session for each person and device goes through all that a screen says it
// can open, and through what opens by a button that doesn't.

// How things look; what is there without a connection has journeys of its own.
interface Size {
  readonly width: number
  readonly height: number
  readonly scale?: number
}
interface Device {
  readonly options: BrowserContextOptions
  /** A page comes in the first, in which its colours are looked at too, and is made as small as the others as it stands. */
  readonly sizes: Readonly<Record<string, Size>>
}
const DEVICES: Readonly<Record<string, Device>> = {
  'a desk': {
    options: {},
    sizes: { desk: { width: 1440, height: 900 }, 'zoom 200 %': { width: 640, height: 450, scale: 2 } },
  },
  'a phone': {
    options: { hasTouch: true, isMobile: true },
    sizes: { phone: { width: 390, height: 844 }, 'small phone': { width: 320, height: 568 } },
  },
}

type Open = (page: Page) => Promise<unknown>
interface Visit {
  readonly path: string
  /** The first row of that list, instead of the list. */
  readonly first?: true
  readonly step?: string
  /** What else opens: pressing a button by its name, or more. On smaller screens, where it is there. */
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
    { path: '/crm/contact/view/1', also: [/^Insurance sold$/] },
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
      also: [/^Industry and template$/, /^Choose Starts on$/, /^Help for The/],
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
      onPhones: [/^Change Use of/],
    },
    {
      path: '/safety/risk-assessment?state=current&q=RA-0008',
      first: true,
      also: [/^Sign$/, /^Revise$/],
    },
    { path: '/safety/risk-assessment?state=complete&q=RA-0003', first: true, also: [/^Approve$/, /^Reject$/] },
    { path: '/safety/toolbox-talks/presented' },
    { path: '/sfp/file-manager', also: [/^New folder$/, /^Look at ladder/] },
    { path: '/safety/library' },
    { path: '/profile/security', also: [/^Set up an app$/] },
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
    await goInside(page, `${href}${step ? `?step=${step}` : ''}`)
  }
  await settled(page)
}

/** Makes a page as large as a window, a phone or a zoom would. */
async function resizer(page: Page, mobile: boolean) {
  const session = await page.context().newCDPSession(page)
  return ({ width, height, scale: deviceScaleFactor = 1 }: Size) =>
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile })
}

for (const [device, { options, sizes }] of Object.entries(DEVICES))
  for (const [person, visits] of Object.entries(VISITS))
    test(`what opens on ${device}, for ${person}`, async ({ elsewhere }) => {
      test.slow()
      const page = await elsewhere({ ...options, reducedMotion: 'reduce' })
      const resize = await resizer(page, Boolean(options.isMobile))
      const wrong: string[] = []
      const seen = new Map(Object.keys(sizes).map((name) => [name, new Set<string>()]))
      const [largest] = Object.entries(sizes)[0] as [string, Size]
      await signIn(page, person, '/about')
      for (const one of visits)
        for (const [name, size] of Object.entries(sizes))
          await test.step(`${one.path}, ${name}`, async () => {
            const isLargest = name === largest
            const schemes = isLargest ? (['dark', 'light'] as const) : (['light'] as const)
            const say = (found: readonly string[]) =>
              wrong.push(...found.map((line) => `${one.path}, ${name}, ${line}`))
            await resize(size)
            await (isLargest ? visit(page, one) : settled(page))
            say(await lookAtPopups(page, seen.get(name) as Set<string>, schemes))
            for (const open of [...(one.also ?? []), ...(options.isMobile ? (one.onPhones ?? []) : [])]) {
              const button = open instanceof RegExp && page.locator('main').getByRole('button', { name: open }).first()
              if (name !== 'desk' && !(button && (await button.isVisible()))) continue
              const press = button ? () => button.click({ timeout: 10_000 }) : () => (open as Open)(page)
              say(await lookAtOpen(page, String(open), press, schemes))
            }
          })
      // No later journey may have this size.
      await page.context().close()
      expect(wrong).toEqual([])
    })
