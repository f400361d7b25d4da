import { expect, type Page } from '@playwright/test'
import { settled, signIn, test } from './support/journey.ts'

const LIST = '/crm/contact/list'
const REASON = 'They rang: the hazards list is empty'
const band = (page: Page) => page.getByRole('region', { name: 'Working as a client' })

async function workAsBrick(page: Page, reason = REASON) {
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Work as a client…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Work as a client' })
  await dialog.getByRole('combobox', { name: 'Client' }).fill('Brick')
  await page.getByRole('option', { name: /Brick & Beam/ }).click()
  await expect(dialog.getByRole('combobox', { name: 'Person' })).toHaveValue(/admin\.brick/)
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Start, 30 minutes' }).click()
  await expect(band(page)).toBeVisible()
}

test('staff work as a client’s administrator, are seen to, and leave', async ({ page, elsewhere }) => {
  await signIn(page, 'staff', '/dashboard')
  await workAsBrick(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(band(page)).toContainText('Sam Taylor, working as Priya Shah for Brick & Beam Construction Ltd')
  await expect(band(page)).toContainText(REASON)
  await expect(page.getByRole('timer')).toHaveText(/^(30:00|2\d:\d\d)$/)
  await expect(page.getByRole('link', { name: 'Leads', exact: true })).toHaveCount(0)

  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await expect(page.getByText('worker.brick', { exact: true })).toBeVisible()
  await expect(page.getByText('nasreen.iqbal')).toHaveCount(0)
  await expect(page.getByText('carys.ellis')).toHaveCount(0)

  // Their own screens are out of reach, and a reload changes nothing.
  await page.goto(LIST)
  await settled(page)
  await expect(page.locator('[data-row-link]')).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(band(page)).toContainText('working as Priya Shah')

  const admin = await elsewhere()
  await signIn(admin, 'admin.brick', '/config/visits')
  const visit = admin.getByRole('row').filter({ hasText: REASON }).first()
  await expect(visit).toContainText('Sam Taylor (staff)')
  await expect(visit).toContainText('admin.brick')
  await expect(visit).toContainText('Here now')

  await band(page).getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL((url) => url.pathname === LIST)
  await expect(band(page)).toHaveCount(0)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Me: Sam Taylor' })).toBeVisible()

  await admin.reload()
  await expect(admin.getByRole('row').filter({ hasText: REASON }).first()).not.toContainText('Here now')
})

test('a visit looks first; whoever changes something has said why', async ({ page, elsewhere }) => {
  await signIn(page, 'staff', '/dashboard')
  await workAsBrick(page, 'To look at their users')
  await expect(band(page)).toContainText('(read-only)')
  await band(page).getByRole('button', { name: 'Allow changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Allow changes' })
  await dialog.getByLabel('Why something has to be changed').fill('')
  await dialog.getByRole('button', { name: 'Change things' }).click()
  await expect(dialog).toContainText('Please say why; the client can read it')
  await dialog.getByLabel('Why something has to be changed').fill('Their address is wrong')
  await dialog.getByRole('button', { name: 'Change things' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(band(page)).not.toContainText('(read-only)')

  const admin = await elsewhere()
  await signIn(admin, 'admin.brick', '/config/visits')
  const visit = admin.getByRole('row').filter({ hasText: 'To look at their users' }).first()
  await expect(visit).toContainText('Their address is wrong')
})

test('a button that changes something asks why first, and then does what was clicked', async ({ page, elsewhere }) => {
  await signIn(page, 'staff', '/dashboard')
  await workAsBrick(page, 'To look at a telephone number')
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByText('worker.brick', { exact: true }).click()
  const person = page.getByRole('dialog', { name: 'Callum Fraser' })
  await expect(person.getByText('You are looking only')).toBeVisible()
  await person.getByLabel('Telephone').fill('01632 960177')
  await person.getByRole('button', { name: 'Save' }).click()

  // Whoever would rather not has changed nothing, and lost nothing.
  const why = page.getByRole('dialog', { name: 'Allow changes' })
  await why.press('Escape')
  await expect(why).toHaveCount(0)
  await expect(person.getByText('Nothing was changed: you are looking only.')).toBeVisible()
  await expect(person.getByLabel('Telephone')).toHaveValue('01632 960177')

  await person.getByRole('button', { name: 'Save' }).click()
  await expect(why.getByLabel('Why something has to be changed')).toHaveValue('To look at a telephone number')
  await why.getByLabel('Why something has to be changed').fill('The number is wrong')
  await why.getByRole('button', { name: 'Change things' }).click()
  await expect(page.getByText('Data saved')).toBeVisible()
  await expect(person).toHaveCount(0)
  await expect(band(page)).not.toContainText('(read-only)')

  const admin = await elsewhere()
  await signIn(admin, 'admin.brick', '/config/visits')
  const visit = admin.getByRole('row').filter({ hasText: 'To look at a telephone number' }).first()
  await expect(visit).toContainText('The number is wrong')
})

test('a visit asks why, and is for nobody but staff', async ({ page, elsewhere }) => {
  await signIn(page, 'manager', '/dashboard')
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Work as a client…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Work as a client' })
  await dialog.getByRole('button', { name: 'Start, 30 minutes' }).click()
  await expect(dialog).toContainText('Please say why; the client can read it')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(band(page)).toHaveCount(0)

  for (const username of ['admin.brick', 'worker.brick', 'reseller.north']) {
    const other = await elsewhere()
    await signIn(other, username, '/dashboard')
    await other.getByRole('button', { name: /^Me:/ }).click()
    await expect(other.getByRole('button', { name: 'Sign out' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Work as a client…' })).toHaveCount(0)
  }
})

test('the time left runs out, and one is oneself again', async ({ page }) => {
  await page.clock.install()
  await signIn(page, 'manager', '/dashboard')
  await workAsBrick(page, 'To see the end of it')
  await page.clock.fastForward('25:00')
  await expect(page.getByRole('timer')).toHaveText(/^[0-4]:\d\d$/)
  await page.clock.fastForward('05:00')
  await page.waitForURL((url) => url.pathname === LIST)
  await expect(band(page)).toHaveCount(0)
  await expect(page.getByText('Your time is up')).toBeVisible()
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

  test('a client is chosen by touch, and the page stays as wide as it is', async ({ page }) => {
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
