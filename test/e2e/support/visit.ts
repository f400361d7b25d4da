import { expect, type Page } from '@playwright/test'

export const CLIENT_LIST_PATH = '/crm/contact/list'
export const IMPERSONATION_REASON = 'They rang: the hazards list is empty'
export const impersonationBanner = (page: Page) => page.getByRole('region', { name: 'Working as a client' })

export async function impersonateBrick(page: Page, reason = IMPERSONATION_REASON) {
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Work as a client…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Work as a client' })
  await dialog.getByRole('combobox', { name: 'Client' }).fill('Brick')
  await page.getByRole('option', { name: /Brick & Beam/ }).click()
  await expect(dialog.getByRole('combobox', { name: 'Person' })).toHaveValue(/admin\.brick/)
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Start (30 minutes)' }).click()
  await expect(impersonationBanner(page)).toBeVisible()
}
