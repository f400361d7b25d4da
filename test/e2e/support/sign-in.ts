import { expect, type Page } from '@playwright/test'

/** Fills in the sign-in form and submits it. */
export async function typePassword(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

/** Confirms that the recovery codes on the page have been saved, and continues. Returns the codes. */
export async function saveRecoveryCodes(page: Page): Promise<readonly string[]> {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const kept = await codes.allInnerTexts()
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  return kept
}
