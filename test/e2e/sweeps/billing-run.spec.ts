import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'

test('the billing run lists the pending work, and an older quote is invoiced', async ({ page }) => {
  await signIn(page, 'manager', '/crm/billing-run')
  await waitUntilSettled(page)
  await expectAccessible(page)
  const waiting = page.getByRole('region', { name: 'Quotes accepted but not billed' })
  const bill = waiting.getByRole('button', { name: /^Bill Q-/ })
  await expect(bill).not.toHaveCount(0)
  const name = (await bill.first().getAttribute('aria-label')) ?? ''
  await bill.first().click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name }).click()
  await expect(waiting.getByRole('button', { name })).toHaveCount(0)
})
