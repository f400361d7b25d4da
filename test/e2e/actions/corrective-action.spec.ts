import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

test('a corrective action is raised, completed by its owner on a phone, and verified', async ({ page, elsewhere }) => {
  await signIn(page, 'admin.brick', '/dashboard')
  await expect(page.getByRole('region', { name: /^Overdue actions/ })).toContainText('Fit a toe board')
  await page.goto('/safety/actions')
  await expect(page.getByRole('row').filter({ hasText: 'CA-0001' })).toContainText('Overdue since')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New action' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Action/).fill('Repair the gate of the yard')
  await dialog.getByLabel(/^Person with an account/).fill('Callum')
  await page.getByRole('option', { name: 'Callum Fraser' }).click()
  await expect(dialog.getByLabel(/^Manager responsible/)).toHaveValue('Callum Fraser')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: 'Repair the gate of the yard' })
  await expect(row).toContainText('Not started')

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/safety/actions?show=mine')
  await phone.getByRole('listitem').filter({ hasText: 'Repair the gate' }).locator('[data-row-link]').click()
  const own = phone.getByRole('dialog')
  await own.getByRole('button', { name: 'Complete' }).click()
  await own.getByLabel(/^What was done/).fill('Hinge replaced')
  await expectAccessible(phone)
  await own.getByRole('button', { name: 'Complete' }).click()
  await expect(own.getByText('Rectified').first()).toBeVisible()

  await page.goto('/safety/actions?show=verify')
  await row.locator('[data-row-link]').click()
  await expect(dialog.getByText('Hinge replaced').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Verify' }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Verified' })).toBeVisible()
  await expectAccessible(page)
})
