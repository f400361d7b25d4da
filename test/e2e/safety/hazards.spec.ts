import { expect, type Page } from '@playwright/test'
import { beginAssessment, expectDraftSaved, hazardGrid } from '../support/assessment.ts'
import { test } from '../support/journey.ts'

// The hazards form a table, even beside the document preview, and can be filled in without a mouse.

const controls = (page: Page) => hazardGrid(page).locator('[data-col="controls"] [data-tier]')

test('hazards are added by keyboard with at most five Tabs, and one key adds all suggested controls', async ({
  page,
}) => {
  await beginAssessment(page, `Wet floor ${Date.now() % 10_000}`)
  const keys = page.keyboard
  await test.step('the hazard table is reached with at most five Tabs', async () => {
    await page.reload()
    await expect(hazardGrid(page)).toBeVisible()
    let tabs = 0
    const skip = page.getByRole('button', { name: 'Skip to the hazards' })
    do {
      await keys.press('Tab')
      tabs += 1
    } while (tabs < 5 && !(await skip.evaluate((at) => at === document.activeElement)))
    await keys.press('Enter')
    await expect(hazardGrid(page).getByRole('button', { name: /^New hazard/ })).toBeFocused()
    expect(tabs).toBeLessThanOrEqual(5)
  })
  await test.step('a search for wet floors suggests them first', async () => {
    await keys.type('wet floors')
    await expect(page.getByRole('option').first()).toContainText('Wet or contaminated floors')
    await keys.press('ArrowDown')
    await keys.press('Enter')
    await expect(hazardGrid(page).locator('[data-hazard]')).toContainText('Wet or contaminated floors')
  })
  await test.step('one key adds all suggested controls, and Ctrl+Z removes them again', async () => {
    const offer = hazardGrid(page).getByRole('button', { name: /^Add all/ })
    const many = Number(/\d+/.exec((await offer.textContent()) ?? '')?.[0])
    expect(many).toBeGreaterThan(2)
    await keys.press('Alt+a')
    await expect(controls(page)).toHaveCount(many)
    await expect(page.getByText(`${many} controls added to Wet or contaminated floors`).last()).toBeVisible()
    await keys.press('Control+z')
    await expect(controls(page)).toHaveCount(0)
    await offer.click()
    await expect(controls(page)).toHaveCount(many)
    await expect(offer).toHaveCount(0)
    await expectDraftSaved(page)
  })
  await test.step('a duplicated hazard has the same controls, and one press confirms them', async () => {
    const hazards = hazardGrid(page).locator('[data-hazard]')
    const many = await controls(page).count()
    const unconfirmed = page.getByText(/^\d+ hazards?, \d+ controls to confirm$/)
    await hazardGrid(page).getByRole('button', { name: 'More actions for Wet or contaminated floors' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter')
    await expect(hazards).toHaveCount(2)
    await expect(controls(page)).toHaveCount(2 * many)
    await expect(unconfirmed).toHaveText(`2 hazards, ${2 * many} controls to confirm`)
    await hazards.first().locator('[data-col="controls"] [data-cell]').press('Enter')
    await page.getByRole('button', { name: `Confirm ${many} controls: in place, of the type shown` }).press('Enter')
    await keys.press('Escape')
    await expect(unconfirmed).toHaveText(`2 hazards, ${many} controls to confirm`)
    await expectDraftSaved(page)
    await page.reload()
    await expect(controls(page)).toHaveCount(2 * many)
    await expect(unconfirmed).toHaveText(`2 hazards, ${many} controls to confirm`)
  })
  await test.step('a hazard’s menu opens the choice of COSHH assessments, and the step shows the chosen one', async () => {
    await hazardGrid(page)
      .getByRole('button', { name: 'More actions for Wet or contaminated floors' })
      .first()
      .press('Enter')
    await page.getByRole('menuitem', { name: 'Link COSHH assessment to this document' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add Associated COSHH Assessments' })
    await expect(dialog.getByRole('button', { name: 'Reset Search' })).toHaveCount(0)
    await dialog.getByRole('searchbox').fill('no such substance')
    await dialog.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(dialog.getByText('Nothing found')).toBeVisible()
    await dialog.getByRole('button', { name: 'Reset Search' }).click()
    await expect(dialog.getByRole('row').nth(1)).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d|Incomplete/)
    const first = dialog.getByRole('button', { name: /^Add CO-/, disabled: false }).first()
    const number = /CO-\d+/.exec((await first.getAttribute('aria-label')) ?? '')?.[0] ?? 'no number'
    await first.press('Enter')
    await keys.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Linked documents and files' })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Associated COSHH Assessments' })).toContainText(number)
    await page.reload()
    await expect(page.getByRole('group', { name: 'Associated COSHH Assessments' })).toContainText(number)
    await expect(dialog).toHaveCount(0)
  })
})

test('the groups of an assessment are offered for each hazard, and a pasted table takes the place of an empty row', async ({
  page,
}) => {
  const draft = await beginAssessment(page, `Groups ${Date.now() % 10_000}`)
  const rows = hazardGrid(page).locator('[data-hazard]')
  await page.getByRole('button', { name: 'Add hazard' }).click()
  await page.getByRole('combobox', { name: 'Hazard' }).evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Ice\tDrivers\nGlare\t')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Ice')
  await expectDraftSaved(page)
  await page.goto(`${draft}?step=people`)
  await page.getByRole('combobox', { name: 'Who might be harmed?' }).click()
  await page.getByRole('option', { name: 'Visitors' }).click()
  await expectDraftSaved(page)
  await page.goto(`${draft}?step=hazards`)
  const persons = rows.nth(1).locator('[data-col="persons"]')
  await persons.getByRole('button').press('Enter')
  await page.getByRole('option', { name: 'Visitors' }).click()
  await page.keyboard.press('Enter')
  await expect(persons).toContainText('Visitors')
})
