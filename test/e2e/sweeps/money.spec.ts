import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

/** Issues an invoice of £120. Returns its number and the customer's company name. */
async function issueInvoice(page: Page): Promise<{ readonly number: string; readonly company: string }> {
  const send = await createApiSender(page, 'manager')
  const post = (path: string, data: object) => send('post', `/api/financial/${path}`, data)
  const company = `Journey Banking ${Date.now()} Ltd`
  const customer = await post('customers', {
    email: `bank.${Date.now()}@journey.example`,
    billingName: company,
    metadata: { company_name: company },
    address1: '3 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
  })
  const lines = [{ description: 'Site visit', quantity: 1, unitAmount: 10_000 }]
  const draft = await post('invoices', { customer: customer['@id'], lines })
  const { number } = await post(`invoices/${draft.id}/issue`, {})
  return { number, company }
}

test('a bank transfer is imported, reviewed and posted, and each debt or renewal figure opens the rows that it counts', async ({
  page,
  elsewhere,
}) => {
  const { number, company } = await issueInvoice(page)
  const today = new Date().toISOString().slice(0, 10)
  await signIn(page, 'manager', '/crm/debtors')
  await page.getByRole('button', { name: `£120.00 ${company}, Not yet due` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link', { name: number })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/crm/bank')
  const text = `Date,Name,Reference,Amount\n${today},${company},${number} thanks,120.00\n${today},Rent,,-9.00\n`
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import statement' }).click()
  await (await chooser).setFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(dialog.getByLabel('Reference')).toHaveValue('reference')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('status').getByText('1 line is new. 1 is outgoing and ignored.')).toBeVisible()
  await page
    .getByRole('button', { name: `${number} thanks` })
    .or(page.getByRole('link', { name: `${number} thanks` }))
    .click()
  await expect(dialog.getByText('Invoice number and amount match.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Record payment £120.00' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto('/crm/debtors')
  await expect(page.getByRole('heading', { name: 'Aged debtors' })).toBeVisible()
  await waitUntilSettled(page)
  await expect(page.getByText(company)).toHaveCount(0)

  const phone = await elsewhere({ ...PHONE_OPTIONS, colorScheme: 'dark' })
  await signIn(phone, 'manager', '/crm/renewals')
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await phone.getByRole('list', { name: 'Renewals' }).getByRole('link').first().click()
  await expect(phone).toHaveURL(/\/crm\/subscription\/\d+/)
})
