import { expect } from '@playwright/test'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'
import { CLIENT_LIST_PATH, IMPERSONATION_REASON, impersonateBrick, impersonationBanner } from '../support/visit.ts'

test("staff start and end an impersonation of a client's administrator, and the client can see who impersonated whom", async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'staff', '/dashboard')
  await impersonateBrick(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(impersonationBanner(page)).toContainText(
    'Sam Taylor, working as Priya Shah for Brick & Beam Construction Ltd',
  )
  await expect(impersonationBanner(page)).toContainText(IMPERSONATION_REASON)
  await expect(page.getByRole('timer')).toHaveText(/^(30:00|2\d:\d\d)$/)
  await expect(page.getByRole('link', { name: 'Leads', exact: true })).toHaveCount(0)

  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await expect(page.getByText('worker.brick', { exact: true })).toBeVisible()
  await expect(page.getByText('nasreen.iqbal')).toHaveCount(0)
  await expect(page.getByText('carys.ellis')).toHaveCount(0)

  // The user's own screens are not accessible, even after a reload.
  await page.goto(CLIENT_LIST_PATH)
  await waitUntilSettled(page)
  await expect(page.locator('[data-row-link]')).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(impersonationBanner(page)).toContainText('working as Priya Shah')

  const admin = await elsewhere()
  await signIn(admin, 'admin.brick', '/config/visits')
  const visit = admin.getByRole('row').filter({ hasText: IMPERSONATION_REASON }).first()
  await expect(visit).toContainText('Sam Taylor (staff)')
  await expect(visit).toContainText('admin.brick')
  await expect(visit).toContainText('Active now')

  await impersonationBanner(page).getByRole('button', { name: 'Switch back' }).click()
  await page.waitForURL((url) => url.pathname === CLIENT_LIST_PATH)
  await expect(impersonationBanner(page)).toHaveCount(0)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Me: Sam Taylor' })).toBeVisible()

  await admin.reload()
  await expect(admin.getByRole('row').filter({ hasText: IMPERSONATION_REASON }).first()).not.toContainText('Active now')
})

test('a change during read-only impersonation is saved only after a reason is given', async ({ page, elsewhere }) => {
  await signIn(page, 'staff', '/dashboard')
  await impersonateBrick(page, 'To look at a telephone number')
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByText('worker.brick', { exact: true }).click()
  const person = page.getByRole('dialog', { name: 'Callum Fraser' })
  await expect(
    person.getByText('You are working as another person, with read-only access.', { exact: false }),
  ).toBeVisible()
  await person.getByLabel('Telephone').fill('01632 960177')
  await person.getByRole('button', { name: 'Save' }).click()

  // Cancelling changes nothing and keeps the input.
  const why = page.getByRole('dialog', { name: 'Allow changes' })
  await why.press('Escape')
  await expect(why).toHaveCount(0)
  await expect(
    person.getByText('You have read-only access, so nothing was changed. Choose “Allow changes” first.'),
  ).toBeVisible()
  await expect(person.getByLabel('Telephone')).toHaveValue('01632 960177')

  await person.getByRole('button', { name: 'Save' }).click()
  await expect(why.getByLabel('Reason for the change')).toHaveValue('To look at a telephone number')
  await why.getByLabel('Reason for the change').fill('The number is wrong')
  await why.getByRole('button', { name: 'Allow changes' }).click()
  await expect(page.getByText('Data saved')).toBeVisible()
  await expect(person).toHaveCount(0)
  await expect(impersonationBanner(page)).not.toContainText('(read-only)')

  const admin = await elsewhere()
  await signIn(admin, 'admin.brick', '/config/visits')
  const visit = admin.getByRole('row').filter({ hasText: 'To look at a telephone number' }).first()
  await expect(visit).toContainText('The number is wrong')
})
