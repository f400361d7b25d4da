import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { ASSESSMENT_AUTHOR_USERNAME, expectDraftSaved, hazardGrid } from '../support/assessment.ts'
import { enterHazard, hazardRow, LOCATION_LABEL_PATTERN } from '../support/hazard-rows.ts'
import { expectStatus, PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { sealDraft, signAtDocumentEnd } from '../support/signing.ts'

async function signOnPhone(page: Page, view: string) {
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, view)
  await expect(page.getByRole('article')).toContainText('Wind above 17 mph')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await signAtDocumentEnd(page)
  await expect(page.getByText('Signatures (1)')).toBeVisible()
  await expectAccessible(page)
}

test('an assessment is created from a template, sealed, signed on a phone and revised', async ({ page, elsewhere }) => {
  test.slow()
  const title = `Roof of Unit ${Date.now() % 10_000}`
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/sfp/risk-assessment/create?from=template')
  const templates = page.getByRole('region', { name: 'Templates' })
  // Templates for the company's trade are listed first.
  await expect(templates.getByText('Construction', { exact: true }).first()).toBeVisible()
  await templates.getByRole('textbox', { name: 'Search' }).fill('Cleaning with chemicals')
  await templates.getByRole('radio', { name: /^Cleaning with chemicals/ }).check()
  await expect(page.getByRole('article')).toBeVisible()
  await page.getByLabel(/What is being assessed/).fill(title)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/update\/\d+/)
  const draft = new URL(page.url()).pathname
  // The template's placeholders are empty in the draft.
  await expect(page.getByLabel(LOCATION_LABEL_PATTERN)).toHaveValue('')
  await test.step('missing answers are listed before sealing, with links to their fields', async () => {
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.waitForURL(/\/check$/)
    await expect(page.getByRole('region', { name: /^Copied answers to confirm/ })).toContainText('Who might be harmed')
    await expect(page.getByRole('button', { name: 'Complete and seal' })).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('link', { name: /^Location: / }).press('Enter')
    await expect(page.getByLabel(LOCATION_LABEL_PATTERN)).toBeFocused()
  })
  await page.getByLabel(LOCATION_LABEL_PATTERN).fill('Attercliffe Road, Sheffield')
  // The test leaves the page immediately after typing, and the input is still saved.
  await page.goto(`${draft}?step=people`)
  await page.getByRole('button', { name: 'Confirm: Who might be harmed?' }).press('Enter')
  await expectDraftSaved(page)
  await page.goto(`${draft}?step=method`)
  await page.getByRole('button', { name: 'Confirm: Statements and sequence of work' }).press('Enter')
  await expectDraftSaved(page)
  await test.step('the tasks are put into working order with the keyboard, and remain in that order', async () => {
    const order = page.getByRole('list', { name: 'Order of work' }).getByRole('listitem')
    const [first = '', second = ''] = await order.allTextContents()
    await order.first().getByRole('button', { name: /down$/ }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    const moved = [second.replace('2.', '1.'), first.replace('1.', '2.')]
    await expect(order.nth(0)).toHaveText(moved[0] ?? '')
    await expect(order.nth(1).getByRole('button', { name: /down$/ })).toBeFocused()
    await expectDraftSaved(page)
    await page.goto(`${draft}?step=method`)
    await expect(order.nth(1)).toHaveText(moved[1] ?? '')
    await expectAccessible(page)
  })

  await page.goto(`${draft}?step=hazards`)
  await expect(hazardGrid(page)).toBeVisible()
  await test.step('each hazard from the template is confirmed with one key', async () => {
    const asked = hazardGrid(page).getByRole('button', { name: /^Confirm/ })
    await hazardGrid(page).locator('[data-hazard] [data-col="initial"] [data-cell]').first().focus()
    for (let left = await asked.count(); left > 0; left--) {
      await expect(asked).toHaveCount(left)
      await page.keyboard.press('y')
    }
    await expect(asked).toHaveCount(0)
    await expectDraftSaved(page)
  })
  const before = await hazardGrid(page).locator('[data-hazard]').count()
  expect(before).toBeGreaterThan(2)
  await test.step('hazards and controls are edited without the mouse', async () => {
    await hazardGrid(page)
      .getByRole('button', { name: /^New hazard/ })
      .focus()
    const keys = page.keyboard
    await keys.type('asbestos')
    const offers = page.getByRole('listbox', { name: /from the library/ }).getByRole('option')
    await expect(offers.first()).toBeVisible()
    await keys.press('ArrowDown')
    const offered = (await offers.first().locator('span').first().textContent()) ?? ''
    await keys.press('Enter')
    await keys.press('Tab')
    await keys.type('Roofers, and people below')
    await keys.press('Tab')
    await keys.press('Enter')
    await expect(offers.first()).toBeVisible()
    await keys.press('ArrowDown')
    await keys.press('Enter')
    await keys.type('Survey before work begins')
    await keys.press('Alt+1')
    await keys.press('Enter')
    await keys.press('Tab')
    await keys.type('45')
    await keys.press('Tab')
    await keys.type('15')
    await expect(hazardRow(page, offered)).toContainText('4 × 5 = 20')
    await expect(hazardRow(page, offered)).toContainText('1 × 5 = 5')
    // The most effective type of control is listed first, in whatever order the controls were entered.
    await expect(hazardRow(page, offered).getByRole('button', { name: /^Controls: ?Eliminate ?Survey/ })).toBeVisible()
    for (const [name, controls, digits] of [
      ['Wind above 17 mph', ['Stop work', 'Tie sheets down'], '4424'],
      ['Noise from cutting', ['Quieter blades', 'Ear defenders'], '3312'],
      ['Sun', ['Shade', 'Sun cream'], '3212'],
    ] as const)
      await enterHazard(page, name, 'Roofers', controls, digits)
    await expect(hazardGrid(page).locator('[data-hazard]')).toHaveCount(before + 4)
    await keys.press('Home')
    await keys.press('Alt+ArrowUp')
    await expect(
      hazardGrid(page)
        .locator('[data-hazard]')
        .nth(before + 2),
    ).toContainText('Sun')
    await keys.press('Control+Delete')
    await expect(hazardRow(page, 'Sun cream')).toHaveCount(0)
    await page.getByRole('button', { name: /Undo/ }).click()
    await expect(hazardRow(page, 'Sun cream')).toHaveCount(1)
    await expectDraftSaved(page)
  })
  await expectAccessible(page)
  await page.reload()
  await expect(hazardRow(page, 'Wind above 17 mph')).toContainText('Tie sheets down')

  await test.step('protective equipment and the method statement are filled in', async () => {
    await page.goto(`${draft}?step=ppe`)
    // The search finds items of all categories.
    await page.getByLabel('Search all PPE').fill('ffp3')
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await page.getByRole('checkbox', { name: /^FFP3/ }).check()
    await expectDraftSaved(page)
    await page.goto(`${draft}?step=method`)
    const tasks = page.getByRole('region', { name: 'tasks', exact: true })
    await tasks.getByRole('switch', { name: 'Show system templates' }).check()
    const chosen = tasks.getByRole('heading', { name: /^Chosen/ })
    const many = Number(/\d+/.exec((await chosen.textContent()) ?? '')?.[0])
    await tasks.getByRole('checkbox', { checked: false }).first().click()
    await expect(chosen).toHaveText(`Chosen (${many + 1})`)
    await page.getByLabel('Full Name').first().fill('Imran Ahmed')
    await page.getByLabel('Phone Number').first().fill('01632960111')
    await expectDraftSaved(page)
  })

  await test.step('the assessment is checked and sealed', async () => {
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Content to be sealed' })).toContainText(`${before + 4} hazards`)
    await expect(page.getByRole('region', { name: 'Optional fields left blank' })).toContainText('Job number')
    await expect(page.getByRole('region', { name: 'Approvers' })).toContainText('Rhys Ellis')
    await page.getByText(/^Read RA-\d+ as it will be sealed$/).click()
    await expect(page.getByRole('article')).toContainText('Wind above 17 mph')
    await expectAccessible(page)
    await sealDraft(page)
  })
  const view = new URL(page.url()).pathname
  await expect(page.getByRole('article')).toContainText('Wind above 17 mph')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await expectStatus(page, 'and in force')

  await test.step('the assessment is signed on a phone', async () => signOnPhone(await elsewhere(PHONE_OPTIONS), view))

  await test.step('the PDF of the assessment is downloaded', async () => {
    const asked = page.waitForResponse((r) => r.url().endsWith('/pdf'))
    await page.getByRole('button', { name: 'View PDF' }).click()
    const answer = await asked
    expect(answer.status()).toBe(200)
    expect(answer.headers()['content-type']).toContain('application/pdf')
  })

  await test.step('the assessment is revised and compared with the previous revision, and the new revision is in force', async () => {
    await page.getByRole('button', { name: 'Revise', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start revision' }).click()
    await page.waitForURL(/\/update\/\d+/)
    await page.goto(`${new URL(page.url()).pathname}?step=hazards`)
    await hazardGrid(page)
      .getByRole('button', { name: /^New hazard/ })
      .focus()
    await enterHazard(page, 'Overhead power line', 'Crane driver', ['Have it switched off'], '3515')
    await expectDraftSaved(page)
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await sealDraft(page)
    for (const n of [1, 2]) await page.getByLabel(`Compare revision ${n}`).check()
    await page.getByRole('button', { name: 'Compare 1 with 2' }).click()
    const compared = page.getByRole('dialog')
    await expect(compared).toContainText('Overhead power line')
    await expect(compared).not.toContainText('Wind above 17 mph')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await expectStatus(page, 'and in force')
    await page.goto(view)
    await expectStatus(page, /[Rr]eplaced/)
  })
})
