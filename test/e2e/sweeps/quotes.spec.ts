import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { DEMO_PASSWORD, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { addQuoteLines } from '../support/quote-builder.ts'

test('an expired quote shows that it has expired, and no input is lost if somebody else saves first', async ({
  page,
  portal,
}) => {
  await signIn(page, 'manager', '/crm/quotes?state=expired')
  await expect(page.getByRole('link', { name: 'Q-00009' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/crm/quote/9')
  await expect(page.getByText('The customer did not answer before the expiry date.')).toBeVisible()

  await page.goto('/crm/quote/1')
  await page.getByLabel('Message to the customer').fill('Typed on this screen')
  const login = await fetch(`${portal.origin}/api/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'staff', password: DEMO_PASSWORD }),
  })
  const { token } = (await login.json()) as { token: string }
  const theirs = await fetch(`${portal.origin}/api/financial/quotes/1`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ message: 'Typed elsewhere' }),
  })
  expect(theirs.status).toBe(200)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Somebody else has changed this quote since you opened it')).toBeVisible()
  await expect(page.getByLabel('Message to the customer')).toHaveValue('Typed on this screen')
  await page.getByRole('button', { name: 'Keep my version' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('a discount above the limit is announced in the builder, requested once, notified, withdrawn, and approved by another person', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'staff', '/crm/quote')
  await page.getByRole('combobox', { name: 'Customer (Required)' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('combobox', { name: 'Coupon' }).click()
  await page
    .getByRole('option', { name: /half|50/i })
    .first()
    .click()
  await addQuoteLines(page, { total: false })
  await expect(page.getByText('Save the draft to request approval.')).toBeVisible()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/crm\/quote\/\d+/)
  await waitUntilSettled(page)
  const request = async () => {
    await page.getByLabel('Reason for this discount (Required)').first().fill('They take three sites')
    await page.getByRole('button', { name: 'Request approval' }).first().click()
    await expect(page.getByText(/^Waiting for approval since/).first()).toBeVisible()
  }
  await request()
  await page.getByRole('button', { name: 'Withdraw' }).first().click()
  await request()
  await page.getByRole('button', { name: 'Preview and send' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/^Waiting for approval since/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^(Send quote|Make quote live)$/ })).toHaveCount(0)
  await expect(dialog.getByLabel('Reason for this discount (Required)')).toHaveCount(0)
  await expectAccessible(page)

  const approver = await elsewhere()
  await signIn(approver, 'manager', '/dashboard')
  const waiting = approver.getByRole('region', { name: /^Discounts to approve/ })
  await waiting.getByRole('link', { name: 'Approvals' }).click()
  await approver.getByRole('button', { name: 'Approve', exact: true }).first().click()
  await approver.getByRole('button', { name: /^Approve discount of/ }).click()
  await expect(approver.getByText('No discounts to approve')).toBeVisible()
  await expect(dialog.getByText('Discount approved')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^(Send quote|Make quote live)$/ })).toBeVisible()
})

test('a quote that cannot be saved names the faulty line and links to it', async ({ page }) => {
  await signIn(page, 'staff', '/crm/quote')
  await page.getByRole('combobox', { name: 'Customer (Required)' }).click()
  await page.getByRole('option').first().click()
  const search = page.getByLabel('Add a plan, product or custom line')
  await search.fill('folder')
  await expect(page.getByRole('option', { name: /Printed safety folder/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('Setting up')
  await page.keyboard.press('Enter')
  await page.getByLabel('Message to the customer').fill('As we said')
  await page.getByRole('button', { name: 'Save draft' }).click()
  const summary = page.getByRole('alert').filter({ hasText: 'One problem to correct' })
  await expect(summary).toBeFocused()
  await expect(summary).toBeInViewport()
  await summary.getByRole('link', { name: /^Line 2, Setting up: Please enter the unit price/ }).click()
  await expect(page.getByRole('group', { name: 'Setting up' }).getByLabel('Unit price')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('120')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/crm\/quote\/\d+$/)
  await expect(page.getByLabel('Message to the customer')).toHaveValue('As we said')
})

test('a quote to a lead that must first become a customer is previewed with one click', async ({ page }) => {
  await signIn(page, 'staff', '/crm/contact/sale/701')
  await page.getByRole('button', { name: 'Create customer now' }).click()
  await page
    .getByRole('button', { name: /^(Create|Save|Add)/ })
    .first()
    .click()
  await expect(page.getByText(/Done: /).first()).toBeVisible()
  await addQuoteLines(page)
  await page.getByRole('button', { name: 'Preview and send', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('£244.80')
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByText(/^Done: (sent|on its way) to /)).toBeVisible()
  await expect(page.getByRole('group', { name: /^After Q-\d+ is sent$/ })).toBeFocused()
})

test('the quote is sent as shown in the form, whichever button sends it', async ({ page }) => {
  test.slow()
  await signIn(page, 'staff', '/crm/contact/sale/700')
  await addQuoteLines(page)
  const draft = page.getByRole('button', { name: 'Save draft' })
  const plan = page.getByRole('group', { name: /^Fleet/ }).first()
  const own = page.getByRole('group', { name: 'Setting up' })
  // Each field shows its error.
  const description = plan.getByLabel('Description')
  const name = await description.inputValue()
  const id = await description.getAttribute('id')
  const emptied = page.locator(`[id="${id}"]`)
  await description.fill('')
  const quantity = own.getByLabel('Quantity')
  await quantity.fill('-2')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('The quantity must be more than 0')
  await page.keyboard.press('Tab')
  await expect(quantity).toHaveAttribute('aria-invalid', 'true')
  await own.getByLabel('Unit price').fill('')
  await draft.click()
  await expect(page.getByRole('alert')).toContainText('Please enter a description')
  await expect(emptied).toHaveAttribute('aria-invalid', 'true')
  await expect(own.getByLabel('Unit price')).toHaveAttribute('aria-invalid', 'true')
  await expect(own.getByText('Please enter the unit price')).toHaveCount(1)
  await expectAccessible(page)
  await emptied.fill(name)
  await quantity.fill('1')
  await own.getByLabel('Unit price').fill('120')
  // The Save button only saves the draft, and leaves the page open.
  await draft.click()
  await expect(page.getByText(/^Draft Q-\d+$/)).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(draft).toBeFocused()
  await expect(draft).toBeInViewport()
  await expect(page.getByText(/Done: Q-/)).toHaveCount(0)
  // The button of the last step also sends an unsaved extra line.
  const search = page.getByLabel('Add a plan, product or custom line')
  await search.fill('Training')
  await page.getByRole('option', { name: 'Add “Training” as a custom line' }).click()
  const more = page.getByRole('group', { name: 'Training' })
  await more.getByLabel('Unit price').fill('100')
  await expect(page.getByText('Not saved yet; stored on this device only')).toBeVisible()
  await page.getByRole('button', { name: /^Preview and send Q-\d+$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Quote' }).click()
  await expect(dialog.getByLabel('Totals')).toContainText('£364.80')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  // The shortcut key works in any field.
  await more.getByLabel('Description').fill('Training of two')
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('tab', { name: 'Quote' }).click()
  await expect(dialog.getByRole('list', { name: 'Lines' })).toContainText('Training of two')
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByText(/^Done: sent to/)).toBeVisible()
  await expect(page.getByText(/^Done: Q-\d+$/)).toBeVisible()
})
