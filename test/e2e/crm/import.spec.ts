import { expect } from '@playwright/test'
import { expectAccessibleWithoutOverflow, IMPORT_PATH, makeImportFile, makeUniqueMark } from '../support/import-file.ts'
import { signIn, test } from '../support/journey.ts'

test('a list of leads is previewed, imported, checked and undone by keyboard', async ({ page }) => {
  const mark = makeUniqueMark()
  await signIn(page, 'manager', IMPORT_PATH)
  await expectAccessibleWithoutOverflow(page)
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).focus()
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(makeImportFile(mark))

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Import ${mark}.csv`)
  await expect(page.getByLabel('Field for Telephone')).toHaveValue('phone')
  await expect(page.getByLabel('Field for E-mail')).toHaveValue('email')
  await page.getByLabel('Field for Firma').selectOption('Company name')
  await page.getByRole('combobox', { name: 'Owners' }).fill('Nasreen')
  await expect(page.getByRole('option', { name: /Nasreen/ }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expectAccessibleWithoutOverflow(page)

  await page.getByRole('button', { name: 'Trial run' }).press('Enter')
  const trial = page.getByRole('status').filter({ hasText: 'This was a trial run' })
  await expect(trial).toContainText('would be added2')
  await expect(trial).toContainText('1 × Same telephone number as an earlier row of this file')
  await expectAccessibleWithoutOverflow(page)
  await page.getByRole('button', { name: 'Import 4 rows' }).press('Enter')

  const rows = page.getByRole('region', { name: 'Rows to review' })
  await expect(rows).toContainText(`${mark} Glass`)
  await expect(rows).toContainText('E-mail: Please enter an e-mail address')
  await expect(rows.getByRole('link', { name: `${mark} Roofing` })).toBeVisible()
  await expectAccessibleWithoutOverflow(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the report' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${mark} report.csv`)
  await rows.getByRole('link', { name: `${mark} Roofing` }).press('Enter')
  await expect(page.getByText('Nasreen Iqbal').first()).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: 'Undo this import' }).press('Enter')
  await page.getByRole('button', { name: 'Undo import' }).press('Enter')
  await expect(page.getByText('This import has been undone')).toBeVisible()
  await page.getByRole('button', { name: 'All imports' }).press('Enter')
  await expect(page.getByRole('row', { name: new RegExp(`${mark}.csv.*Undone`) })).toBeVisible()
  await expectAccessibleWithoutOverflow(page)
})
