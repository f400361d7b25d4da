import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { signIn, test } from './support/journey.ts'

// Menus, lists of choices and the palette are as accessible open as the page under them.

async function openAndLook(page: Page, opener: Locator, popup: Locator) {
  await opener.click()
  await expect(popup.first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(popup).toHaveCount(0)
}

const menu = (page: Page) => page.getByRole('menu')
const options = (page: Page) => page.getByRole('option')

test('menus and choices of the leads', async ({ page }) => {
  await signIn(page, 'manager', '/crm/contact/list')
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await openAndLook(page, page.getByRole('button', { name: /^Views?\b/ }), menu(page))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('roof')
  await expect(options(page).first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox').nth(1).check()
  await expectAccessible(page)
})

test('choices of a quote', async ({ page }) => {
  await signIn(page, 'staff', '/crm/quote')
  await openAndLook(page, page.getByRole('combobox', { name: 'Customer (Required)' }), options(page))
  await openAndLook(page, page.getByRole('combobox', { name: 'Owner' }), options(page))
  const search = page.getByLabel('Add a plan, an item or something of your own')
  await search.fill('folder')
  await expect(options(page).first()).toBeVisible()
  await expectAccessible(page)
})

test('menus and choices of an assessment', async ({ page }) => {
  await signIn(page, 'admin.brick', '/safety/risk-assessment')
  await openAndLook(page, page.getByRole('button', { name: 'New risk assessment' }), menu(page))
  await openAndLook(page, page.getByRole('button', { name: /^Actions for RA-/ }).first(), menu(page))
})
