import { expect } from '@playwright/test'
import { signIn, test } from '../support/journey.ts'
import { LEAD_LIST_PAGE_PATH, pageHeading, pressShortcut, readCategoryCount } from '../support/lead-screen.ts'

test.use({ serviceWorkers: 'allow' })

test('a new lead can be found by name, and if it is the only result, saving an outcome returns to the list', async ({
  page,
}) => {
  const company = `Quillfeather ${Date.now()} Ltd`
  await signIn(page, 'staff', '/cms/contact/create')
  await page.getByRole('button', { name: 'Save and open' }).click()
  await expect(page.getByLabel('Company name')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Company name').fill(company)
  await page.getByLabel('Phone').fill('01632 960 123')
  await page.reload()
  await expect(page.getByLabel('Company name')).toHaveValue(company)
  await page.getByRole('button', { name: 'Save and open' }).click()
  await expect(pageHeading(page)).toHaveText(company)
  await page.goto(LEAD_LIST_PAGE_PATH)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(company.toLowerCase().replace(' ltd', ''))
  await expect.poll(() => readCategoryCount(page, 'Results')).toBe(1)
  await expect(page.locator('[data-row-link]')).toHaveCount(1)
  await page.getByRole('searchbox').blur()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(pageHeading(page)).toHaveText(company)
  await pressShortcut(page, '1')
  await expect(page.getByText('That was the last lead.')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(LEAD_LIST_PAGE_PATH)
  await page.keyboard.press('Control+z')
  await expect(pageHeading(page)).toHaveText(company)
})
