import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'

test('an over-seven-day injury is decided, copied to form F2508 and reported by keyboard, and the reading of health details is listed', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/safety/accident-book?show=clock')
  const row = page.getByRole('row').filter({ hasText: 'Two people lifted a lintel' })
  await expect(row).toContainText('days left to report')
  await row.getByRole('link', { name: /^INC-/ }).press('Enter')
  const number = (await page.getByRole('heading', { level: 1, name: /^INC-/ }).textContent()) ?? ''
  const riddor = page.getByRole('region', { name: 'RIDDOR' })
  await expect(riddor).toContainText('Proposal: Reportable')
  await expect(riddor).toContainText('Incapacity for more than seven days, Nadia Rahman')
  await expectAccessible(page)

  const decision = riddor.getByRole('combobox', { name: /^Decision/ })
  await decision.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Reportable', exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(decision).toHaveValue('Reportable')
  await riddor.getByRole('button', { name: 'Save the decision' }).press('Enter')
  await expect(page.getByText('Waiting for RIDDOR').first()).toBeVisible()

  await riddor.getByRole('button', { name: 'Show the copy sheet' }).press('Enter')
  await expect(riddor.getByRole('button', { name: /^Copy: / }).first()).toBeVisible()
  await expect(riddor).toContainText('Nadia Rahman')
  await expectAccessible(page)

  await riddor.getByLabel(/^Reference/).fill('B8D4-2210')
  await riddor.getByLabel(/^Sent on/).fill(new Date().toLocaleDateString('en-GB'))
  await riddor.getByRole('button', { name: 'Save the report' }).press('Enter')
  await expect(riddor).toContainText('B8D4-2210')
  await expect(riddor.getByText('left to report')).toHaveCount(0)
  await expectAccessible(page)

  await page.goto('/config/confidential-reads')
  const read = page.getByRole('row').filter({ hasText: number })
  await expect(read.first()).toContainText('Priya Shah')
  await expectAccessible(page)
})
