import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

test("a client's quote is accepted by the customer and becomes one invoice, which is paid", async ({
  page,
  portal,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'office.brick', '/invoice/quote/create')
  await page.getByRole('combobox', { name: 'Customer (Required)' }).fill('Doyle')
  await page.getByRole('option', { name: /Doyle/ }).click()
  const search = page.getByLabel('Add a plan, product or custom line')
  await search.fill('Mortar')
  await expect(page.getByRole('option', { name: /^Mortar/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page
    .getByRole('group', { name: /Mortar/ })
    .getByLabel('Quantity')
    .fill('2')
  await page.getByRole('button', { name: 'Preview and send' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('from Brick & Beam Construction Ltd')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await page.waitForURL(/\/invoice\/quote\/view\/\d+/)
  const ours = page.url()

  // The customer accepts the quote on a phone; accepting it again in a second open window changes nothing.
  let link = ''
  await expect(() => {
    const letter = portal.letters.findLast(({ text }) => text.includes('Brick & Beam') && text.includes('/quote/'))
    link = /http:\S+\/quote\/\S+/.exec(letter?.text ?? '')?.[0] ?? ''
    expect(link).not.toBe('')
  }).toPass()
  const theirs = await elsewhere(PHONE_OPTIONS)
  const again = await elsewhere(PHONE_OPTIONS)
  for (const window of [theirs, again]) {
    await window.goto(new URL(link).pathname)
    await window.getByText('Type', { exact: true }).click()
    await window.getByLabel('Full name (Required)').fill('Ann Doyle')
  }
  for (const window of [theirs, again]) {
    await window.getByRole('button', { name: 'Accept and sign' }).tap()
    await expect(window.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
  }
  await expectAccessible(theirs)

  await page.goto(ours)
  const invoices = page.getByRole('region', { name: 'Created from this quote' })
  const made = invoices.getByRole('link', { name: 'Invoice BB-00414' })
  await expect(made).toHaveCount(1)
  await expect(invoices.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await made.click()
  await expect(page.getByText('Account number 00000001')).toBeVisible()
  await page.getByRole('button', { name: 'Record a payment' }).click()
  await expect(dialog.getByLabel('Received (Required)')).toHaveValue(ukDay(0))
  await dialog.getByLabel('Received (Required)').fill(ukDay(-1))
  await dialog.getByLabel('Reference').fill('BB-00414')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  await page.goto('/invoice/inventory')
  await expect(page.getByRole('row', { name: /Mortar/ })).toContainText('1 bag')

  const phone = await elsewhere(PHONE_OPTIONS)
  for (const path of ['/invoice', '/invoice/inventory', '/invoice/settings', new URL(ours).pathname]) {
    await signIn(phone, 'office.brick', path)
    await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
    expect([path, await phone.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
    await expectAccessible(phone)
  }
})

/** A day after today in London, such as `28/02/2026`. */
const ukDay = (days: number) =>
  Temporal.Now.plainDateISO('Europe/London')
    .add({ days })
    .toLocaleString('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })
