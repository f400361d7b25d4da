import { expect, type Page } from '@playwright/test'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { drawSignature } from '../support/signing.ts'

test.use({ serviceWorkers: 'allow' })

// Back closes any popup that is open over a page; it leaves the page only if none is open.

const dialog = (page: Page) => page.getByRole('dialog')

test('Back closes sheets on a phone one by one, then leaves the page', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE_OPTIONS)
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  const list = page.url()
  await page.locator('[data-row-link]').filter({ hasText: 'TT-0002' }).first().tap()
  await page.waitForURL(/\/view\/\d+/)
  await waitUntilSettled(page)
  const talk = page.url()

  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  expect(page.url()).toBe(talk)

  await test.step('Back does not discard a drawing without confirmation', async () => {
    await page.getByRole('button', { name: 'Sign', exact: true }).last().tap()
    await drawSignature(page)
    await expect(dialog(page).getByLabel('Signature box, empty')).toHaveCount(0)
    await page.goBack()
    await page.getByRole('button', { name: 'Keep editing' }).tap()
    await expect(page.getByRole('button', { name: 'Keep editing' })).toHaveCount(0)
    await expect(dialog(page)).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Close without saving' }).tap()
    await expect(dialog(page)).toHaveCount(0)
    expect(page.url()).toBe(talk)
  })

  await test.step('a sheet closed by its own button leaves no history entry', async () => {
    await page.getByRole('button', { name: 'Present', exact: true }).tap()
    await dialog(page).getByRole('button', { name: 'Cancel' }).tap()
    await expect(dialog(page)).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL(list)
  })
})

test('Back closes a dialog that has its own URL, and links inside the dialog leave it in one step', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/config/users')
  const list = page.url()
  await page.locator('[data-row-link]').first().click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  expect(page.url()).toBe(list)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('File manager')
  await expect(page.getByRole('option').first()).toContainText('File manager')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sfp/file-manager')
  await page.goBack()
  await expect(page).toHaveURL(list)
})
