import { expect } from '@playwright/test'
import { extractText } from '../../pdf/words.ts'
import { ASSESSMENTS_URL, makeCompleteAssessment, makeHazards } from '../../support/assessments.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { expectDraftSaved, hazardGrid } from '../support/assessment.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const AUTHOR = 'admin.care'
const SETTINGS = '/safety/Settings'

test('a custom risk matrix is previewed before it is saved, then used for rating, sealing and printing', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, AUTHOR, SETTINGS)
  const card = page.getByRole('region', { name: 'Risk matrix' })
  const band = (n: number) => card.getByRole('group', { name: new RegExp(`^Band ${n}:`) })
  const sample = card.getByRole('figure', { name: 'Preview' })
  const save = card.getByRole('button', { name: 'Save risk matrix' })

  await test.step('the preview updates with the input, and errors are shown at their fields', async () => {
    const words = ['Scratch', 'Cut', 'Break', 'Loss of limb', 'Death']
    for (const [i, word] of words.entries())
      await card
        .getByRole('group', { name: 'Severity names' })
        .getByLabel(`${i + 1}`)
        .fill(word)
    await band(4).getByLabel('Name').fill('Intolerable')
    await expect(sample.getByRole('cell', { name: '25 Intolerable' })).toBeVisible()
    await expect(sample.getByRole('columnheader', { name: '4 Loss of limb' })).toBeVisible()
    await band(2).getByLabel('Requirement').selectOption({ label: 'A reason or a planned control (reduce)' })
    await band(4).getByLabel('Name').press('Enter')
    await expect(
      band(3).getByText('Please choose a requirement at least as strict as the previous band’s'),
    ).toBeVisible()
    await expect(band(3).getByLabel('Requirement')).toBeFocused()
    await expectAccessible(page)
    await band(2).getByLabel('Requirement').selectOption({ label: 'No further action (accept)' })
    await band(4).getByLabel('Requirement').selectOption({ label: 'Can’t be completed (stop)' })
    await save.press('Enter')
    await expect(page.getByText('Data saved: the risk matrix')).toBeVisible()
    await expect(card.getByText(/^Changed by /)).toBeVisible()
    await expect(save).toBeDisabled()
    await waitUntilSettled(page)
    await expectAccessible(page)
  })

  const api = await signInToApi(page, AUTHOR)
  const controls = makeHazards('Lifting').map((line) => ({ ...line, residualProbability: 4, residualSeverity: 5 }))
  const body = makeCompleteAssessment({ description: 'Moving residents', controls })
  const made = await (await page.request.post(ASSESSMENTS_URL, { data: body, ...api })).json()
  const paper = async () => extractText(await (await page.request.get(`${made['@id']}/pdf`, api)).body())

  await test.step('a draft is rated by the custom matrix, and cannot be completed with an unacceptable risk', async () => {
    await page.goto(`/sfp/risk-assessment/update/${made.id}?step=hazards`)
    const row = hazardGrid(page).getByRole('row').filter({ hasText: 'Lifting' })
    await expect(row).toContainText('4 × 5 = 20Intolerable')
    await expect(row).toContainText('Intolerable: an assessment with this risk can’t be completed')
    expect(await paper()).toContain('Intolerable')
    await page.goto(`/sfp/risk-assessment/update/${made.id}/check`)
    await expect(page.getByText('One problem to correct')).toBeVisible()
    await expect(page.getByText(/work must not go ahead at a residual risk of 20 \(“Intolerable”\)/)).toBeVisible()
    await page.getByRole('link', { name: /Lifting: a residual risk of 20/ }).click()
    await row.locator('[data-col="residual"] [data-cell]').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Residual risk' })).toContainText('Intolerable')
    await expect(
      page.getByRole('button', { name: /^16 Intolerable: probability 4, Probable; severity 4, Loss of limb/ }),
    ).toBeVisible()
    await page.getByRole('button', { name: /^4 Low: probability 1, Highly Unlikely; severity 4, Loss of limb/ }).click()
    await expectDraftSaved(page)
  })

  await test.step('a completed assessment retains its risk matrix when the company changes the matrix', async () => {
    await page.goto(`/sfp/risk-assessment/update/${made.id}/check`)
    await page.getByRole('button', { name: 'Complete and seal' }).click()
    await page.waitForURL(/\/safety\/risk-assessment\/view\/\d+/)
    await page.goto(SETTINGS)
    await card.getByRole('button', { name: 'Use the portal’s bands' }).press('Enter')
    await expect(sample.getByRole('cell', { name: '25 Very high' })).toBeVisible()
    await save.press('Enter')
    await expect(page.getByText('Data saved: the risk matrix')).toBeVisible()
    const words = await paper()
    for (const word of ['Intolerable', 'Loss of limb', 'Stop: do not begin the work.']) expect(words).toContain(word)
    expect(words).not.toContain('Very high')
    await page.goto(`/safety/risk-assessment/view/${made.id}`)
    await expect(page.getByRole('article')).toContainText('4 × 5 = 20Intolerable')
  })

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, AUTHOR, SETTINGS)
  await expect(phone.getByRole('region', { name: 'Risk matrix' })).toBeVisible()
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
