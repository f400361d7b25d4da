import { expect, type Page } from '@playwright/test'
import { makeSheetPdf } from '../../support/sheet-pdfs.ts'
import { UK_SHEET } from '../../support/sheet-texts.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { expectDraftSaved } from '../support/assessment.ts'
import { signIn, test } from '../support/journey.ts'
import { sealDraft } from '../support/signing.ts'

/** An assessment that lacks its substance, and the contents of that substance's data sheet. */
const UNFINISHED = {
  name: 'Cleaning brushes from a dropped sheet',
  process: 'Brushes are rinsed in a tin.',
  location: 'Paint store',
  frequency: 'Daily',
  duration: 'Under 15 minutes',
  groupsAffected: ['Employees'],
  expectant: 'no',
  young: 'no',
  measures: [{ tier: 'ventilation', text: 'The bench with a fan' }],
  lev: 'no',
  monitoring: 'no',
  monitoringReason: 'A few millilitres at a time, beside the fan',
  surveillance: 'no',
  adequate: 'yes',
  adequateReason: 'Small amounts, and the fan takes the vapour away',
  fire: 'Foam or carbon dioxide',
  spillage: 'Absorb with granules',
}

test('substances are added to assessments from the library and from a dropped safety data sheet, one assessment is completed, and the register lists their uses', async ({
  page,
}) => {
  test.slow()
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
  await completeFromDataSheet(page)
})

/**
 * Creates a substance from a dropped data sheet, value by value, on a phone too, and completes the assessment with it.
 */
async function completeFromDataSheet(page: Page): Promise<void> {
  const send = await createApiSender(page, 'admin.brick')
  const { id } = (await send('post', '/api/safety/coshh_assessments', UNFINISHED)) as { id: number }
  const draft = `/sfp/coshh-assessment/update/${id}`
  await page.goto(`${draft}?step=substances`)
  await page.getByRole('button', { name: 'Add a substance' }).click()
  await page
    .getByRole('dialog', { name: 'Add a substance' })
    .getByRole('button', { name: /New substance/ })
    .click()
  const form = page.getByRole('dialog', { name: 'New substance' })
  const values = form.getByRole('region', { name: 'Values in the safety data sheet' })
  const use = (value: string | RegExp) => values.getByRole('button', { name: value })
  const chooseFile = async (name: string, file: Buffer) => {
    const chooser = page.waitForEvent('filechooser')
    await form.getByRole('button', { name: 'Choose files' }).click()
    await (await chooser).setFiles({ name, mimeType: 'application/pdf', buffer: file })
  }
  await test.step('a file that is not a data sheet is refused with an explanation', async () => {
    await chooseFile('invoice.pdf', await makeSheetPdf('Invoice 12\nThis invoice has no sections of a data sheet.'))
    await expect(form.getByText(/does not have the sections of a safety data sheet/)).toBeVisible()
  })
  await test.step('nothing is filled in until a value is used, and a used value can be undone', async () => {
    await chooseFile('cleaner.pdf', await makeSheetPdf(UK_SHEET))
    await expect(values.getByText('Product name: Kelham Brush Cleaner')).toBeVisible()
    const name = form.getByLabel('Name (Required)')
    await expect(name).toHaveValue('')
    await name.fill('Brush cleaner')
    await expect(values.getByText('Replaces: Brush cleaner')).toBeVisible()
    await use('Use Name: Kelham Brush Cleaner').press('Enter')
    await expect(name).toHaveValue('Kelham Brush Cleaner')
    await expect(use('Undo Name: Kelham Brush Cleaner')).toBeFocused()
    await expect(values.getByText('Entered from page 1 of the data sheet')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(name).toHaveValue('Brush cleaner')
    await use('Use Name: Kelham Brush Cleaner').press('Enter')
  })
  await test.step('the values fit a phone, with buttons that are large enough to touch', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const box = await use(/^Use Supplier/).boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await expectAccessible(page)
  })
  for (const value of [
    /^Use Supplier: Kelham Coatings Ltd/,
    'Use Data sheet date: 14/03/2025',
    /^Use Hazard statement: H225/,
    /^Use Hazard statement: H319/,
    /^Use Hazard statement: H336/,
    /^Use Precautionary statement: P210/,
    'Use Physical form: Liquid',
    'Use Boiling point: 56.1 °C',
    /^Use Exposure limit: Acetone/,
    'Use CAS number: 67-64-1 Acetone',
    /^Use PPE: hands/,
  ])
    await use(value).click()
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(form.getByRole('textbox', { name: 'Supplier' })).toHaveValue('Kelham Coatings Ltd')
  await expect(form.getByText('67-64-1 Acetone', { exact: true })).not.toHaveCount(0)
  await expect(form.getByRole('textbox', { name: 'PPE: hands' })).toHaveValue(/^Butyl gloves/)
  await form.getByRole('button', { name: 'Create substance' }).click()
  await page.getByRole('dialog', { name: 'Add a substance' }).getByRole('button', { name: 'Close' }).last().click()
  const row = page.getByRole('region', { name: 'Kelham Brush Cleaner' })
  await row.getByRole('button', { name: 'Find values in the data sheet' }).click()
  for (const value of [
    /^Use PPE: eyes and face/,
    /^Use Storage/,
    /^Use Disposal/,
    /^Use First aid: inhalation/,
    /^Use First aid: eye contact/,
  ])
    await row.getByRole('button', { name: value }).click()
  await expectAccessible(page)
  await row.getByLabel('Amount used each time').fill('1')
  await row.getByLabel('Unit').click()
  await page.getByRole('option', { name: 'l', exact: true }).click()
  await row.getByLabel('Volatility').click()
  await page.getByRole('option', { name: /^Medium/ }).click()
  await row.getByRole('button', { name: /^Confirm approach/ }).click()
  await expectDraftSaved(page)
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await sealDraft(page)
  await expect(page.getByRole('article')).toContainText('Inhalation: Remove the person to fresh air')
  await expect(page.getByRole('article')).toContainText('Dispose of contents to a licensed waste contractor.')
}
