import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makePressCounter } from '../support/hands.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

test('an invoice is drafted, issued, sent and credited, and the statement shows an entry for each step', async ({
  page,
  portal,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'manager', '/crm/customers')
  await page.locator('[data-row-link]').nth(1).click()
  await expect(page.getByRole('heading', { name: 'Invoices', level: 2 })).toBeVisible()
  const theirs = page.url()
  await page.getByRole('link', { name: 'New invoice' }).click()

  const search = page.getByLabel('Add a plan, product or custom line')
  await search.fill('folder')
  await expect(page.getByRole('option', { name: /Printed safety folder/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('Setting up')
  await page.keyboard.press('Enter')
  const own = page.getByRole('group', { name: 'Setting up' })
  await own.getByLabel('Unit price').fill('100')
  await page.goBack()
  await page.goForward()
  await expect(own.getByLabel('Unit price')).toHaveValue('100.00')
  await page.reload()
  await expect(page.getByText('Your unsaved changes have been restored')).toBeVisible()
  await expect(own.getByLabel('Unit price')).toHaveValue('100.00')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/crm\/invoice\/\d+/)
  await expect(page.getByText('This is not a VAT invoice')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Preview and issue' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Totals')).toContainText('Total including VAT')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Issue invoice' }).click()
  const heading = page.getByRole('heading', { name: /^Invoice INV-\d+$/, level: 1 })
  await expect(heading).toBeVisible()
  const number = (await heading.textContent())?.replace('Invoice ', '') ?? ''
  await expect(() => {
    expect(portal.letters.findLast((l) => l.text.includes(number))?.text).toContain('It is attached.')
  }).toPass()
  await expectAccessible(page)

  // A credit note can credit parts of several lines, but never more than the uncredited amount.
  const hands = makePressCounter(page)
  await hands.click(page.getByRole('button', { name: 'Create credit note' }))
  const amount = dialog.getByLabel('Setting up (up to £100.00)')
  await hands.click(amount)
  await amount.fill('500')
  const reason = dialog.getByLabel('Reason (required)')
  await hands.click(reason)
  await reason.fill('Half of it was not done')
  await expect(dialog.getByText('At most £100.00 of this line can still be credited')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Create credit note' })).toBeDisabled()
  await hands.click(amount)
  await amount.fill('50')
  const folder = dialog.getByLabel(/^Printed safety folder.* \(up to £/)
  await hands.click(folder)
  await folder.fill('2')
  await expect(dialog.getByLabel('Credit note')).toContainText('Total incl. VAT£62.40')
  await expectAccessible(page)
  await hands.click(dialog.getByRole('button', { name: 'Create credit note' }))
  expect(hands.pressed()).toBeLessThanOrEqual(6)
  await expect(page.getByText(/^CN-\d+/).first()).toBeVisible()
  await expect(page.locator('section', { has: page.getByRole('heading', { name: 'Amount due' }) })).toContainText(
    'Credited£62.40',
  )
  await expect(dialog).toBeHidden()

  // The rest of the line can still be credited.
  await page.getByRole('button', { name: 'Create credit note' }).click()
  await expect(dialog.getByLabel('Setting up (up to £50.00)')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(theirs)
  await page.getByRole('button', { name: 'Statement' }).click()
  await expect(dialog.getByRole('row', { name: `Invoice ${number}` })).toBeVisible()
  await expect(dialog.getByRole('table')).toContainText('-£62.40')
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'manager', '/crm/invoices')
  await expect(phone.getByText(number)).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(phone)
  await phone.getByText(number).click()
  await expect(phone.getByRole('heading', { name: `Invoice ${number}` })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(phone)
})
