import { expect, type Page } from '@playwright/test'
import { beginAssessment } from '../support/assessment.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findLayoutShift } from '../support/moved.ts'

// Toasts cover no controls and name the record that they refer to. Keyboard hints are shown only on devices with a
// keyboard.

const toast = (page: Page) => page.getByRole('alert').filter({ hasText: /^Data saved: RA-\d+/ })

/** Returns the controls that a toast still covers after they are scrolled into view. */
const covered = (page: Page, within: string) =>
  page.locator(`${within} :is(a, button, input):visible`).evaluateAll((all) =>
    all.flatMap((at) => {
      at.scrollIntoView({ block: 'nearest' })
      const { x, y, width, height } = at.getBoundingClientRect()
      const there = document.elementFromPoint(x + width / 2, y + height / 2)
      const over = there?.closest('[role="alert"]')
      return over && !over.contains(at) ? [at.outerHTML.slice(0, 120)] : []
    }),
  )

test('a desktop toast is shown in the sidebar without covering a control, even on a short screen', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 640 })
  await beginAssessment(page, `Toast ${Date.now() % 10_000}`)
  await page.keyboard.press('Control+s')
  await expect(toast(page)).toBeVisible()
  expect(await covered(page, 'body')).toEqual([])
})

test('a phone toast is shown above the navigation bar, and the page content ends above the toast', async ({
  page,
  elsewhere,
}) => {
  const draft = await beginAssessment(page, `Toast ${Date.now() % 10_000}`)
  const phone = await elsewhere({ ...PHONE_OPTIONS, viewport: { width: 320, height: 568 } })
  await signIn(phone, 'admin.brick', `${draft}?step=details`)
  await waitUntilSettled(phone)
  await phone.keyboard.press('Control+s')
  await expect(toast(phone)).toBeVisible()
  expect(await covered(phone, 'nav[aria-label="Areas"]')).toEqual([])
  const last = phone.locator('main').getByRole('button', { name: /^Next: / })
  await phone.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const [end, begins] = [await last.boundingBox(), await toast(phone).boundingBox()]
  expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(begins?.y ?? 0)
})

test('keyboard hints are not shown on touch-only devices', async ({ page, elsewhere }) => {
  const draft = await beginAssessment(page, `Keys ${Date.now() % 10_000}`)
  await expect(page.getByText('Ctrl+Enter to add a hazard')).toBeVisible()
  const tablet = await elsewhere({ viewport: { width: 1180, height: 820 }, hasTouch: true, isMobile: true })
  await signIn(tablet, 'admin.brick', `${draft}?step=hazards`)
  await waitUntilSettled(tablet)
  await expect(tablet.getByRole('button', { name: /^New hazard/ })).toBeVisible()
  await expect(tablet.getByText('Ctrl+Enter to add a hazard')).toBeHidden()
  for (const cap of await tablet.locator('kbd').all()) await expect(cap).toBeHidden()
})

test('elements above the navigation bar of a phone are in their final position before any toast can appear', async ({
  elsewhere,
}) => {
  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.route(/notices-[^/]*\.css/, async (route) => {
    await new Promise((done) => setTimeout(done, 1500))
    await route.continue()
  })
  const late = phone.waitForEvent('requestfinished', (r) => /notices-[^/]*\.css/.test(r.url()))
  await signIn(phone, 'staff', '/crm/contact/view/1')
  await expect(phone.getByRole('button', { name: 'How did the call end?' })).toBeVisible()
  await late
  await waitUntilSettled(phone)
  expect(await findLayoutShift(phone)).toBeUndefined()
})

test('a section of a page that fails to load shows an error, loses no input, and loads on retry', async ({ page }) => {
  await signIn(page, 'staff', '/crm/contact/list?category=NEW&owner=mine')
  await page.locator('[data-row-link]').first().click()
  const note = page.getByLabel('Note', { exact: true })
  await note.fill('Wants a price for ten')
  await page.route('**/assets/shortcut-list-*.js', (route) => route.abort())
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await expect(page.getByText(/^This part of the page could not be loaded/)).toBeVisible()
  await expect(note).toHaveValue('Wants a price for ten')
  await page.unrouteAll()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: /shortcuts/i })).toBeVisible()
})
