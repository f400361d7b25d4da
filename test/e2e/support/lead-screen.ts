import { expect, type Page } from '@playwright/test'

export const LIST = '/crm/contact/list'
export const screen = (page: Page) => page.locator('[data-lead-screen]')
export const leadOf = async (page: Page) => Number(await screen(page).getAttribute('data-lead-screen'))
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
export const outcomes = (page: Page) => page.getByRole('region', { name: 'Outcome of the call' })
export const outcome = (page: Page, name: string | RegExp) => outcomes(page).getByRole('button', { name })
export const note = (page: Page) => page.getByLabel('Note', { exact: true })
export const ringAgain = (page: Page) => page.getByLabel('Ring again')

/** Presses the key of an outcome, once the lead has been shown long enough for shortcuts to be active. */
export async function press(page: Page, key: string) {
  await expect(outcomes(page)).toHaveAttribute('data-settled', 'true')
  await page.keyboard.press(key)
}

/** Does something that opens the next lead, and returns its id. */
export async function onward(page: Page, act: () => Promise<unknown>): Promise<number> {
  const former = await leadOf(page)
  await act()
  await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(former))
  return leadOf(page)
}

export async function count(page: Page, category: string): Promise<number> {
  const tab = page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: category })
  await expect(tab).toHaveText(/\d/)
  return Number(((await tab.textContent()) ?? '').replace(/\D/g, ''))
}

/** Waits until shortcuts are active: the lead has been shown for a while, and no field has the focus. */
export const awake = (page: Page): Promise<void> => expect(outcomes(page)).toHaveAttribute('data-settled', 'true')
