import { expect, type Page } from '@playwright/test'

/** Adds quote lines by keyboard only. */
export async function addQuoteLines(page: Page, { total = true } = {}) {
  const search = page.getByLabel('Add a plan, product or custom line')
  await search.fill('fleet, mon')
  await expect(page.getByRole('option', { name: /Fleet, monthly/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('folder')
  await expect(page.getByRole('option', { name: /Printed safety folder/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('Setting up')
  await page.keyboard.press('Enter')
  const own = page.getByRole('group', { name: 'Setting up' })
  await own.getByLabel('Unit price').fill('120')
  // Sum of £39, £45 and £120, plus 20 % VAT.
  if (total) await expect(page.getByLabel('Totals')).toContainText('£244.80')
}
