import { expect, type Page } from '@playwright/test'

export const LEAD_LIST_PAGE_PATH = '/crm/contact/list'
export const leadScreen = (page: Page) => page.locator('[data-lead-screen]')
export const readCurrentLeadId = async (page: Page) => Number(await leadScreen(page).getAttribute('data-lead-screen'))
export const pageHeading = (page: Page) => page.getByRole('heading', { level: 1 })
export const outcomeRegion = (page: Page) => page.getByRole('region', { name: 'Outcome of the call' })
export const outcomeButton = (page: Page, name: string | RegExp) => outcomeRegion(page).getByRole('button', { name })
export const noteField = (page: Page) => page.getByLabel('Note', { exact: true })
export const callbackField = (page: Page) => page.getByRole('textbox', { name: 'Call back', exact: true })

/** Presses the shortcut key of an outcome once the lead has been shown long enough for shortcuts to be active. */
export async function pressShortcut(page: Page, key: string) {
  await expect(outcomeRegion(page)).toHaveAttribute('data-settled', 'true')
  await page.keyboard.press(key)
}

/** Performs an action that opens the next lead. Returns that lead's ID. */
export async function advanceToNextLead(page: Page, act: () => Promise<unknown>): Promise<number> {
  const former = await readCurrentLeadId(page)
  await act()
  await expect(leadScreen(page)).not.toHaveAttribute('data-lead-screen', String(former))
  return readCurrentLeadId(page)
}

export async function readCategoryCount(page: Page, category: string): Promise<number> {
  const tab = page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: category })
  await expect(tab).toHaveText(/\d/)
  return Number(((await tab.textContent()) ?? '').replace(/\D/g, ''))
}

/** Waits until shortcuts are active: the lead has been shown for a while, and no field is focused. */
export const expectShortcutsActive = (page: Page): Promise<void> =>
  expect(outcomeRegion(page)).toHaveAttribute('data-settled', 'true')
