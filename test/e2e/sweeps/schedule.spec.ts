import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

test('a suggested talk is scheduled, and the presenter gives the talk from the dashboard on a phone', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  await page.getByRole('navigation', { name: 'Related lists' }).getByRole('link', { name: 'Talk schedule' }).click()
  await expect(
    page
      .getByRole('link', { name: 'Slips, trips and falls' })
      .or(page.getByRole('button', { name: 'Slips, trips and falls' }))
      .first(),
  ).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)

  // The user operates everything by keyboard: the button, a suggested talk, the presenter and the place.
  await page.getByRole('button', { name: 'Plan talk' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const suggested = dialog.getByRole('region', { name: 'Suggested' })
  await expect(suggested.getByRole('button').first()).toBeVisible()
  const title = (await suggested.getByRole('button').first().textContent()) ?? ''
  await suggested.getByRole('button').first().press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Talk' })).toHaveValue(title)
  await expectAccessible(page)
  await dialog.getByLabel('Presenter').fill('Callum Fraser')
  await dialog.getByLabel('Site or place').fill('Journey yard')
  await dialog.getByLabel('Site or place').press('Enter')
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: 'Journey yard' })
  await expect(row).toContainText(title)
  await expect(row).toContainText('This week')
  await page.getByRole('button', { name: 'Plan talk' }).click()
  await suggested.getByRole('button').first().waitFor()
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/dashboard')
  const mine = phone
    .getByRole('list', { name: 'Talks to present' })
    .getByRole('listitem')
    .filter({ hasText: 'Journey yard' })
  await expect(mine).toContainText(title)
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await mine.getByRole('button', { name: /^Present / }).tap()
  const begin = phone.getByRole('dialog')
  await expect(begin.getByLabel('Presenter')).toHaveValue('Callum Fraser')
  await expect(begin.getByLabel('Place')).toHaveValue('Journey yard')
  await begin.getByRole('button', { name: 'Start' }).tap()
  await phone.waitForURL(/\/presented\/\d+/)

  await expect(async () => {
    await page.goto('/safety/toolbox-talks/schedule?show=given')
    await expect(page.getByRole('row').filter({ hasText: 'Journey yard' })).toContainText('In progress', {
      timeout: 2000,
    })
  }).toPass()
  await phone.goto('/dashboard')
  await waitUntilSettled(phone)
  await expect(phone.getByRole('list', { name: 'Talks to present' }).getByText('Journey yard')).toHaveCount(0)
})

test('a scheduled talk is changed, cancelled and scheduled again', async ({ page }) => {
  await signIn(page, 'admin.brick', '/safety/toolbox-talks/schedule')
  const row = page.getByRole('row').filter({ hasText: 'Ladders and stepladders' })
  const open = async () => {
    await row.getByText('Ladders and stepladders').click()
    await expect(page.getByRole('dialog')).toBeVisible()
  }
  await open()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Site or place').fill('Riverside, block C')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('block C')
  await open()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel talk' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('block C')
})
