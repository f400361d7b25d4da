import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { waitForOfflineScripts } from '../support/keeper.ts'

test.use({ serviceWorkers: 'allow' })

const REGISTER = '/sfp/equipment-register'
const ITEM = 'Stepladder, 8 treads'

const chooseResult = async (page: Page, result: string) => {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Result (Required)' }).click()
  await page.getByRole('option', { name: result, exact: true }).click()
}

test('a check that fails on a phone without connection takes the item out of service, and a passed one returns it', async ({
  page,
  browser,
}) => {
  const context = await browser.newContext({ ...PHONE_OPTIONS, serviceWorkers: 'allow' })
  const phone = await context.newPage()
  await signIn(phone, 'worker.brick', REGISTER)
  await phone.getByRole('link', { name: ITEM }).or(phone.getByText(ITEM)).first().click()
  await expect(phone.getByRole('heading', { level: 1 })).toContainText(ITEM)
  await phone.getByRole('button', { name: /^Record a check: / }).click()
  await expect(phone.getByRole('dialog')).toBeVisible()
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await waitForOfflineScripts(phone)
  await context.setOffline(true)
  await chooseResult(phone, 'Failed')
  await phone.getByRole('dialog').getByLabel('Defects').fill('One tread is split')
  await phone.getByRole('dialog').getByRole('button', { name: 'Record the check' }).click()
  await expect(phone.getByRole('dialog')).toBeHidden()
  await context.setOffline(false)
  await expect(async () => {
    await phone.reload()
    await expect(phone.getByText('Out of service').first()).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(phone.getByText('One tread is split').first()).toBeVisible()
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  const address = phone.url()
  await context.close()

  await signIn(page, 'admin.brick', new URL(address).pathname)
  const actions = page.getByRole('region', { name: 'Corrective actions' })
  await expect(actions).toContainText('Callum Fraser')
  await expect(actions).toContainText('One tread is split')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Record a check: / }).click()
  await chooseResult(page, 'Passed')
  await page.getByRole('dialog').getByRole('button', { name: 'Record the check' }).click()
  await expect(page.getByText('The check is recorded')).toBeVisible()
  await expect(page.getByText('Fit', { exact: true }).first()).toBeVisible()

  // The label of another company leads to no item here, although an item has the same ID.
  await page.goto(`${new URL(address).pathname}?company=999999`)
  await expect(page.getByText('This label belongs to another company.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Record a check: / })).toHaveCount(0)
  const scanned = `https://portal.example/equipment/999999-${address.split('/').at(-1)}-${'a'.repeat(32)}`
  await page.goto(`${REGISTER}/batch`)
  await page.getByLabel('Number or scanned label').fill(scanned)
  await page.getByRole('button', { name: 'Find' }).press('Enter')
  await expect(page.getByText('This label belongs to another company.')).toBeVisible()
})
