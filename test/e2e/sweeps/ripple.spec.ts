import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

const ACID = '/safety/substances?q=patio+acid&whose=own'

const used = (page: Page) =>
  page.getByRole('dialog', { name: 'Brick and patio acid' }).getByRole('region', { name: 'Where used' })

test('the impact of a new data sheet is shown before it is saved, and the user can then request a review with a reason', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', ACID)
  await page.getByText('Brick and patio acid').first().click()
  const dialog = page.getByRole('dialog', { name: 'Brick and patio acid' })
  await expect(used(page).getByRole('link', { name: /^CO-0001, revision 1/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Edit substance' }).click()
  const today = Temporal.Now.plainDateISO('Europe/London').toString().split('-').reverse().join('/')
  await dialog.getByRole('textbox', { name: 'Data sheet date' }).fill(today)
  await expect(used(page)).toContainText('Brickwork at Kelham Works, Kelham Works, Sheffield')
  await expect(used(page)).toContainText(/1 document, 1 in force/)
  await dialog.getByRole('button', { name: 'Used in 1 document in force' }).click()
  await expect(used(page)).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save substance' }).click()
  await expect(dialog.getByRole('button', { name: 'Edit substance' })).toBeVisible()

  await used(page)
    .getByRole('checkbox', { name: /^Select CO-0001/ })
    .check()
  await used(page).getByRole('button', { name: 'Request review of the selected document' }).click()
  const asking = page.getByRole('dialog', { name: 'Request review' })
  await expect(asking.getByLabel('Reason (Required)')).toHaveValue(
    /^The substance “Brick and patio acid” was changed on /,
  )
  await asking.getByLabel('Reason (Required)').fill('The acid comes in another strength now.')
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'Request review' }).click()
  await expect(asking.getByRole('status')).toContainText('1 review requested.')
  await asking.getByRole('button', { name: 'Close' }).last().click()

  await used(page)
    .getByRole('link', { name: /^CO-0001, revision 1/ })
    .click()
  const why = page.getByRole('region', { name: 'Review requested' })
  await expect(why).toContainText('The acid comes in another strength now.')
  await expect(why).toContainText('The data sheet for Brick and patio acid was replaced on')
  await expectAccessible(page)
})

test.describe('the impact is readable on a phone', () => {
  test.use(PHONE_OPTIONS)
  test("the list of a substance's uses is readable and not cut off", async ({ page }) => {
    await signIn(page, 'admin.brick', ACID)
    await page.getByText('Brick and patio acid').first().click()
    await expect(used(page).getByRole('link', { name: /^CO-0001, revision 1/ })).toBeVisible()
    await expectAccessible(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
  })
})
