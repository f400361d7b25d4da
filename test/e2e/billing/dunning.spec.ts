import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

// This test has a separate portal. It advances the clock by a month, which would make other tests' quotes expire.
test.use({ ownPortal: {} })

/** Sells a subscription by phone. The saved card is declined when it is charged. */
async function subscribe(page: Page, email: string) {
  const manager = await signInToApi(page, 'manager')
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data, ...manager })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  const list = async (path: string) => (await (await page.request.get(path, manager)).json())['hydra:member']
  const [plan] = await list('/api/financial/plans?name=Fleet, monthly')
  const customer = await post('/api/financial/customers', {
    email,
    billingName: 'Declined Vans Ltd',
    metadata: { company_name: 'Declined Vans Ltd' },
    address1: '3 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
  })
  const { url } = await post('/api/financial/cards/setup', { customer: customer['@id'] })
  const entered = await page.request.post(url, {
    multipart: { number: '4000000000000341', expiry: '12/49', cvc: '123' },
    headers: { accept: 'text/html' },
  })
  const card = /card:"(pm_test_[0-9a-f]{32})"/.exec(await entered.text())?.[1]
  await post('/api/financial/cards', { customer: customer['@id'], card })
  const quote = await post('/api/financial/quotes', {
    customer: customer['@id'],
    plans: [{ plan: plan['@id'] }],
    sendEmail: false,
  })
  await post(`${quote['@id']}/send`, {})
  await post(`${quote['@id']}/accept-by-phone`, { name: 'Vera Lane' })
  const [subscription] = await list(`/api/financial/subscriptions?quote=${quote.id}`)
  const [invoice] = await list(`/api/financial/invoices?quote=${quote.id}`)
  const later = (days: number) => post('/api/portal/clock', { days })
  return { customer, subscription, invoice, later }
}

test('a customer whose card is declined pays through the link in the e-mail, and the subscription is restored', async ({
  page,
  portal,
  elsewhere,
}) => {
  test.slow()
  const email = `declined.${Date.now()}@journey.example`
  const { subscription, invoice, later } = await subscribe(page, email)
  const letter = (words: string) => portal.letters.findLast((l) => l.to.includes(email) && l.text.includes(words))

  await test.step('the e-mail about a declined charge states the reason and the date of the next attempt', async () => {
    await expect.poll(() => letter('You don’t need to do anything')?.text).toContain('Visa ending 0341')
    await later(14)
    await expect.poll(() => letter('We could not charge')?.text).toMatch(/We will try again on(?:.|\n)*\/pay\//)
    await later(15)
  })

  await signIn(page, 'manager', '/crm/failed-payments')
  const row = page.getByRole('row').filter({ hasText: invoice.number })
  await expect(row).toContainText('Declined Vans Ltd')
  await expect(page).toHaveURL(/\/crm\/overdue/)
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reminder settings' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: /Retry a declined payment after/ })).toHaveValue('3, 5, 7, 14')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('link').first().click()

  const collecting = page.getByRole('region', { name: 'Payment reminders' })
  await expect(collecting.getByRole('list', { name: 'History' })).toContainText('Your card was declined')
  await expect(collecting.getByRole('list', { name: 'Upcoming' })).toContainText('The card will be charged again')
  await test.step('a pause stops collection until its day', async () => {
    await collecting.getByRole('button', { name: 'Pause reminders' }).click()
    const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 30 }).toLocaleString('en-GB', {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
    })
    await dialog.getByRole('textbox', { name: 'Pause until (required)' }).fill(day)
    await dialog.getByLabel('Reason (required)').fill('A new card is on its way')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Pause reminders' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(collecting.getByRole('alert')).toContainText('A new card is on its way (Maya Campbell)')
    await waitUntilSettled(page)
    await expectAccessible(page)
  })

  await test.step('the customer pays on a phone through the link in the e-mail', async () => {
    const link = /https?:\/\/\S+(\/pay\/\S+)/.exec(letter('We could not charge')?.text ?? '')?.[1] ?? ''
    const phone = await elsewhere(PHONE_OPTIONS)
    await phone.goto(link)
    await phone.getByRole('button', { name: /^Pay £/ }).tap()
    const entry = phone.frameLocator('iframe')
    await entry.getByLabel('Card number').fill('4242424242424242')
    await entry.getByLabel('Expiry (MM/YY)').fill('12/49')
    await entry.getByLabel('Security code').fill('123')
    await entry.getByRole('button', { name: 'Pay with this card' }).click()
    await expect(phone.getByRole('heading', { name: 'Thank you. This invoice has been paid' })).toBeVisible()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(phone)
    await signIn(phone, 'manager', `/crm/invoice/${invoice.id}`)
    await expect(phone.getByRole('region', { name: 'Payment reminders' })).toContainText('Paid: no further reminders.')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await waitUntilSettled(phone)
    await expectAccessible(phone)
  })

  await test.step('the subscription is restored after payment', async () => {
    await expect.poll(() => letter('has been paid')?.text).toContain('You have full access to your subscription again')
    await page.goto(`/crm/subscription/${subscription.id}`)
    await expect(page.getByText('Paid. The subscription is active again.')).toBeVisible()
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
  })
  await later(0)
})

test('an overdue invoice is reminded of, bears interest and is paid, by keyboard, on a desktop and a phone', async ({
  page,
  portal,
  elsewhere,
}) => {
  test.slow()
  const manager = await signInToApi(page, 'manager')
  const send = async (method: 'post' | 'get', path: string, data?: object) => {
    const answer = await page.request[method](path, { ...(data ? { data } : {}), ...manager })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  const email = `late.${Date.now()}@journey.example`
  const customer = await send('post', '/api/financial/customers', {
    email,
    billingName: 'Late Lathes Ltd',
    metadata: { company_name: 'Late Lathes Ltd' },
    address1: '4 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
  })
  const draft = await send('post', '/api/financial/invoices', {
    customer: customer['@id'],
    lines: [{ description: 'Site visit', quantity: 1, unitAmount: 100_000 }],
  })
  const invoice = await send('post', `${draft['@id']}/issue`, {})
  await send('post', '/api/portal/clock', { days: 24 })
  await expect.poll(() => portal.letters.some((l) => l.to.includes(email))).toBe(true)

  await signIn(page, 'manager', `/crm/overdue?q=${invoice.number}`)
  const row = page.getByRole('row').filter({ hasText: invoice.number })
  await expect(row).toContainText('10 days')
  await test.step('one press chases the invoice', async () => {
    await row.getByRole('button', { name: `Remind about ${invoice.number}` }).focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => portal.letters.findLast((l) => l.to.includes(email))?.text)
      .toContain(`for our invoice ${invoice.number} was due on`)
    await waitUntilSettled(page)
    await expectAccessible(page)
  })

  await page.goto(`/crm/invoice/${invoice.id}`)
  const panel = page.getByRole('region', { name: 'Payment reminders' })
  await expect(panel.getByRole('list', { name: 'History' })).toContainText(`Sent to ${email}`)
  await test.step('a second reminder on the day is refused with the time of the first', async () => {
    await panel.getByRole('button', { name: 'Send a reminder' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/has already had a reminder today, at \d\d:\d\d/)).toBeVisible()
  })
  await test.step('interest is added by a debit note after a decision', async () => {
    const interest = panel.getByRole('region', { name: 'Late payment interest' })
    await expect(interest).toContainText('£70.00')
    await expectAccessible(page)
    await interest.getByRole('button', { name: 'Add interest' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: /^Add £/ }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(interest.getByRole('list', { name: 'Late payment claims' })).toContainText(/Added by INV-/)
  })

  await test.step('the invoice is paid, which is shown on a phone', async () => {
    await send('post', '/api/financial/charges', {
      customer: customer['@id'],
      invoice: invoice['@id'],
      method: 'bank',
      amount: invoice.total,
      receivedAt: (await send('get', '/api/portal/clock')).now ?? new Date().toISOString(),
    })
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'manager', '/crm/overdue')
    await expect(phone.getByRole('heading', { name: 'Overdue' })).toBeVisible()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await waitUntilSettled(phone)
    await expectAccessible(phone)
    await phone.goto(`/crm/invoice/${invoice.id}`)
    await expect(phone.getByRole('region', { name: 'Payment reminders' })).toContainText('Paid: no further reminders.')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await waitUntilSettled(phone)
    await expectAccessible(phone)
  })
  await send('post', '/api/portal/clock', { days: 0 })
})
