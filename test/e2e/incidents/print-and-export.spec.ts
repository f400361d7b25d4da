import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'
import { measureOverflow } from '../support/screens.ts'

const PHONE_SIZE = { width: 390, height: 844 }

test('a reader of health details exports the accident book with a reason, prints an incident and confirms our wording', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/safety/accident-book')
  await page.getByRole('button', { name: 'Export with health details' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Export with health details' })
  await expect(dialog).toContainText('This export contains health details and is logged.')
  await dialog.getByRole('button', { name: 'Export' }).press('Enter')
  await expect(dialog.getByText('Please give a reason').first()).toBeVisible()
  await dialog.getByLabel(/^Reason/).fill('Request of the insurer')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^Accident book with health details .*\.csv$/)

  await page.getByRole('link', { name: 'Add entry' }).first().press('Enter')
  await page.getByLabel(/^What happened/).fill('Slipped on a wet floor beside the mixer')
  await page.getByLabel(/^Date and time/).fill('01/03/2026 09:30')
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('button', { name: 'Next: Where' }).press('Enter')
  await page.getByLabel('Where exactly').fill('Bay 3')
  await page.getByRole('button', { name: 'Report', exact: true }).press('Enter')
  const pdf = page.getByRole('region', { name: 'PDF' })
  await expect(pdf.getByRole('button', { name: 'Accident record' })).toBeVisible()
  await expect(pdf.getByRole('button', { name: 'Anonymous summary' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/safety/Settings')
  await page.getByRole('link', { name: 'Composed reference' }).press('Enter')
  const factors = page.getByRole('region', { name: 'Main factors' })
  await expect(factors.getByText('0 of 25 confirmed')).toBeVisible()
  await expectAccessible(page)
  await factors.getByRole('button', { name: /^Confirm Slip, stumble/ }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).press('Enter')
  await expect(factors.getByText('1 of 25 confirmed')).toBeVisible()
  await factors.getByRole('button', { name: /^Withdraw the confirmation of Slip, stumble/ }).press('Enter')
  const withdrawal = page.getByRole('dialog', { name: 'Withdraw the confirmation' })
  await withdrawal.getByLabel(/^Reason/).fill('HSE uses another word')
  await withdrawal.getByRole('button', { name: 'Withdraw' }).press('Enter')
  await expect(factors.getByText('0 of 25 confirmed')).toBeVisible()
  await page.setViewportSize(PHONE_SIZE)
  await waitUntilSettled(page)
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
})
