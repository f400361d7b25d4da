import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'
import { measureOverflow } from '../support/screens.ts'

const FILE = `Forename,Surname,Start date,Line manager,Shoe size
Petra,Inkwell,1/2/26,Quentin Inkwell,41
Quentin,Inkwell,1 Feb 2026,,43
Rosa,Inkwell,30/2/2026,,39`

test('an administrator imports employees after a trial run, with the keyboard, and undoes the import', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/employee/import')
  const file = { name: 'starters.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) }
  await page.locator('input[type=file][accept]').setInputFiles(file)
  await expect(page.getByLabel('Field for Line manager')).toHaveValue('manager')
  await expect(page.getByLabel('Field for Shoe size')).toHaveValue('')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Trial run' }).press('Enter')
  await expect(page.getByText('This was a trial run: nothing has been changed')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rows to review' })).toContainText('there is no 30 February 2026')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
    expect(await measureOverflow(page)).toBe(0)
  }
  await page.getByRole('button', { name: 'Add 2 employees' }).press('Enter')
  await expect(page.getByRole('link', { name: 'View employees' })).toBeVisible()
  await expectAccessible(page)
  expect(await measureOverflow(page)).toBe(0)
  await page.getByRole('button', { name: 'Undo this import' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).press('Enter')
  await expect(page.getByText('This import has been undone')).toBeVisible()
})
