import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { drawSignature } from '../support/signing.ts'

test.use({ serviceWorkers: 'allow' })

// Back closes any popup that is open over a page; it leaves the page only if none is open.

const dialog = (page: Page) => page.getByRole('dialog')

test('Back closes sheets on a phone one by one, then leaves the page', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE_OPTIONS)
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  const list = page.url()
  await page.locator('[data-row-link]').filter({ hasText: 'TT-0002' }).first().tap()
  await page.waitForURL(/\/view\/\d+/)
  await waitUntilSettled(page)
  const talk = page.url()

  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  expect(page.url()).toBe(talk)

  await test.step('Back does not discard a drawing without confirmation', async () => {
    await page.getByRole('button', { name: 'Sign', exact: true }).last().tap()
    await drawSignature(page)
    await expect(dialog(page).getByLabel('Signature box, empty')).toHaveCount(0)
    await page.goBack()
    await page.getByRole('button', { name: 'Keep editing' }).tap()
    await expect(page.getByRole('button', { name: 'Keep editing' })).toHaveCount(0)
    await expect(dialog(page)).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Close without saving' }).tap()
    await expect(dialog(page)).toHaveCount(0)
    expect(page.url()).toBe(talk)
  })

  await test.step('a sheet closed by its own button leaves no history entry', async () => {
    await page.getByRole('button', { name: 'Present', exact: true }).tap()
    await dialog(page).getByRole('button', { name: 'Cancel' }).tap()
    await expect(dialog(page)).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL(list)
  })
})

test('Back closes a dialog that has its own URL, and links inside the dialog leave it in one step', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/config/users')
  const list = page.url()
  await page.locator('[data-row-link]').first().click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  expect(page.url()).toBe(list)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('File manager')
  await expect(page.getByRole('option').first()).toContainText('File manager')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sfp/file-manager')
  await page.goBack()
  await expect(page).toHaveURL(list)
})

/** Lists of several kinds: leads, resources with a page, documents of a client. */
const LISTS = [
  ['manager', '/crm/contact/list'],
  ['manager', '/crm/customers'],
  ['manager', '/crm/invoices'],
  ['manager', '/crm/calls'],
  ['admin.brick', '/safety/toolbox-talks'],
  ['admin.brick', '/safety/risk-assessment'],
] as const
/** A low window, so that each list is higher than the window. */
const DESKTOP_OPTIONS: BrowserContextOptions = { viewport: { width: 1280, height: 420 } }

const scrollOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

/** Scrolls down a list and opens a record in view. Returns the scroll position. */
async function openRecord(page: Page): Promise<number> {
  await expect(page.locator('[data-row-link]').nth(3)).toBeVisible()
  await waitUntilSettled(page)
  const list = page.url()
  const top = await page.evaluate(() => {
    const limit = document.documentElement.scrollHeight - innerHeight
    window.scrollTo(0, Math.min(700, limit - 30))
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
    const row = rows.find((one) => one.getBoundingClientRect().top > 130)
    const top = Math.round(window.scrollY)
    row?.click()
    return top
  })
  expect(top, `${list} can be scrolled`).toBeGreaterThan(100)
  await page.waitForURL((url) => url.href !== list)
  await waitUntilSettled(page)
  return top
}

for (const [device, options] of [
  ['a desktop', DESKTOP_OPTIONS],
  ['a phone', PHONE_OPTIONS],
] as const)
  test(`Back to a list restores its scroll position on ${device}`, async ({ elsewhere }) => {
    test.slow()
    const page = await elsewhere(options)
    for (const [user, path] of LISTS)
      await test.step(path, async () => {
        await signIn(page, user, path)
        const top = await openRecord(page)
        // The list's page, its rows and its counts are loaded again after a while.
        await page.waitForTimeout(2_000)
        await page.goBack()
        await expect.poll(() => scrollOf(page), { message: `${path} after Back` }).toBe(top)
        await waitUntilSettled(page)
        expect(await scrollOf(page), `${path} after Back, once settled`).toBe(top)

        await page.reload()
        await expect.poll(() => scrollOf(page), { message: `${path} after its own reload` }).toBe(top)
        await waitUntilSettled(page)
        const again = await openRecord(page)
        await page.reload()
        await waitUntilSettled(page)
        await page.goBack()
        await expect.poll(() => scrollOf(page), { message: `${path} after a reload of the record` }).toBe(again)
      })
  })

test('the link back to a list restores its scroll position after a reload and a change of the record', async ({
  elsewhere,
}) => {
  const page = await elsewhere(DESKTOP_OPTIONS)
  await signIn(page, 'manager', '/crm/customers')
  const top = await openRecord(page)
  await page.reload()
  await waitUntilSettled(page)
  await page.getByRole('link', { name: 'All customers' }).first().click()
  await expect.poll(() => scrollOf(page)).toBe(top)
})
