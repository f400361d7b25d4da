import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { settled, signIn, test } from './support/journey.ts'
import { lookAtOpen, lookAtPopups } from './support/popups.ts'

// Whatever opens over a page, menus, lists of choices, dialogs, sheets, is as accessible open as the page under it: on every size of
// screen, in light, and on a desk and a phone in the dark. One session for each person and size goes through all that a screen says it can open, and through
// what opens by a button that doesn't.

const touch = { hasTouch: true, isMobile: true }
const SIZES: Readonly<Record<string, BrowserContextOptions>> = {
  'a desk': { viewport: { width: 1440, height: 900 } },
  'a phone': { viewport: { width: 390, height: 844 }, ...touch },
  'a small phone': { viewport: { width: 320, height: 568 }, ...touch },
  'zoom 200 %': { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
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
    { path: '/staff', also: [/^New staff member$/] },
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
    await page.goto(`${href}${step ? `?step=${step}` : ''}`)
  }
  await settled(page)
}

for (const [size, options] of Object.entries(SIZES))
  for (const [person, visits] of Object.entries(VISITS))
    test(`what opens on ${size}, for ${person}`, async ({ elsewhere }) => {
      test.slow()
      const page = await elsewhere({ ...options, reducedMotion: 'reduce' })
      await signIn(page, person, '/about')
      const schemes = size === 'a desk' || size === 'a phone' ? (['dark', 'light'] as const) : (['light'] as const)
      const wrong: string[] = []
      const seen = new Set<string>()
      for (const one of visits)
        await test.step(one.path, async () => {
          const say = (found: readonly string[]) => wrong.push(...found.map((line) => `${one.path}, ${line}`))
          await visit(page, one)
          say(await lookAtPopups(page, seen, schemes))
          for (const open of [...(one.also ?? []), ...(options.isMobile ? (one.onPhones ?? []) : [])]) {
            const button = open instanceof RegExp && page.locator('main').getByRole('button', { name: open }).first()
            if (size !== 'a desk' && !(button && (await button.isVisible()))) continue
            const press = button ? () => button.click({ timeout: 10_000 }) : () => (open as Open)(page)
            say(await lookAtOpen(page, String(open), press, schemes))
          }
        })
      expect(wrong).toEqual([])
    })
