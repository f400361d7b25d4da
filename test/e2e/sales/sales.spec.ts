import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const COMMISSION = '/cms/commissionreview'

/** A past month for which the demo data has no sales. */
const MONTH = Temporal.Now.plainDateISO('Europe/London').with({ day: 1 }).subtract({ months: 6 })
const MONTH_LABEL = MONTH.toLocaleString('en-GB', { month: 'long', year: 'numeric' })

async function addSale(page: Page) {
  const staff = await signInToApi(page, 'staff')
  const made = await page.request.post('/api/sales/sales/create', {
    data: { day: MONTH.add({ days: 14 }).toString(), amount: 50_000, what: 'Pack for the month end' },
    ...staff,
  })
  expect(made.status()).toBe(201)
  return { staff, sale: (await made.json()) as { '@id': string } }
}

test('a manager closes a month by adjusting, approving and locking commission, and commission on sales retired later is clawed back', async ({
  page,
  elsewhere,
}) => {
  const { staff, sale } = await addSale(page)
  await signIn(page, 'manager', '/cms/salechecks')
  await page
    .getByRole('link', { name: 'Pack for the month end' })
    .or(page.getByRole('button', { name: 'Pack for the month end' }))
    .first()
    .click()
  await page.getByRole('button', { name: 'Check sale' }).click()
  await expect(page.getByText('Data saved: Pack for the month end')).toBeVisible()

  await page.goto(COMMISSION)
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: MONTH_LABEL }) })
  await expect(row).toContainText('£40.00')
  await expect(row).toContainText('Open')
  await expectAccessible(page)
  await row.getByRole('button', { name: `Approve ${MONTH_LABEL}` }).click()
  await expect(row).toContainText('Approved')
  await row.getByRole('button', { name: `Lock ${MONTH_LABEL}` }).click()
  await page.getByRole('button', { name: 'Lock month' }).click()
  await expect(row).toContainText('Locked and paid')

  await test.step('an adjustment requires a reason and is posted to the current month', async () => {
    await page.getByRole('link', { name: 'Adjustments' }).click()
    await page.getByRole('button', { name: 'New adjustment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Seller').fill('Sam')
    await page.getByRole('option', { name: /Sam Taylor/ }).click()
    await dialog.getByLabel('Amount').fill('25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Please enter a reason').first()).toBeVisible()
    await dialog.getByLabel('Reason').fill('Stood in on a Saturday')
    await expect(dialog.getByText('Please enter a reason')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Stood in on a Saturday')).toBeVisible()
  })

  await test.step('commission on a sale retired later is clawed back from the seller, who sees the retired sale and the clawback on a phone', async () => {
    const changed = await page.request.put(sale['@id'], {
      data: { amount: 1 },
      ...(await signInToApi(page, 'manager')),
    })
    expect(changed.status()).toBe(409)
    const gone = await page.request.post(`${sale['@id']}/retire`, { data: { reason: 'Returned' }, ...staff })
    expect(gone.status()).toBe(409)
    const managed = await page.request.post(`${sale['@id']}/retire`, {
      data: { reason: 'Returned' },
      ...(await signInToApi(page, 'manager')),
    })
    expect(managed.status()).toBe(200)
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'staff', '/cms/commission')
    await waitUntilSettled(phone)
    await expect(phone.getByText('Pack for the month end was retired: Returned').first()).toBeVisible()
    await expect(phone.getByText('-£40.00').or(phone.getByText('−£40.00')).first()).toBeVisible()
    await expectAccessible(phone)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
})

test('the live day view updates while open, and each number opens the rows that it counts', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'manager', '/cms/management')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const cells = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Sam Taylor' }) })
  const sales = cells.getByRole('cell').nth(2)
  const before = Number(await sales.textContent())
  const staff = await signInToApi(page, 'staff')
  const today = Temporal.Now.plainDateISO('Europe/London').toString()
  await page.request.post('/api/sales/sales/create', { data: { day: today, amount: 100, what: 'Live' }, ...staff })
  await expect(sales).toHaveText(String(before + 1))
  await sales.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sales report' })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(before + 2)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'staff', '/cms/contact/bingo')
  const card = phone.getByRole('list', { name: 'My card' })
  await expect(card.getByRole('listitem').filter({ hasText: 'A sale' }).getByLabel('Filled:')).toBeVisible()
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
