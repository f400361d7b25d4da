import { expect, type Page } from '@playwright/test'
import { signIn } from './journey.ts'
import { leadScreen, readCurrentLeadId } from './lead-screen.ts'

export const outboxButton = (page: Page) => page.getByRole('button', { name: /: show the list$/ })
export const outboxDialog = (page: Page) => page.getByRole('dialog', { name: 'Changes waiting to be sent' })
export const outboxEntries = (page: Page) => outboxDialog(page).getByRole('article')
export const peopleSection = (page: Page) => page.locator('section[aria-labelledby=people]')
export const articlesWithText = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

export async function openLead(page: Page, at = 0): Promise<number> {
  await signIn(page, 'staff', '/crm/contact/list?category=NEW&owner=mine')
  await page.locator('[data-row-link]').nth(at).click()
  await expect(leadScreen(page)).toBeVisible()
  return readCurrentLeadId(page)
}

export async function addNote(page: Page, text: string): Promise<void> {
  await page.getByLabel('Note', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('')
}

/** Aborts every request that writes. Pages and their read requests still work. */
export const abortWriteRequests = (page: Page): Promise<unknown> =>
  page.route(/\/api\/(crm|safety)\//, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
