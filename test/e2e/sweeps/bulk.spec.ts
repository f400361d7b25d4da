import { expect } from '@playwright/test'
import { signIn, test } from '../support/journey.ts'

test('bulk assignment requires confirmation, as Enter only selects the new owner, and an empty field unassigns no leads', async ({
  page,
}) => {
  await signIn(page, 'manager', '/crm/contact/list?category=NEW&rows=50')
  await expect(page.locator('[data-row-link]').nth(49)).toBeVisible()
  const owned = (name: string) => page.locator('tbody tr').getByText(name, { exact: true }).count()
  const before = await owned('Unassigned')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Owner', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Owner: 50 rows' })
  const field = dialog.getByRole('combobox', { name: 'Owner' })

  // The user presses Enter before the search has returned results.
  await field.fill('Alan')
  await field.press('Enter')
  await expect(field).toHaveValue('Alan Barker')
  await expect(dialog).toBeVisible()
  expect(await owned('Unassigned')).toBe(before)
  await field.press('Enter')
  await expect(page.getByText(/^Owner changed to Alan Barker for \d+/)).toBeVisible()
  await expect.poll(() => owned('Alan Barker')).toBe(50)
  // The focus returns to the rows, where a shortcut key undoes the change. The page indicates that a request is slow.
  await expect(page.locator('[data-row-link]').first()).toBeFocused()
  const saved = Promise.withResolvers<void>()
  await page.route('**/bulk', async (route) => {
    await saved.promise
    await route.continue()
  })
  await page.keyboard.press('Control+z')
  await expect(page.getByText(/^Undoing: Owner changed to Alan Barker/)).toBeVisible()
  saved.resolve()
  await expect(page.getByText(/^Undone: Owner changed to Alan Barker/)).toBeVisible()
  await expect(page.getByText(/^Undoing/)).toHaveCount(0)
  await expect.poll(() => owned('Unassigned')).toBe(before)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Owner', exact: true }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Change 50 rows' }).click()
  await expect(dialog.getByText('Please choose a value, or “Nobody”')).toBeVisible()
  expect(await owned('Unassigned')).toBe(before)
  await field.fill('nobo')
  await field.press('Enter')
  await expect(field).toHaveValue('Nobody')
  await dialog.getByRole('button', { name: 'Change 50 rows' }).click()
  await expect(page.getByText(/^Owner changed to nobody for \d+/)).toBeVisible()
  await expect.poll(() => owned('Unassigned')).toBe(50)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Control+z')
  await expect.poll(() => owned('Unassigned')).toBe(before)
})
