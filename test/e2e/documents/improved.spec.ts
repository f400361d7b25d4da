import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { ASSESSMENT_AUTHOR_USERNAME } from '../support/assessment.ts'
import { signIn, test } from '../support/journey.ts'

test('selected changes from an improved template appear in the next draft, and the other changes are not offered again', async ({
  page,
}) => {
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/dashboard')
  const improved = page.getByRole('region', { name: /^Template updates/ })
  await improved.getByRole('link', { name: /^Drainage trench/ }).click()
  await page.getByRole('button', { name: 'View changes' }).click()
  const dialog = page.getByRole('dialog')
  const changes = dialog.getByRole('listitem')
  await expect(changes).toHaveCount(2)
  await expect(changes.filter({ hasText: 'inspects the sides before each shift' })).toHaveCount(1)
  await expectAccessible(page)
  await changes.filter({ hasText: 'spoil hides the edge' }).getByRole('checkbox').uncheck()
  await dialog.getByRole('button', { name: 'Accept 1 of 2' }).click()
  await page.waitForURL(/risk-assessment\/update\/\d+/)
  // The draft opens at the step that contains the new text.
  await expect(page).toHaveURL(/step=hazards$/)
  await expect(page.getByText(/inspects the sides before each shift/).first()).toBeVisible()
  await expect(page.getByText(/spoil hides the edge/)).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /^To finish/ })).toBeVisible()
  await expect(improved.getByRole('link', { name: /^Drainage trench/ })).toHaveCount(0)
})
