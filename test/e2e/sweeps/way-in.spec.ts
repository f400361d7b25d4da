import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'
import { signOut } from '../support/sign-in.ts'

async function ask(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill(words)
}

test('a document is found by its number and listed under its type', async ({ page }) => {
  await signIn(page, 'admin.brick', '/dashboard')
  await ask(page, 'RA-0001')
  await expect(page.getByRole('option', { selected: true })).toContainText('RA-0001 Re-roofing Unit 4')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/safety\/risk-assessment\/view\/\d+$/)
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('DocumentsRisk assessmentsRA-0001')
})

test('staff find quotes and customers in the palette, but an employee finds neither', async ({ page }) => {
  await signIn(page, 'staff', '/dashboard')
  await ask(page, 'Northgate')
  for (const kind of ['Leads', 'Customers', 'Quotes'])
    await expect(page.getByRole('group', { name: kind })).toBeVisible()
  await page.getByRole('group', { name: 'Quotes' }).getByRole('option').first().click()
  await expect(page).toHaveURL(/\/crm\/quote\/\d+$/)
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('SalesQuotesQ-')
  await signIn(page, 'worker.brick', '/dashboard')
  await ask(page, 'Northgate')
  await expect(page.getByText('Nothing matches “Northgate”')).toBeVisible()
})

test('palette results do not move when a slower response arrives', async ({ page }) => {
  await signIn(page, 'staff', '/dashboard')
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/api/financial/quotes?q=*', async (route) => {
    await held
    await route.continue()
  })
  await ask(page, 'Northgate')
  const options = page.getByRole('option')
  await expect(page.getByRole('group', { name: 'Customers' })).toBeVisible()
  const before = await options.allInnerTexts()
  await page.keyboard.press('ArrowDown')
  answer()
  await expect(page.getByRole('group', { name: 'Quotes' })).toBeVisible()
  expect((await options.allInnerTexts()).slice(0, before.length)).toEqual(before)
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
})

test("the palette finds the open list's actions by name, and exports the list's results with eight keystrokes", async ({
  page,
}) => {
  await signIn(page, 'manager', '/crm/contact/list?category=NEW')
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await ask(page, 'export')
  await expect(page.getByRole('option', { selected: true })).toContainText('Export leads as CSV')
  const file = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)
  // Recently used results are listed first.
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await ask(page, 'owner')
  await expect(page.getByRole('option', { selected: true })).toContainText('Owner: 1 selected')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Owner' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await ask(page, 'export leads')
  await expect(page.getByRole('option', { name: /Export leads/ })).toHaveCount(0)
})

test('recently opened records are listed first for the same user, until sign-out', async ({ page }) => {
  const opened = () => page.getByRole('group', { name: 'Recently opened' }).getByRole('option')
  await signIn(page, 'admin.brick', '/dashboard')
  await ask(page, '')
  await expect(opened()).toHaveCount(0)
  await page.getByRole('combobox').fill('RA-0001')
  await expect(page.getByRole('option', { selected: true })).toContainText('RA-0001 Re-roofing')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('Re-roofing')
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('stanchion-recent')).length)
  await expect.poll(kept).toBe(1)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hello')
  await ask(page, '')
  await expect(opened()).toHaveCount(1)
  await expect(page.getByRole('option', { selected: true })).toContainText('Re-roofing')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(heading).toContainText('Re-roofing')
  // The palette shows no recently opened entries of another user of the browser, and signing out clears the user's own.
  await page.goto('about:blank')
  await signIn(page, 'worker.brick', '/dashboard')
  await ask(page, '')
  await expect(opened()).toHaveCount(0)
  await page.keyboard.press('Escape')
  await signOut(page)
  expect(await kept()).toBe(0)
})
