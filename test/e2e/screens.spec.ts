import { expect, type Page } from '@playwright/test'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from './support/journey.ts'
import { findLayoutShift } from './support/moved.ts'
import { checkScreen, collectPageErrors, measureOverflow } from './support/screens.ts'

// Checks the main screens of each module: they are accessible in light mode, and have no console errors, layout shifts,
// or content wider than a phone. `sweeps/screens.spec.ts` checks every screen.

interface Pass {
  readonly person: string
  readonly screens: readonly (string | Record)[]
}
/** Path that starts with the first record of a list, and the rest of the path. */
interface Record {
  readonly firstOf: string
  readonly more?: string
}

const PASSES: Readonly<{ [module: string]: Pass }> = {
  identity: { person: 'manager', screens: ['/config/users', '/config/roles', '/profile/security'] },
  portal: { person: 'admin.brick', screens: ['/dashboard', '/sfp/file-manager', '/cms/clients'] },
  crm: {
    person: 'staff',
    screens: ['/dashboard', '/crm/contact/list', { firstOf: '/crm/contact/list' }, '/cms/contact/create'],
  },
  billing: { person: 'staff', screens: ['/crm/quotes', { firstOf: '/crm/quotes' }, '/crm/quote', '/crm/customers'] },
  sales: { person: 'manager', screens: ['/dashboard', '/cms/management', '/cms/commissionreview'] },
  safety: {
    person: 'admin.brick',
    screens: [
      '/safety/risk-assessment',
      { firstOf: '/safety/risk-assessment?state=draft&q=RA-0004', more: '?step=hazards' },
      '/sfp/risk-assessment/create',
    ],
  },
  documents: {
    person: 'worker.brick',
    screens: ['/dashboard', '/safety/toolbox-talks', { firstOf: '/safety/risk-assessment?state=current' }],
  },
  tasks: { person: 'worker.brick', screens: ['/my-task'] },
}

const PHONE_SIZE = { width: 360, height: 740 }

async function addressOf(page: Page, screen: string | Record): Promise<string> {
  if (typeof screen === 'string') return screen
  await page.goto(screen.firstOf)
  const href = await page.locator('a[data-row-link]').first().getAttribute('href')
  return `${href}${screen.more ?? ''}`
}

/** Returns the faults found on a screen at desktop width and at phone width. */
async function lookInBothWidths(page: Page, address: string): Promise<string[]> {
  const found = await checkScreen(page, address, ['light'])
  const desk = page.viewportSize()
  await page.setViewportSize(PHONE_SIZE)
  await waitUntilSettled(page)
  const over = await measureOverflow(page)
  if (desk) await page.setViewportSize(desk)
  return over > 0 ? [...found, `${address} is wider than a phone by ${over}`] : found
}

test('the sign-in page is accessible, has no layout shifts, and fits a phone', async ({ page }) => {
  const wrong = collectPageErrors(page)
  expect(await lookInBothWidths(page, '/')).toEqual([])
  expect(wrong).toEqual([])
})

for (const [module, { person, screens }] of Object.entries(PASSES))
  test(`the main screens of ${module} are accessible, have no layout shifts, and fit a phone`, async ({ page }) => {
    const wrong = collectPageErrors(page)
    await signIn(page, person, '/about')
    const found: string[] = []
    for (const screen of screens) found.push(...(await lookInBothWidths(page, await addressOf(page, screen))))
    expect(found).toEqual([])
    expect(wrong).toEqual([])
  })

test('the lead list, a lead and the dashboard load on a phone without layout shifts', async ({ elsewhere }) => {
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'staff', '/about')
  for (const address of ['/dashboard', '/crm/contact/list', '/crm/contact/view/1']) {
    await phone.goto(address)
    await waitUntilSettled(phone)
    expect([address, await findLayoutShift(phone)]).toEqual([address, undefined])
  }
})
