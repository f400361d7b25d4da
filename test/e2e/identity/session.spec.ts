import { expect } from '@playwright/test'
import { DEMO_PASSWORD, test } from '../support/journey.ts'
import { CREATE_CONTACT_PATH, endSessions, signInWithForm } from '../support/own-session.ts'

test('a form survives an expired session and is saved after signing in again on the same page', async ({ page }) => {
  const company = `Kept & Sons ${Date.now()}`
  await signInWithForm(page, CREATE_CONTACT_PATH)
  await page.getByLabel('Company name').fill(company)
  await endSessions(page)
  await page.getByRole('button', { name: 'Save and open' }).click()

  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await expect(dialog).toContainText('Your session has ended')
  await expect(dialog).toContainText('your unsaved input is still here')
  await expect(dialog.getByLabel('Username')).toHaveValue('staff')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong-password')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('do not match')
  await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toHaveCount(0)

  await expect(page.getByLabel('Company name')).toHaveValue(company)
  await page.getByRole('button', { name: 'Save and open' }).click()
  await page.waitForURL(/\/crm\/contact\/view\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(company)
})

test('signing out ends the session in every tab and opens the sign-in page', async ({ page, context }) => {
  await signInWithForm(page, '/dashboard')
  const tab = await context.newPage()
  await tab.goto('/profile')
  await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/dashboard')
  await page.waitForURL((url) => url.pathname === '/')
  await tab.reload()
  await tab.waitForURL((url) => url.pathname === '/')
  expect((await context.cookies()).filter((c) => c.name === 'stanchion_session')).toEqual([])
})
