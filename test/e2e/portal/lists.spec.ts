import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
const _heads = async (page: Page) =>
  (await page.locator('thead th[scope=col]').allTextContents()).map((s) => s.trim()).filter((s) => s !== 'Actions')

// This test has a separate portal, because the roles of restored administrators wait for a second person.
test.describe(() => {
  test.use({ ownPortal: {} })

  test('selected rows are retired together except a refused row, which is named, and undo restores the retired rows', async ({
    page,
  }) => {
    await signIn(page, 'admin.brick', '/config/users')
    await expect(rows(page).first()).toBeVisible()
    const all = await rows(page).count()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(bar(page)).toContainText('1 selected')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(bar(page)).toContainText('2 selected')
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)

    await rows(page).first().getByRole('checkbox').click()
    await rows(page)
      .last()
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText(`${all} selected`)
    await expectAccessible(page)
    await bar(page).getByRole('button', { name: 'Retire' }).click()
    const refused = page.getByRole('dialog', { name: 'Some rows were refused' })
    await expect(refused).toContainText(`${all - 1} retired, one refused.`)
    await expect(refused.getByRole('listitem')).toHaveText([/Priya Shah.*You can’t retire yourself\./])
    await expectAccessible(page)
    await refused.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect(rows(page)).toHaveCount(all)
    // The page shows the rows before the server has restored them.
    await waitUntilSettled(page)
    await page.reload()
    await expect(rows(page)).toHaveCount(all)
  })
})

test("a view saved and shared by one user becomes a colleague's default view", async ({ page, elsewhere }) => {
  const LIST = '/safety/risk-assessment'
  await signIn(page, 'admin.brick', `${LIST}?state=current&order=-revision`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save the current list as a view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as a view' })
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog.getByText('Please give the view a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('In force')
  await dialog.getByLabel('Everybody in the company').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('button', { name: 'View: In force' })).toBeVisible()
  await expect(page).toHaveURL(/state=current.*view=\d+/)

  const colleague = await elsewhere(PHONE_OPTIONS)
  await signIn(colleague, 'worker.brick', LIST)
  await colleague.getByRole('button', { name: /^Filters/ }).click()
  await colleague.getByRole('button', { name: 'Views' }).click()
  await colleague.getByRole('menuitem', { name: 'In force (Priya Shah)' }).click()
  await expect(colleague).toHaveURL(/order=-revision/)
  await colleague.getByRole('button', { name: 'View: In force' }).click()
  await expect(colleague.getByRole('menuitem', { name: /Delete|Rename/ })).toHaveCount(0)
  await expectAccessible(colleague)
  await colleague.getByRole('menuitem', { name: 'Use as my default view' }).click()
  await expect(colleague.getByText('The list will open with “In force” from now on')).toBeVisible()
  await colleague.goto(LIST)
  await expect(colleague).toHaveURL(/state=current.*view=\d+/)

  await page.getByRole('button', { name: 'Status: Current' }).click()
  await page.getByRole('option', { name: 'Incomplete' }).click()
  await page.getByRole('button', { name: 'View: In force, changed' }).click()
  await page.getByRole('menuitem', { name: 'Save the changes to “In force”' }).click()
  await expect(page.getByRole('button', { name: 'View: In force', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'View: In force' }).click()
  await page.getByRole('menuitem', { name: 'Delete “In force”' }).click()
  await expect(page.getByText('View “In force” deleted')).toBeVisible()
  await expect(page).toHaveURL(LIST)
  await colleague.goto(LIST)
  await waitUntilSettled(colleague)
  await colleague.getByRole('button', { name: /^Filters/ }).click()
  await expect(colleague.getByRole('button', { name: 'Views' })).toBeVisible()
})
