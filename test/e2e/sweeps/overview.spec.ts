import { expect, type Page, type Route } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expectChartsRendered, expectNumberOpensMatchingList } from '../support/figures.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findLayoutShift } from '../support/moved.ts'

// Tests each role's dashboard: every number links to the rows that it counts.

test("a seller's dashboard shows only the seller's own figures for today and this week, and the next callback", async ({
  page,
}) => {
  await signIn(page, 'staff', '/dashboard')
  await waitUntilSettled(page)
  const day = page.getByRole('region', { name: 'My day' })
  await expect(day.getByRole('region', { name: 'Calls today' })).toContainText(/\d+ of 16 calls/)
  const promise = day.getByRole('region', { name: 'Next callback' }).getByRole('link')
  await expect(promise.first()).toHaveAttribute('href', /contact\/view/)
  // A promised call needs only one click.
  await expect(promise.nth(1)).toHaveAttribute('href', /^tel:\d+$/)
  const due = page.getByRole('region', { name: 'My next callbacks' })
  await expect(due.getByRole('link', { name: /^Call / }).first()).toHaveAttribute('href', /^tel:\d+$/)
  await expect(page.getByRole('region', { name: 'Team activity' })).toHaveCount(0)
  await expectNumberOpensMatchingList(page, day.getByRole('link', { name: /Calls last week$/ }))
  await page.goto('/crm/calls?when=nonsense&user=x')
  await waitUntilSettled(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Calls' })).toBeVisible()
})

test("a document administrator's dashboard shows due documents and high residual risks", async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.brick', '/dashboard')
  await waitUntilSettled(page)
  await expectChartsRendered(page, 'To do')
  const board = page.getByRole('region', { name: 'To do' })
  await expectNumberOpensMatchingList(page, board.getByRole('link', { name: /^\d+ Reviews overdue$/ }))
  await expectNumberOpensMatchingList(page, board.getByRole('link', { name: /^\d+ High residual risk$/ }))
  await board.getByText('High residual risk by location as a table').click()
  const sites = board.getByRole('region', { name: 'Table: High residual risk by location' })
  await expectNumberOpensMatchingList(page, sites.getByRole('link', { name: /Kelham Works/ }))
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'admin.brick', '/dashboard')
  await waitUntilSettled(phone)
  await expectChartsRendered(phone, 'To do')
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await findLayoutShift(phone)).toBeUndefined()
})

test("a reseller's dashboard shows each client's open tasks, but not the contents of the client's documents", async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'reseller.north', '/dashboard')
  await waitUntilSettled(page)
  await expectChartsRendered(page, 'Our clients (2)')
  const clients = page.getByRole('table', { name: 'Our clients' })
  await expect(clients.getByRole('row')).toHaveCount(3)
  await expectAccessible(page)
  await clients.getByRole('link', { name: 'Saltmarsh Foods Ltd', exact: true }).click()
  await waitUntilSettled(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Saltmarsh Foods Ltd' })).toBeVisible()
  const waits = page.getByRole('region', { name: 'Open tasks' })
  await expect(waits.getByText('Reviews overdue').first()).toBeVisible()
  await expect(page.getByText('Pallets and roll cages')).toHaveCount(0)
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'reseller.north', '/dashboard')
  await waitUntilSettled(phone)
  await expectChartsRendered(phone, 'Our clients (2)')
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

/**
 * Opens the dashboard and releases its responses one by one, in request order or in reverse. Each response is rendered
 * before the next is released.
 */
async function comeOneByOne(page: Page, first: 'first' | 'last'): Promise<void> {
  const held: Route[] = []
  const isHeld = ({ pathname }: URL) => /^\/api\/(crm|financial|portal|safety|sales)\/(?!public$)/.test(pathname)
  await page.route(isHeld, (route) => void held.push(route))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  for (;;) {
    await page.clock.fastForward('00:10')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    const next = first === 'first' ? held.shift() : held.pop()
    if (!next) break
    // The page has cancelled some requests by now.
    await next.continue().then(
      () => next.request().response(),
      () => null,
    )
  }
  await page.unroute(isHeld)
  await waitUntilSettled(page)
}

for (const device of ['desk', 'phone'] as const)
  test(`dashboards do not shift on a ${device}, whatever the order of the responses`, async ({ elsewhere }) => {
    for (const who of ['manager', 'staff', 'admin.brick', 'approver.brick', 'worker.brick', 'reseller.north'])
      await test.step(who, async () => {
        const page = await elsewhere(device === 'phone' ? PHONE_OPTIONS : {})
        await page.clock.install()
        await signIn(page, who, '/about')
        for (const first of device === 'phone' ? (['last'] as const) : (['first', 'last'] as const)) {
          await comeOneByOne(page, first)
          expect.soft(await findLayoutShift(page), `${who}, the ${first} first`).toBeUndefined()
        }
        await page.context().close()
      })
  })
