import { expect, type Page } from '@playwright/test'
import { signInToApi } from '../support/api.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'
import { signOut } from '../support/sign-in.ts'

/** Lists to test, and whether their records open as pages or as dialogs over the list. */
const LISTS = [
  '/crm/customers',
  '/crm/quotes',
  '/crm/calls',
  '/staff',
  '/cms/clients',
  '/config/catalogue',
  '/config/users',
  '/safety/risk-assessment',
] as const

const place = (page: Page) => page.getByRole('group', { name: 'Position in the list' })
const next = (page: Page) => page.getByRole('button', { name: 'Next in the list' })

for (const list of LISTS)
  test(`the record pager moves from a record in ${list} to the next and back`, async ({ page }) => {
    await signIn(page, 'manager', list)
    await waitUntilSettled(page)
    await page.locator('[data-row-link]').first().click()
    await expect(place(page)).toHaveText(/^1 of/)
    const first = page.url()
    await next(page).click()
    await expect(place(page)).toHaveText(/^2 of/)
    expect(page.url()).not.toBe(first)
    await page.getByRole('button', { name: 'Previous in the list' }).click()
    await expect(page).toHaveURL(first)
  })

test('an arrow key moves the record pager to the next list page, and going back returns to the current row', async ({
  page,
}) => {
  await signIn(page, 'manager', '/crm/calls?order=-createdAt')
  await waitUntilSettled(page)
  const last = page.locator('[data-row-link]').last()
  await last.click()
  await expect(place(page)).toHaveText(/^30 of/)
  await page.keyboard.press('ArrowRight')
  // The pager skips further calls to the same lead.
  await expect(place(page)).toHaveText(/^(3[1-9]|4\d) of/)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(/order=-createdAt/)
})

test('the record pager also moves to the next list page and back after a reload', async ({ page }) => {
  await signIn(page, 'manager', '/crm/calls?order=-createdAt')
  await waitUntilSettled(page)
  await page.locator('[data-row-link]').last().click()
  await expect(place(page)).toHaveText(/^30 of/)
  const last = page.url()
  await page.reload()
  await expect(place(page)).toHaveText(/^30 of/)
  await waitUntilSettled(page)
  await page.keyboard.press('ArrowRight')
  await expect(place(page)).toHaveText(/^(3[1-9]|4\d) of/)
  // Paging through the list adds no browser history entry for the list page.
  await page.goBack()
  await expect(page).toHaveURL(last)
  await page.goto('/crm/calls?order=-createdAt&page=2')
  await waitUntilSettled(page)
  await page.locator('[data-row-link]').first().click()
  await expect(place(page)).toHaveText(/^31 of/)
  await page.reload()
  await expect(place(page)).toHaveText(/^31 of/)
  await waitUntilSettled(page)
  await page.keyboard.press('ArrowLeft')
  await expect(place(page)).toHaveText(/^(30|2\d) of/)
  expect(page.url()).not.toContain('/crm/calls')
})

test('the record pager in a dialog over its list continues after a reload', async ({ page }) => {
  await signIn(page, 'manager', '/config/users')
  await waitUntilSettled(page)
  await page.locator('[data-row-link]').first().click()
  await expect(place(page)).toHaveText(/^1 of/)
  await page.reload()
  await waitUntilSettled(page)
  await expect(place(page)).toHaveText(/^1 of/)
  const first = page.url()
  await next(page).click()
  await expect(place(page)).toHaveText(/^2 of/)
  expect(page.url()).not.toBe(first)
})

test('two calls to one lead count as one record in the pager', async ({ page }) => {
  const manager = await signInToApi(page, 'manager')
  const made = await page.request.post('/api/crm/contacts', { data: { companyName: 'Rung Twice Ltd' }, ...manager })
  const { '@id': lead } = (await made.json()) as { '@id': string }
  for (let call = 0; call < 2; call++) {
    const rung = await page.request.post(`${lead}/outcomes`, {
      data: { result: '/api/crm/last_results/3' },
      ...manager,
    })
    expect(rung.status()).toBe(200)
  }
  await signIn(page, 'manager', '/crm/calls?order=-createdAt')
  await waitUntilSettled(page)
  await page.locator('[data-row-link]').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rung Twice Ltd' })).toBeVisible()
  await expect(place(page)).toHaveText(/^1 of/)
  await page.keyboard.press('ArrowRight')
  await expect(place(page)).toHaveText(/^3 of/)
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('heading', { level: 1, name: 'Rung Twice Ltd' })).toBeVisible()
})

test('a quote opened from a filtered list links back to that list with its filter', async ({ page }) => {
  await signIn(page, 'manager', '/crm/quotes?state=accepted')
  await waitUntilSettled(page)
  await page.locator('[data-row-link]').first().click()
  await expect(place(page)).toHaveText(/^1 of/)
  await page.reload()
  await expect(place(page)).toHaveText(/^1 of/)
  await page.getByRole('link', { name: 'All quotes' }).click()
  await expect(page).toHaveURL(/\/crm\/quotes\?state=accepted$/)
  // Signing out clears the pager's history.
  const kept = () => page.evaluate(() => Object.values(sessionStorage).join().includes('/crm/quotes'))
  expect(await kept()).toBe(true)
  await signOut(page)
  expect(await kept()).toBe(false)
})
