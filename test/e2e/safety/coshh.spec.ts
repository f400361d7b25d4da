import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'

test('a substance is added to an assessment, its control approach is confirmed, and the substance register lists its uses', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/sfp/coshh-assessment/create')
  await page.getByLabel('What is the task? (Required)').fill('Degreasing chains')
  await page.getByText('Blank', { exact: true }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/coshh-assessment\/update\/\d+/)
  await page.goto(`${page.url().split('?')[0]}?step=substances`)
  await page.getByRole('button', { name: 'Add a substance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a substance' })
  await dialog.getByRole('searchbox').or(dialog.getByRole('textbox')).first().fill('adhesive')
  await dialog.getByRole('button', { name: 'Add Trade contact adhesive' }).click()
  await expect(dialog.getByRole('button', { name: 'Add Trade contact adhesive' })).toHaveText('Added')
  // Codes can be pasted with their words, and Enter adds codes without creating the substance.
  await dialog.getByRole('button', { name: /New substance/ }).click()
  const form = page.getByRole('dialog', { name: 'New substance' })
  const codes = form
    .getByRole('textbox', { name: 'Hazard statements' })
    .or(form.getByLabel('Hazard statements'))
    .first()
  await codes.fill('H302+312 H225: Highly flammable liquid and vapour. banana')
  await codes.press('Enter')
  for (const code of ['H302+H312', 'H225']) await expect(form.getByText(code, { exact: true }).first()).toBeVisible()
  await expect(form.getByText(/“banana” is not a valid statement code/)).toBeVisible()
  await expect(codes).toHaveValue('banana')
  await codes.fill('')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Cancel' }).click()
  const unsaved = page.getByRole('button', { name: /Discard|Leave/ })
  if (await unsaved.isVisible()) await unsaved.click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const row = page.getByRole('region', { name: 'Trade contact adhesive' })
  const unit = page.getByRole('option', { name: 'l', exact: true })
  // Without an amount, the control approach is unknown.
  await expect(row.getByText('Control approach not known')).toBeVisible()
  // Saving in the background does not close an open dialog.
  const { promise: opened, resolve: letSave } = Promise.withResolvers<void>()
  await page.route('**/api/safety/coshh_assessments/*', async (route) => {
    if (route.request().method() === 'PUT') await opened
    await route.continue()
  })
  await row.getByLabel('Amount used each time').fill('2')
  const saved = page.waitForResponse((r) => r.request().method() === 'PUT' && r.url().includes('/coshh_assessments/'))
  await row.getByLabel('Unit').click()
  await expect(unit).toBeVisible()
  letSave()
  await saved
  await unit.click()
  await page.unrouteAll({ behavior: 'wait' })
  await row.getByLabel('Volatility').click()
  await page.getByRole('option', { name: /^Medium/ }).click()
  await row.getByRole('button', { name: /^Confirm approach 1/ }).click()
  await expect(row.getByText('Confirmed', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Saved \d\d:\d\d/)).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${page.url().split('?')[0]}?step=ppe`)
  const proposed = page.getByRole('region', { name: 'Proposed for these substances' })
  await proposed.getByRole('button', { name: /^Add Chemical-resistant gloves: Butyl/ }).click()
  await expect(proposed.getByText('Added')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: /Chemical-resistant gloves/ })).toBeChecked()
  await expectAccessible(page)
  await page.goto('/safety/substances?q=contact+adhesive&whose=own')
  await page
    .getByRole('link', { name: 'Trade contact adhesive' })
    .or(page.getByText('Trade contact adhesive'))
    .first()
    .click()
  await expect(page.getByRole('dialog').getByText('Degreasing chains')).toBeVisible()
})
