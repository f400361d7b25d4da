import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import type { JourneyPortal } from '../support/portal.ts'

// This test has a separate portal. It advances the clock by a month, which would make other tests' quotes expire.
test.use({ ownPortal: {} })

/** Creates a customer with an address, as VAT invoices require. */
const createCustomer = (send: Awaited<ReturnType<typeof createApiSender>>, email: string, company: string) =>
  send('post', '/api/financial/customers', {
    email,
    billingName: company,
    metadata: { company_name: company },
    address1: '3 Dock Road',
    city: 'Hull',
    postcode: 'HU1 1AA',
  })

/** Sells a subscription by phone. The saved card is declined when it is charged. */
async function subscribe(page: Page, email: string) {
  const send = await createApiSender(page, 'manager')
  const post = (path: string, data: object) => send('post', path, data)
  const list = async (path: string) => (await send('get', path))['hydra:member']
  const [plan] = await list('/api/financial/plans?name=Fleet, monthly')
  const customer = await createCustomer(send, email, 'Declined Vans Ltd')
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

/** Number of Tab presses that is greater than the number of fields and buttons on any page. */
const MAX_TABS = 60

/** Moves the focus to an element with the Tab key alone. */
async function tabTo(what: Locator) {
  for (let n = 0; n < MAX_TABS; n++) {
    if (await what.evaluate((one) => one === document.activeElement)) return
    await what.page().keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${await what.textContent()}`)
}

/** Presses a button with the keyboard alone. */
async function press(what: Locator) {
  await expect(what).toBeEnabled()
  await tabTo(what)
  await what.page().keyboard.press('Enter')
}

interface DebitScene {
  readonly page: Page
  readonly portal: JourneyPortal
  readonly elsewhere: (options?: BrowserContextOptions) => Promise<Page>
  readonly later: (days: number) => Promise<unknown>
}

/** Time for an e-mail that is queued behind all other e-mails of a skipped month. */
const EMAIL_WAIT = { timeout: 90_000 }

/** Reloads a page until the text is shown, because jobs of the portal's day run in the background. */
const expectAfterReload = (page: Page, text: string) =>
  expect(async () => {
    await page.reload()
    await expect(page.getByText(text)).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 90_000 })

/**
 * Accepts a quote and signs a Direct Debit Instruction with the keyboard alone, at the width of a phone, on day 15, and
 * waits until its collection pays the invoice.
 */
async function collectByDirectDebit({ page, portal, elsewhere, later }: DebitScene) {
  const send = await createApiSender(page, 'manager')
  const post = (path: string, data: object) => send('post', path, data)
  const email = `debit.${Date.now()}@journey.example`
  const customer = await createCustomer(send, email, 'Debit Doors Ltd')
  const quote = await post('/api/financial/quotes', {
    customer: customer['@id'],
    additionalItems: [{ description: 'Site visit', quantity: 1, unitAmount: 10_000 }],
  })
  await post(`${quote['@id']}/send`, {})
  const letter = (words: string | RegExp) =>
    portal.letters.findLast((l) => l.to.includes(email) && new RegExp(words).test(l.text))
  await expect.poll(() => letter('/quote/'), EMAIL_WAIT).toBeDefined()
  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.goto(/https?:\/\/\S+(\/quote\/\S+)/.exec(letter('/quote/')?.text ?? '')?.[1] ?? '')
  await tabTo(phone.getByLabel('Full name (Required)'))
  await phone.keyboard.type('Dora Doors')
  await tabTo(phone.getByRole('radio', { name: 'Draw' }))
  await phone.keyboard.press('ArrowRight')
  await press(phone.getByRole('button', { name: 'Accept and sign' }))
  await expect(phone.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
  await press(phone.getByRole('button', { name: /^Pay £120\.00 online/ }))
  await press(phone.getByRole('button', { name: 'Pay by Direct Debit' }))
  await press(phone.getByRole('button', { name: 'Yes, I can' }))
  const enter = async (label: string, text: string) => {
    await tabTo(phone.getByLabel(label))
    await phone.keyboard.press('ControlOrMeta+a')
    await phone.keyboard.type(text)
  }
  await enter('Name on the account', 'D Doors')
  await enter('Sort code', '08-99-99')
  await enter('Account number', '66374959')
  await expectAccessible(phone)
  await phone.keyboard.press('Enter')
  await expect(phone.getByRole('heading', { name: 'The Direct Debit Guarantee' })).toBeVisible()
  await expectAccessible(phone)
  await press(phone.getByRole('button', { name: 'Set up Direct Debit' }))
  // The check digits of the account are wrong: the form shows the field, and keeps the input.
  await expect(phone.getByText(/does not belong/)).toBeVisible()
  await enter('Sort code', '10-88-00')
  await enter('Account number', '00012345')
  await press(phone.getByRole('button', { name: 'Continue' }))
  await press(phone.getByRole('button', { name: 'Set up Direct Debit' }))
  await expect(phone.getByRole('status').getByText('Direct Debit is set up')).toBeVisible()
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  await later(19)
  await expect.poll(() => letter('we will collect'), EMAIL_WAIT).toBeDefined()
  await later(37)
  await expectAfterReload(phone, 'Your payment is pending')
  await expectAccessible(phone)
  await later(43)
  await expectAfterReload(phone, 'Thank you. This invoice has been paid')
  await page.goto('/crm/finance')
  await waitUntilSettled(page)
  await expectAccessible(page)
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
    await expect
      .poll(() => letter('We could not charge')?.text, EMAIL_WAIT)
      .toMatch(/We will try again on(?:.|\n)*\/pay\//)
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
  await test.step('a pause stops collection until the chosen day', async () => {
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

  await test.step('the customer pays on a phone through the link in the e-mail, with the keyboard alone', async () => {
    const link = /https?:\/\/\S+(\/pay\/\S+)/.exec(letter('We could not charge')?.text ?? '')?.[1] ?? ''
    const phone = await elsewhere(PHONE_OPTIONS)
    await phone.goto(link)
    await press(phone.getByRole('button', { name: /^Pay £/ }))
    const entry = phone.frameLocator('iframe')
    for (const [label, digits] of [
      ['Card number', '4242424242424242'],
      ['Expiry (MM/YY)', '12/49'],
      ['Security code', '123'],
    ] as const) {
      await tabTo(entry.getByLabel(label))
      await phone.keyboard.type(digits)
    }
    await phone.keyboard.press('Enter')
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
    await expect
      .poll(() => letter('has been paid')?.text, EMAIL_WAIT)
      .toContain('You have full access to your subscription again')
    await page.goto(`/crm/subscription/${subscription.id}`)
    await expect(page.getByText('Paid. The subscription is active again.')).toBeVisible()
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
  })
  await test.step('another customer accepts a quote and sets up a Direct Debit by keyboard, and the invoice is collected', () =>
    collectByDirectDebit({ page, portal, elsewhere, later }))
  await later(0)
})

test('an overdue invoice is chased, charged with interest and paid, and the VAT return is filed, all by keyboard', async ({
  page,
  portal,
  elsewhere,
}) => {
  test.slow()
  const send = await createApiSender(page, 'manager')
  const email = `late.${Date.now()}@journey.example`
  const customer = await createCustomer(send, email, 'Late Lathes Ltd')
  const draft = await send('post', '/api/financial/invoices', {
    customer: customer['@id'],
    lines: [{ description: 'Site visit', quantity: 1, unitAmount: 100_000 }],
  })
  const invoice = await send('post', `${draft['@id']}/issue`, {})
  // Otherwise an automatic reminder may be the first of the day.
  const [rules] = (await send('get', '/api/financial/dunning_settings'))['hydra:member']
  await send('put', rules['@id'], { ...rules, remindAll: false })
  await send('post', '/api/portal/clock', { days: 24 })
  await expect.poll(() => portal.letters.some((l) => l.to.includes(email)), EMAIL_WAIT).toBe(true)

  await signIn(page, 'manager', `/crm/overdue?q=${invoice.number}`)
  const row = page.getByRole('row').filter({ hasText: invoice.number })
  await expect(row).toContainText('10 days')
  await test.step('one key press sends a reminder of the invoice', async () => {
    await row.getByRole('button', { name: `Remind about ${invoice.number}` }).focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => portal.letters.some((l) => l.to.includes(email) && l.text.includes('was due on')), EMAIL_WAIT)
      .toBe(true)
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
  await test.step('interest is added by a debit note after confirmation', async () => {
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

  await test.step('the invoice is paid, and a phone shows it as paid', async () => {
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

  await test.step('the VAT return due is filed', async () => {
    await page.goto('/crm/finance')
    await page.getByRole('link', { name: /^VAT to / }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^VAT return/ })).toBeVisible()
    await page.getByRole('button', { name: /, rows of box 1$/ }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Rows of box 1' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Enter purchases' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Box 4: VAT on purchases').fill('100.10')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: '£100.10, rows of box 4' })).toBeVisible()
    await page.getByRole('button', { name: 'Record as filed' }).press('Enter')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Record as filed' }).press('Enter')
    await expect(page.getByText(/Filed with HMRC by hand on/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Enter purchases' })).toHaveCount(0)
    await waitUntilSettled(page)
    await expectAccessible(page)
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'manager', new URL(page.url()).pathname)
    await expect(phone.getByText(/Filed with HMRC by hand on/)).toBeVisible()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(phone)
  })
})
