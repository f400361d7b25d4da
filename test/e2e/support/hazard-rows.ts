import type { Page } from '@playwright/test'
import { hazardGrid } from './assessment.ts'

export const LOCATION_LABEL_PATTERN = /^(Location|Where is it done)/

export const hazardRow = (page: Page, name: string) => hazardGrid(page).getByRole('row').filter({ hasText: name })

/**
 * Enters a complete hazard by keyboard only. `digits` contains the probability and severity, first without the controls
 * and then with them.
 */
export async function enterHazard(page: Page, name: string, who: string, controls: readonly string[], digits: string) {
  const keys = page.keyboard
  await keys.press('Control+Enter')
  await keys.type(name)
  await keys.press('Escape')
  await keys.press('Tab')
  await keys.type(who)
  await keys.press('Tab')
  for (const control of controls) {
    if (control === controls[0]) await keys.press('Enter')
    await keys.type(control)
    await keys.press('Enter')
  }
  await keys.press('Tab')
  await keys.type(digits.slice(0, 2))
  await keys.press('Tab')
  await keys.type(digits.slice(2))
  await keys.press('Tab')
  await keys.type('Site manager')
  await keys.press('Enter')
}
