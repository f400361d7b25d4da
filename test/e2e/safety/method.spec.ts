import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { ASSESSMENT_AUTHOR_USERNAME, expectDraftSaved } from '../support/assessment.ts'
import { expectStatus, signIn, test } from '../support/journey.ts'
import { sealDraft } from '../support/signing.ts'

/** Risk assessment in the demo data for the drainage trench in Attercliffe Road. */
const ASSESSMENT = 'RA-0002'

/**
 * Maximum number of actions that a site manager needs, from an assessment in force to its method statement in force.
 */
const MAX_ACTIONS = 14

test('an assessment becomes a method statement in force in 14 actions', async ({ page }) => {
  let actions = 0
  const act = async (doing: Promise<unknown>) => {
    actions++
    await doing
  }
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/safety/risk-assessment?state=current')
  await page.getByRole('link', { name: ASSESSMENT }).first().click()

  await act(page.getByRole('link', { name: 'Method statement from this assessment' }).click())
  await expect(page.getByLabel(/What is the job/)).toHaveValue(/Drainage trench/)
  await act(page.getByRole('button', { name: 'Start' }).click())
  await page.waitForURL(/\/method-statement\/update\/\d+/)
  const steps = page.getByRole('navigation', { name: /^Steps in/ })
  // The method statement contains the job details of the assessment.
  await expect(page.getByLabel(/^Location/)).toHaveValue('Attercliffe Road, Sheffield')

  // A date without a year is the next one, and text that is not a date is not lost without a message.
  const start = page.getByLabel(/^Start date/)
  await start.fill('7/12')
  await start.blur()
  await expect(start).toHaveValue(/^07[/]12[/]\d{4}$/)
  await start.fill('32/12')
  await act(steps.getByRole('button', { name: /Sequence of work/ }).click())
  await expect(
    page.getByText('Start date: “32/12” is not a date, and was not saved. Please enter it again.'),
  ).toBeVisible()
  for (const title of ['Arrive and sign in', 'Dig by machine, trim by hand']) {
    await act(page.getByRole('button', { name: 'Add a step' }).click())
    await act(
      page
        .getByLabel(/^What is done/)
        .last()
        .fill(title),
    )
  }
  await expectAccessible(page)
  await act(steps.getByRole('button', { name: /People and tickets/ }).click())
  await act(page.getByRole('combobox', { name: /^Site supervisor/ }).fill('Rhys Ellis'))
  await expectDraftSaved(page)

  await act(page.getByRole('button', { name: 'Complete', exact: true }).click())
  await expect(page.getByRole('region', { name: 'Content to be sealed' })).toContainText('2 steps')
  await act(sealDraft(page))
  await act(page.getByRole('button', { name: 'Approve', exact: true }).click())
  await act(page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click())
  await expectStatus(page, 'and in force')
  expect(actions).toBeLessThanOrEqual(MAX_ACTIONS)

  const paper = page.getByRole('article')
  await expect(paper).toContainText('Dig by machine, trim by hand')
  await expect(paper).toContainText(ASSESSMENT)
  await expectAccessible(page)
})
