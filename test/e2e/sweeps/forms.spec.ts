import { expect } from '@playwright/test'
import { extractText } from '../../pdf/words.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { expectStatus, PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { sealDraft } from '../support/signing.ts'

// This test has a separate portal, because the company's new question would become required in other tests' drafts.
test.use({ ownPortal: {} })

const ADMIN = 'admin.brick'
const APPROVER = 'approver.brick'
const QUESTION = 'Which gas monitor is worn?'
const LINE = {
  hazardName: 'Falling from the edge',
  group: 'Work at height',
  persons: 'Roofers',
  controlName: 'Guard rails',
  tier: 'engineering',
  probability: 4,
  severity: 5,
  judged: true,
  residualProbability: 1,
  residualSeverity: 5,
}

test('a question that a company adds to a form reaches an existing draft when the draft is updated, and the document shows the answer', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, ADMIN, '/dashboard')
  const { headers } = await signInToApi(page, ADMIN)
  const made = await page.request.post('/api/safety/risk_assessments', {
    data: {
      description: 'Cutting into a drain',
      location: 'Unit 4',
      project: 'Kelham Works',
      groupsAffected: ['Employees'],
      controls: [LINE],
    },
    headers,
  })
  expect(made.status()).toBe(201)
  const { id } = (await made.json()) as { id: number }

  await test.step('the administrator publishes a form version', async () => {
    await page.goto('/safety/risk-assessment')
    await page.getByRole('link', { name: 'Edit form questions', exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Edit form questions' }).click()
    await page.getByRole('button', { name: 'Leave out Project' }).click()
    await page.getByRole('button', { name: 'Add a question to The work' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Question').fill(QUESTION)
    await dialog.getByRole('checkbox', { name: /Required to complete/ }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('region', { name: 'The work' })).toContainText(
      `${QUESTION}Short text · required · added`,
    )
    await page.getByLabel('What is new').fill('Asks for the gas monitor')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByRole('link', { name: 'Asks for the gas monitor' })).toBeVisible()
  })

  await test.step('the author is notified on a phone, updates the draft to the new form version and answers the question', async () => {
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, ADMIN, `/sfp/risk-assessment/update/${id}`)
    const told = phone.getByRole('alert').filter({ hasText: 'A newer form is available' })
    await expect(told).toContainText('Asks for the gas monitor')
    await expectAccessible(phone)
    await told.getByRole('button', { name: 'Use new form' }).tap()
    const aside = phone.getByRole('alert', { name: 'Answers without a field' })
    await expect(aside).toContainText('Kelham Works')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectAccessible(phone)
    await aside.getByRole('button', { name: 'Discard' }).tap()
    await expect(aside).toHaveCount(0)
    await phone.getByLabel(QUESTION).fill('MX4, number 12')
    await phone.getByRole('button', { name: 'Complete', exact: true }).tap()
    await sealDraft(phone)
  })

  await test.step('another person approves the document, which shows the question', async () => {
    const approver = await elsewhere()
    await signIn(approver, APPROVER, `/safety/risk-assessment/view/${id}`)
    await expect(approver.getByRole('article')).toContainText(QUESTION)
    await approver.getByRole('button', { name: 'Approve', exact: true }).click()
    await approver.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await expectStatus(approver, 'and in force')
    const pdf = await page.request.get(`/api/safety/risk_assessments/${id}/pdf`, { headers })
    expect(pdf.status()).toBe(200)
    expect(await extractText(await pdf.body())).toContain(`${QUESTION} MX4, number 12`)
  })
})
