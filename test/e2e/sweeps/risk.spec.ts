import { expect } from '@playwright/test'
import { ASSESSMENT_AUTHOR_USERNAME, beginAssessment, expectDraftSaved, hazardGrid } from '../support/assessment.ts'
import { enterHazard, hazardRow, LOCATION_LABEL_PATTERN } from '../support/hazard-rows.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

test.use({ serviceWorkers: 'allow' })

test('input typed offline survives a reload and is saved later', async ({ page, context }) => {
  const draft = await beginAssessment(page, `Scaffold ${Date.now() % 10_000}`)
  const keptHere = page.getByText('Offline: stored on this device')
  await hazardGrid(page)
    .getByRole('button', { name: /^New hazard/ })
    .focus()
  await enterHazard(page, 'Falling tools', 'Passers-by', ['Toe boards'], '3414')
  await expectDraftSaved(page)

  await context.setOffline(true)
  await enterHazard(page, 'Lightning', 'Scaffolders', ['Come down'], '2515')
  await expect(keptHere).toBeVisible()
  await context.setOffline(false)
  await expectDraftSaved(page)

  // The page can reload but not save, so input that never reached the server is restored from this browser.
  const documents = '**/api/safety/risk_assessments/*'
  await page.route(documents, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await enterHazard(page, 'Ice', 'Scaffolders', ['Grit'], '3323')
  await expect(keptHere).toBeVisible()
  await page.goto(`${draft}?step=hazards`)
  for (const name of ['Falling tools', 'Lightning', 'Ice']) await expect(hazardRow(page, name)).toHaveCount(1)
  await expect(keptHere).toBeVisible()

  await context.setOffline(true)
  await page.unroute(documents)
  await context.setOffline(false)
  await expectDraftSaved(page)
  await page.reload()
  await expect(hazardRow(page, 'Ice')).toContainText('Grit')
  await expect(hazardGrid(page).locator('[data-hazard]')).toHaveCount(3)
})

test('two users who edit the same draft choose between their versions', async ({ page, elsewhere }) => {
  const draft = await beginAssessment(page, `Shared ${Date.now() % 10_000}`)
  const other = await elsewhere()
  await signIn(other, ASSESSMENT_AUTHOR_USERNAME, draft)
  await other.getByLabel(LOCATION_LABEL_PATTERN).fill('Leeds')
  await expectDraftSaved(other)
  await page.goto(`${draft}?step=details`)
  await expect(page.getByLabel(LOCATION_LABEL_PATTERN)).toHaveValue('Leeds')
  await other.getByLabel(LOCATION_LABEL_PATTERN).fill('York')
  await expectDraftSaved(other)
  await page.getByLabel(LOCATION_LABEL_PATTERN).fill('Hull')
  const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this too' })
  await expect(dialog).toContainText(/Changed by \S+ \S+ at \d\d:\d\d/)
  await expect(dialog).toContainText('York')
  await expect(dialog).toContainText('Hull')
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('button', { name: 'Save my choice' }).click()
  await expectDraftSaved(page)
  await other.reload()
  await expect(other.getByLabel(LOCATION_LABEL_PATTERN)).toHaveValue('Hull')
})

test('a pasted table becomes hazards, and each cell of the risk matrix filters the hazards', async ({ page }) => {
  await beginAssessment(page, `Pasted ${Date.now() % 10_000}`)
  await hazardGrid(page)
    .getByRole('button', { name: /^New hazard/ })
    .focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData(
      'text/plain',
      'Hazard\tWho\tControls\tP\tS\nFire\tAll\tExtinguishers; Alarm\t3\t5\nDust\tCutters\tWater\t4\t2',
    )
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await expect(hazardGrid(page).locator('[data-hazard]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Show matrix' }).click()
  await page
    .getByRole('group', { name: 'Initial risk: number of hazards' })
    .getByRole('button', { name: /probability 3, Possible; severity 5/ })
    .click()
  await expect(hazardGrid(page).locator('[data-hazard]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(hazardGrid(page).locator('[data-hazard]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Hazard library' }).click()
  const library = page.getByRole('dialog', { name: 'Hazard library' })
  await library.getByRole('option').first().click()
  await library.getByRole('button', { name: 'Add hazard' }).click()
  await page.keyboard.press('Escape')
  await expect(hazardGrid(page).locator('[data-hazard]')).toHaveCount(3)
  await expectDraftSaved(page)
})

test('the button that starts a document stays visible above the navigation bar on a phone', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE_OPTIONS)
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/sfp/risk-assessment/create?from=template')
  await expect(page.getByRole('region', { name: 'Templates' }).getByRole('radio').nth(5)).toBeVisible()
  const begin = page.getByRole('button', { name: 'Start' })
  const reached = () =>
    begin.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button') === button
    })
  await expect.poll(reached).toBe(true)
})
