import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'

/** Takes a £100 card payment at the test gateway, without an invoice. Returns the payment's ID. */
async function takePayment(page: Page): Promise<number> {
  const manager = await signInToApi(page, 'manager')
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, ...manager })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  const customer = await post('/api/financial/customers', {
    email: `refunds.${Date.now()}@journey.example`,
    metadata: { company_name: 'Journey Roofing Ltd' },
  })
  const { url } = await post('/api/financial/cards/setup', { customer: customer['@id'] })
  const entered = await page.request.post(url, {
    multipart: { number: '4242424242424242', expiry: '12/49', cvc: '123' },
    headers: { accept: 'text/html' },
  })
  const token = /card:"(pm_test_[0-9a-f]{32})"/.exec(await entered.text())?.[1]
  const card = await post('/api/financial/cards', { customer: customer['@id'], card: token })
  const charge = await post('/api/financial/charges', {
    customer: customer['@id'],
    card: card['@id'],
    amount: 10_000,
  })
  expect(charge.state).toBe('succeeded')
  return charge.id
}

async function beginRefund(page: Page, amount: string, reason: string) {
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill(amount)
  await dialog.getByLabel('Reason').fill(reason)
  return dialog
}

test('two refunds up to the payment amount succeed, but a third shows an error in the form', async ({
  page,
  elsewhere,
}) => {
  const id = await takePayment(page)
  const at = `/crm/charge/${id}`
  await signIn(page, 'manager', at)
  await expect(page.getByText('Refundable: nothing refunded yet')).toBeVisible()
  await expectAccessible(page)

  // A colleague has also opened the refund form and does not know of the other refunds.
  const other = await elsewhere({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  await signIn(other, 'manager', at)
  const third = await beginRefund(other, '30', 'They moved away')
  await expect(third.getByText('£30.00 will be refunded; £70.00 will remain refundable.')).toBeVisible()
  await expectAccessible(other)

  const first = await beginRefund(page, '60', 'Two months too many')
  await expectAccessible(page)
  await first.getByRole('button', { name: 'Refund £60.00' }).click()
  await expect(first).toHaveCount(0)
  await expect(page.getByText('Refundable: £60.00 refunded')).toBeVisible()

  const tooMuch = await beginRefund(page, '40.01', 'The rest')
  await expect(tooMuch.getByText('You can refund at most £40.00')).toBeVisible()
  await expect(tooMuch.getByRole('button', { name: 'Refund', exact: true })).toBeDisabled()
  await tooMuch.getByLabel('Amount').fill('40')
  await tooMuch.getByRole('button', { name: 'Refund £40.00' }).click()
  await expect(tooMuch).toHaveCount(0)
  await expect(page.getByText('Refundable: £100.00 refunded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Refunds of this payment' }).getByRole('listitem')).toHaveCount(2)

  await test.step('the form shows why the third refund is refused and retains the input', async () => {
    await third.getByRole('button', { name: 'Refund £30.00' }).click()
    const why = third.getByRole('alert')
    await expect(why).toContainText('£100.00 of this payment has been refunded')
    await expect(why).toBeInViewport()
    await expect(third.getByLabel('Amount')).toHaveValue('30')
    await expect(third.getByLabel('Reason')).toHaveValue('They moved away')
    expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(other)
  })

  await test.step('the list of refunds shows the customer for each refund', async () => {
    await page.goto('/crm/refunds')
    await waitUntilSettled(page)
    const row = page.getByRole('row').filter({ hasText: 'Journey Roofing Ltd' }).first()
    await expect(row).toContainText('Refunded')
    await expect(row).not.toContainText('Test payment service')
    await expectAccessible(page)
  })
})
