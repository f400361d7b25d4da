import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { waitForOfflineScripts } from '../support/keeper.ts'

test.use({ serviceWorkers: 'allow' })

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function ask(page: Page, question: string, answeredWith?: string) {
  await page.getByRole('button', { name: 'Add a question to Questions' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Question/).fill(question)
  if (answeredWith) {
    await dialog.getByLabel('Answer type').click()
    await page.getByRole('option', { name: answeredWith, exact: true }).click()
  }
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('a custom form is built, filled in offline on a phone, and exported', async ({ page, elsewhere }) => {
  test.slow()
  await signIn(page, 'admin.brick', '/safety/custom-form/update')
  await page.getByLabel(/^Name/).fill('Ladder check')
  await ask(page, 'Rungs and feet sound?')
  await ask(page, 'Photos', 'Photos and files')
  await ask(page, 'Signature', 'Signature')
  await expect(page.getByRole('complementary', { name: 'Phone preview' })).toContainText('Rungs and feet sound?')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL(/\/custom-form\/list\/\d+/)
  await expect(page.getByText('Version 1', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  // The form is due every week from today, and assigned to one person.
  const when = page.getByRole('region', { name: 'Schedule' })
  await when.getByRole('button', { name: 'Add a schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule for “Ladder check”' })
  await dialog.getByRole('combobox', { name: /^To be completed by/ }).fill('Callum')
  await page.getByRole('option', { name: 'Callum Fraser' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(when.getByRole('listitem')).toContainText(/Callum Fraser, every week.*Due today/)
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/dashboard')
  const forms = phone.getByRole('region', { name: /^Forms to complete/ })
  await expect(forms.getByRole('listitem').filter({ hasText: 'Ladder check' })).toContainText('Due today')
  await forms.getByRole('link', { name: /^Ladder check/ }).tap()
  const rungs = phone.getByRole('group', { name: /^Rungs and feet sound/ })
  await expect(rungs).toBeVisible()
  await expectAccessible(phone)
  await waitForOfflineScripts(phone)
  await phone.context().setOffline(true)
  await rungs.getByText('OK', { exact: true }).tap()
  await expect(rungs.getByRole('radio', { name: 'OK' })).toBeChecked()
  await phone
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'ladder.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await expect(phone.getByText('Waiting to be sent').first()).toBeVisible()
  await phone.getByRole('radiogroup', { name: 'Signing method' }).getByText('Type', { exact: true }).tap()
  await phone.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect(phone.getByText('stored on this device', { exact: false }).first()).toBeVisible()
  await expectAccessible(phone)
  await phone.context().setOffline(false)
  await expect(phone.getByText('has been numbered and sealed', { exact: false })).toBeVisible()

  await page.reload()
  await expect(when.getByRole('listitem')).not.toContainText('Due today')
  await expect(when.getByRole('listitem')).toContainText('Last completed')
  const row = page.getByRole('link', { name: /^FA-\d{4}$/ })
  await expect(row).toHaveCount(1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Answers as CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain('Rungs and feet sound?')
  expect(file).toMatch(/FA-\d{4},1,.*Callum Fraser,1,1,100,.*OK,1 file,Callum Fraser/)
  await row.click()
  await expect(
    page
      .getByRole('img', { name: /ladder/ })
      .or(page.getByText('ladder.png'))
      .first(),
  ).toBeVisible()
  await expectAccessible(page)
})
