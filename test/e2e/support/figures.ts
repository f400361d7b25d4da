import { expect, type Page } from '@playwright/test'
import { waitUntilSettled } from './journey.ts'

export async function expectChartsRendered(page: Page, name: string): Promise<void> {
  const pictures = page.getByRole('region', { name }).getByRole('img')
  await expect(pictures.locator('.recharts-bar-rectangle').first()).toBeVisible()
}

/** Clicks a number and checks that the opened list has that many rows. */
export async function expectNumberOpensMatchingList(page: Page, number: ReturnType<Page['getByRole']>): Promise<void> {
  const shown = Number((await number.textContent())?.replace(/\D/g, ''))
  expect(shown).toBeGreaterThan(0)
  await number.click()
  await waitUntilSettled(page)
  const rows = page.getByRole('table').getByRole('row')
  if (shown <= 30) await expect(rows).toHaveCount(shown + 1)
  else await expect(page.getByText(new RegExp(`of ${shown}$`))).toBeVisible()
  await page.goBack()
  await waitUntilSettled(page)
}
