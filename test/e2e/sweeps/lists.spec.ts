import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
const heads = async (page: Page) =>
  (await page.locator('thead th[scope=col]').allTextContents()).map((s) => s.trim()).filter((s) => s !== 'Actions')

test('the result of a bulk change is reported in one sentence', async ({ page }) => {
  await signIn(page, 'admin.brick', '/safety/risk-assessment')
  await rows(page).filter({ hasText: 'RA-0004' }).getByRole('checkbox').click()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 deleted.')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'RA-0004' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(rows(page).filter({ hasText: 'RA-0004' })).toHaveCount(1)
})

test('columns are selected and moved by keyboard, saved for the user, and used in exports', async ({ page }) => {
  await signIn(page, 'staff', '/cms/clients?order=-company')
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Columns for Clients' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await expectAccessible(page)
  for (const name of ['Health', 'Packs', 'Users', 'Last sign-in', 'Open tickets'])
    await dialog.getByRole('checkbox', { name }).uncheck()
  await dialog.getByRole('checkbox', { name: 'City' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(dialog.getByRole('checkbox', { name: 'City' })).toBeFocused()
  await expect(dialog.getByRole('checkbox', { name: /^Company$/ })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Show these columns' }).click()
  const wanted = ['Company', 'City', 'Contact name', 'Contact telephone']
  await expect.poll(() => heads(page)).toEqual(wanted)
  await page.reload()
  await expect.poll(() => heads(page)).toEqual(wanted)

  const [first] = await rows(page).first().getByRole('rowheader').allTextContents()
  const begun = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export Clients' }).click()
  await page.getByRole('menuitem', { name: 'As CSV' }).click()
  const file = await begun
  expect(file.suggestedFilename()).toMatch(/^Clients \d{4}-\d\d-\d\d \d{4}\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).replace('\ufeff', '').split(/\r?\n/)
  expect(lines[0]).toBe(wanted.join(','))
  expect(lines[1]).toContain(`${first},`)
  expect(lines.filter(Boolean)).toHaveLength(1 + (await rows(page).count()))
})

test('a bulk change to more than a hundred rows shows its progress until it ends', async ({ page }) => {
  test.slow()
  await signIn(page, 'staff', '/crm/contact/list?category=CB')
  await rows(page).first().getByRole('checkbox').click()
  const all = bar(page).getByRole('button', { name: /^Select all [1-9]\d\d/ })
  const many = ((await all.textContent()) ?? '').replace(/\D/g, '')
  await all.click()
  await expect(bar(page)).toContainText(`All ${many} selected`)
  await bar(page).getByRole('button', { name: 'Business type' }).click()
  const dialog = page.getByRole('dialog', { name: `Business type: ${many} rows` })
  await dialog.getByLabel('Business type').click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: `Change ${many} rows` }).click()
  await expect(dialog).toHaveCount(0)
  await expect(bar(page).getByRole('button', { name: 'Stop' })).toBeVisible()
  // The page shows the result even after a long job, and then hides it after a while.
  await page.getByText(/^Business type changed to .+ for \d+/).waitFor({ timeout: 0 })
  await expect(bar(page)).toHaveCount(0)
})

test('rows are shown with cached list settings before the settings are reloaded, and signing out clears the cache', async ({
  page,
}) => {
  await signIn(page, 'staff', '/cms/clients')
  await expect(rows(page).first()).toBeVisible()
  // The portal never responds to these requests, so a page that waited for them would stay empty.
  await page.route(/\/api\/portal\/(list_settings|saved_views)/, () => {})
  await page.reload()
  await expect(rows(page).first()).toBeVisible()
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('stanchion-kept:')))
  expect(await kept()).toHaveLength(2)
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
  expect(await kept()).toEqual([])
})
