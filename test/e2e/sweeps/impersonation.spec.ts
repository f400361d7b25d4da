import { expect } from '@playwright/test'
import { signIn, test } from '../support/journey.ts'
import { CLIENT_LIST_PATH, impersonateBrick, impersonationBanner } from '../support/visit.ts'

test('impersonation starts read-only, and a change requires a reason', async ({ page, elsewhere }) => {
  await signIn(page, 'staff', '/dashboard')
  await impersonateBrick(page, 'To look at their users')
  await expect(impersonationBanner(page)).toContainText('(read-only)')
  await impersonationBanner(page).getByRole('button', { name: 'Allow changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Allow changes' })
  await dialog.getByLabel('Reason for the change').fill('')
  await dialog.getByRole('button', { name: 'Allow changes' }).click()
  await expect(dialog).toContainText('Please enter a reason; the client can read it')
  await dialog.getByLabel('Reason for the change').fill('Their address is wrong')
  await dialog.getByRole('button', { name: 'Allow changes' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(impersonationBanner(page)).not.toContainText('(read-only)')

  const admin = await elsewhere()
  await signIn(admin, 'admin.brick', '/config/visits')
  const visit = admin.getByRole('row').filter({ hasText: 'To look at their users' }).first()
  await expect(visit).toContainText('Their address is wrong')
})

test('impersonation requires a reason and is only available to staff', async ({ page, elsewhere }) => {
  await signIn(page, 'manager', '/dashboard')
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Work as a client…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Work as a client' })
  await dialog.getByRole('button', { name: 'Start (30 minutes)' }).click()
  await expect(dialog).toContainText('Please enter a reason; the client can read it')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(impersonationBanner(page)).toHaveCount(0)

  for (const username of ['admin.brick', 'worker.brick', 'reseller.north']) {
    const other = await elsewhere()
    await signIn(other, username, '/dashboard')
    await other.getByRole('button', { name: /^Me:/ }).click()
    await expect(other.getByRole('button', { name: 'Sign out' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Work as a client…' })).toHaveCount(0)
  }
})

test('impersonation ends when its time limit is reached', async ({ page }) => {
  await page.clock.install()
  await signIn(page, 'manager', '/dashboard')
  await impersonateBrick(page, 'To see the end of it')
  await page.clock.fastForward('25:00')
  await expect(page.getByRole('timer')).toHaveText(/^[0-4]:\d\d$/)
  await page.clock.fastForward('05:00')
  await page.waitForURL((url) => url.pathname === CLIENT_LIST_PATH)
  await expect(impersonationBanner(page)).toHaveCount(0)
  await expect(page.getByText('Your time is up')).toBeVisible()
  // The context is closed, because the clock of this page was changed.
  await page.context().close()
})

test.describe('impersonation works on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

  test('selecting a client by touch does not widen the page', async ({ page }) => {
    await signIn(page, 'staff', '/dashboard')
    await page.getByRole('button', { name: /^Me:/ }).tap()
    await page.getByRole('button', { name: 'Work as a client…' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Work as a client' })
    await dialog.getByRole('combobox', { name: 'Client' }).tap()
    await page.getByRole('option', { name: /Brick & Beam/ }).tap()
    await expect(dialog.getByRole('combobox', { name: 'Person' })).toHaveValue(/admin\.brick/)
    expect(await page.evaluate(() => window.innerWidth)).toBe(390)
  })
})
