import { expect } from '@playwright/test'
import { expectAccessibleWithoutOverflow, IMPORT_PATH, makeImportFile, makeUniqueMark } from '../support/import-file.ts'
import { signIn, test } from '../support/journey.ts'

test('a file whose upload failed can be retried, and an unreadable file is rejected with the reason', async ({
  page,
}) => {
  const mark = makeUniqueMark()
  await signIn(page, 'manager', IMPORT_PATH)
  await page.route('**/api/crm/imports', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
  )
  const input = page.locator('input[type=file][accept]')
  await input.setInputFiles(makeImportFile(mark))
  await expect(page.getByRole('alert')).toContainText(`${mark}.csv was rejected`)
  await page.unroute('**/api/crm/imports')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('table', { name: 'Columns in the file' })).toBeVisible()

  for (const column of ['Firma', 'Telephone', 'E-mail'])
    await page.getByLabel(`Field for ${column}`).selectOption('Not imported')
  await page.getByRole('button', { name: 'Import 4 rows' }).click()
  await expect(page.getByRole('alert')).toContainText('Please choose the column with the company')
  await page.getByRole('button', { name: 'Discard this file' }).click()

  await input.setInputFiles({ name: 'book.xlsx.csv', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004rest') })
  await expect(page.getByRole('alert')).toContainText('save it as CSV')
  await expectAccessibleWithoutOverflow(page)
})
