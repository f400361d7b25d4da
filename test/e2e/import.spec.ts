import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { signIn, test } from './support/journey.ts'

const PATH = '/crm/contact/import'

/** No violations, and nothing that scrolls sideways on a phone. */
async function fits(page: Page) {
  await expectAccessible(page)
  const desk = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  if (desk) await page.setViewportSize(desk)
}

/** Companies of this run only: the same portal may have seen the last one. */
const list = (mark: string) => ({
  name: `${mark}.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      '\ufeffFirma;Telephone;E-mail',
      `${mark} Roofing;01632 1${mark.slice(-5)};`,
      `${mark} Scaffolding;;office@${mark}.example`,
      `${mark} Roofing again;+44 1632 1${mark.slice(-5)};`,
      `${mark} Glass;;not an address`,
      '',
    ].join('\r\n'),
  ),
})
const markOf = () => `x${String(Date.now()).slice(-9)}`

test('a list is brought in by keyboard: tried, imported, looked at and undone', async ({ page }) => {
  const mark = markOf()
  await signIn(page, 'manager', PATH)
  await fits(page)
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).focus()
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(list(mark))

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Import ${mark}.csv`)
  await expect(page.getByLabel('Telephone becomes')).toHaveValue('phone')
  await expect(page.getByLabel('E-mail becomes')).toHaveValue('email')
  await page.getByLabel('Firma becomes').selectOption('Company name')
  await page.getByRole('combobox', { name: 'Owners' }).fill('Nasreen')
  await expect(page.getByRole('option', { name: /Nasreen/ }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await fits(page)

  await page.getByRole('button', { name: 'Try it first' }).press('Enter')
  const trial = page.getByRole('status').filter({ hasText: 'This was a trial' })
  await expect(trial).toContainText('would be added2')
  await expect(trial).toContainText('1 × Same telephone number as an earlier row of this file')
  await fits(page)
  await page.getByRole('button', { name: 'Import 4 rows' }).press('Enter')

  const rows = page.getByRole('region', { name: 'Rows that were not simply added' })
  await expect(rows).toContainText(`${mark} Glass`)
  await expect(rows).toContainText('E-mail: Please enter an e-mail address')
  await expect(rows.getByRole('link', { name: `${mark} Roofing` })).toBeVisible()
  await fits(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the report' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${mark} report.csv`)
  await rows.getByRole('link', { name: `${mark} Roofing` }).press('Enter')
  await expect(page.getByText('Nasreen Iqbal').first()).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: 'Undo this import' }).press('Enter')
  await page.getByRole('button', { name: 'Undo the import' }).press('Enter')
  await expect(page.getByText('This import has been undone')).toBeVisible()
  await page.getByRole('button', { name: 'All imports' }).press('Enter')
  await expect(page.getByRole('row', { name: new RegExp(`${mark}.csv.*Undone`) })).toBeVisible()
  await fits(page)
})

test('a file that could not be sent is still there; one that is no list says why', async ({ page }) => {
  const mark = markOf()
  await signIn(page, 'manager', PATH)
  await page.route('**/api/crm/imports', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
  )
  const input = page.locator('input[type=file][accept]')
  await input.setInputFiles(list(mark))
  await expect(page.getByRole('alert')).toContainText(`${mark}.csv was not taken`)
  await page.unroute('**/api/crm/imports')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('table', { name: 'Columns of the file' })).toBeVisible()

  for (const column of ['Firma', 'Telephone', 'E-mail'])
    await page.getByLabel(`${column} becomes`).selectOption('Not imported')
  await page.getByRole('button', { name: 'Import 4 rows' }).click()
  await expect(page.getByRole('alert')).toContainText('Please say which column holds the company')
  await page.getByRole('button', { name: 'Discard this file' }).click()

  await input.setInputFiles({ name: 'book.xlsx.csv', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004rest') })
  await expect(page.getByRole('alert')).toContainText('save it as CSV')
  await fits(page)
})
