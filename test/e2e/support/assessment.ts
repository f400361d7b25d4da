import { expect, type Page } from '@playwright/test'
import { signIn } from './journey.ts'

export const ASSESSMENT_AUTHOR_USERNAME = 'admin.brick'

export const hazardGrid = (page: Page) => page.getByRole('grid', { name: 'Hazards' })
export const expectDraftSaved = (page: Page) => expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()

/** Starts a blank assessment for client 1 and opens its hazard table. Returns the URL of the draft. */
export async function beginAssessment(page: Page, title: string): Promise<string> {
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/sfp/risk-assessment/create')
  await page.getByLabel(/What is being assessed/).fill(title)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/update\/\d+/)
  const draft = new URL(page.url()).pathname
  await page.goto(`${draft}?step=hazards`)
  await expect(hazardGrid(page)).toBeVisible()
  return draft
}
