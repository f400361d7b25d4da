import { expect, type Page } from '@playwright/test'
import { beginAssessment, expectDraftSaved, hazardGrid } from '../support/assessment.ts'
import { test } from '../support/journey.ts'

// The hazards form a table, even beside the document preview, and can be filled in without a mouse.

const WIDTHS = [1280, 1440, 1920]
const _controls = (page: Page) => hazardGrid(page).locator('[data-col="controls"] [data-tier]')
const control = (page: Page) => page.getByRole('combobox', { name: 'Add a control', exact: true })

test('the hazards are shown as a table at every width, beside the document, with room for a control', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await beginAssessment(page, `Ladders ${Date.now() % 10_000}`)
  await hazardGrid(page)
    .getByRole('button', { name: /^New hazard/ })
    .focus()
  await page.keyboard.type('Ladder on a slope')
  await page.keyboard.press('Escape')
  await expectDraftSaved(page)
  for (const width of WIDTHS)
    for (const paper of [true, false])
      await test.step(`the hazard table fits ${width} px ${paper ? 'with' : 'without'} the document`, async () => {
        await page.setViewportSize({ width, height: 900 })
        const toggle = page.getByRole('button', { name: 'Print preview', exact: true })
        if ((await toggle.getAttribute('aria-pressed')) !== String(paper)) await toggle.click()
        await expect(page.getByRole('complementary', { name: 'Print preview' })).toHaveCount(paper ? 1 : 0)
        const heads = hazardGrid(page).getByRole('columnheader')
        await expect(heads).toHaveCount(7)
        for (const name of ['Hazard', 'Controls', 'Initial risk', 'Residual risk', 'Responsible'])
          await expect(heads.filter({ hasText: name }).first()).toBeVisible()
        const row = hazardGrid(page).locator('[data-hazard]').first()
        const boxOf = (col: string) => row.locator(`[data-col="${col}"]`).boundingBox()
        const boxes = await Promise.all(['hazard', 'controls', 'initial', 'residual'].map(boxOf))
        expect(new Set(boxes.map((box) => Math.round(box?.y ?? 0))).size).toBe(1)
        await row.getByRole('button', { name: /^Controls/ }).click()
        expect((await control(page).boundingBox())?.width).toBeGreaterThanOrEqual(240)
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      })
})

test('a missing answer links to its own field, even if the table loads late', async ({ page }) => {
  const draft = await beginAssessment(page, `Missing ${Date.now() % 10_000}`)
  for (const name of ['Fire', 'Dust', 'Noise']) {
    await hazardGrid(page)
      .getByRole('button', { name: /^New hazard/ })
      .focus()
    await page.keyboard.type(name)
    await page.keyboard.press('Escape')
  }
  await expectDraftSaved(page)
  await page.goto(`${draft}/check`)
  const missing = page.getByRole('link', { name: /^Noise: please rate the probability/ })
  await expect(missing).toBeVisible()
  // On a construction site's connection, scripts loaded on demand take more than a second.
  await page.route(/\.js$/, async (route) => {
    await new Promise((done) => setTimeout(done, 1500))
    await route.continue()
  })
  await missing.click()
  const row = hazardGrid(page).locator('[data-hazard]').filter({ hasText: 'Noise' })
  await expect(row.locator('[data-col="initial"] [data-cell]')).toBeFocused()
  await expect(row).toBeInViewport()
})
