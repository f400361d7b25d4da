import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

/** Creates an open quote for a new customer, for two of the plan that costs £39 a month. */
async function openQuote(page: Page) {
  const manager = await signInToApi(page, 'manager')
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/financial/${path}`, { data, ...manager })
    expect([answer.status(), path]).toEqual([path.endsWith('/send') ? 200 : 201, path])
    return (await answer.json()) as { '@id': string; id: number; reference: string }
  }
  const plans = await page.request.get('/api/financial/plans?name=Fleet, monthly', manager)
  const [plan] = ((await plans.json()) as { 'hydra:member': { '@id': string }[] })['hydra:member']
  const unique = Date.now()
  const customer = await post('customers', {
    email: `fleet.${unique}@journey.example`,
    billingName: `Journey Vans ${unique} Ltd`,
    metadata: { company_name: `Journey Vans ${unique} Ltd`, contact_name: 'Vera Lane' },
    address1: '3 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
  })
  const quote = await post('quotes', {
    customer: customer['@id'],
    plans: [{ plan: plan?.['@id'], quantity: 2 }],
    sendEmail: false,
  })
  await post(`quotes/${quote.id}/send`, {})
  return { quote, customer }
}

test('a phone sale becomes a subscription, is upgraded for the previewed amount, and is cancelled on a phone', async ({
  page,
  elsewhere,
}) => {
  const { quote, customer } = await openQuote(page)
  await signIn(page, 'manager', `/crm/quote/${quote.id}`)
  await page.getByRole('button', { name: 'Accept by telephone' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Accepted by (Required)')).toHaveValue('Vera Lane')
  await dialog.getByLabel('Purchase order number').fill('PO-1234')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Accept the quote' }).click()
  await expect(
    page.getByText(/Vera Lane accepted by telephone .*call taken by Maya Campbell, purchase order PO-1234/),
  ).toBeVisible()

  await page.goto(`/crm/customer/${customer.id}`)
  await page.getByRole('link', { name: 'Billed every month' }).click()
  await expect(page.getByText('Fleet, monthly × 2')).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)

  await test.step('an upgrade shows its cost before it is confirmed', async () => {
    await page.getByRole('button', { name: 'Add a plan' }).click()
    await expect(dialog.getByText('Choose the change to see its price here')).toBeVisible()
    await dialog.getByLabel('Plan (Required)').fill('Contractors, mon')
    await page.getByRole('option', { name: /Contractors, monthly/ }).click()
    await dialog.getByLabel('Quantity (Required)').fill('3')
    const preview = dialog.getByRole('region', { name: 'Price of the change' })
    await expect(preview).toContainText('Contractors, monthly × 3: full period')
    await expect(preview.getByRole('row', { name: /Due now/ })).toContainText('£104.40')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add plan' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Contractors, monthly × 3', { exact: true })).toBeVisible()
    await expect(page.getByText('Contractors, monthly × 3 added.')).toBeVisible()
  })

  await test.step('a paused subscription shows the terms on which it resumes', async () => {
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(page.getByText('Resumes with Fleet, monthly × 2, Contractors, monthly × 3.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  })

  await test.step('cancelling a subscription on a phone refunds the unused days', async () => {
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'manager', new URL(page.url()).pathname)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await phone.getByRole('button', { name: 'Cancel subscription' }).click()
    const sheet = phone.getByRole('dialog')
    await sheet.getByLabel(/Reason for cancelling/).selectOption('Moved to a competitor')
    await sheet.getByLabel(/Now, crediting the unused days/).check()
    const preview = sheet.getByRole('region', { name: 'Price of the change' })
    await expect(preview.getByRole('row', { name: /Credit/ })).toContainText('£198.00')
    await expectAccessible(phone)
    await sheet.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect(phone.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(phone.getByText('Reason: Moved to a competitor').first()).toBeVisible()
    await expect(phone.getByRole('button', { name: 'Cancel subscription' })).toHaveCount(0)
    await expect(phone.getByRole('link', { name: /^CN-\d+$/ }).first()).toHaveAttribute('href', /invoice\/\d+#credits$/)
    await waitUntilSettled(phone)
    await expectAccessible(phone)
  })
})
