import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import type { SentEmail } from '../support/letters.ts'
import { addQuoteLines } from '../support/quote-builder.ts'

/**
 * Returns the quote link in the newest e-mail to this recipient whose text matches `words`. Waits until the e-mail has
 * arrived.
 */
async function linkFor(letters: readonly SentEmail[], to: string, words: RegExp): Promise<string> {
  let link: string | undefined
  await expect(() => {
    link = /http:\S+\/quote\/\S+/.exec(letters.findLast((l) => l.to === to && words.test(l.text))?.text ?? '')?.[0]
    expect(link).toBeTruthy()
  }).toPass()
  return link as string
}

async function sign(page: Page) {
  const pad = page.getByRole('img', { name: /Signature box/ })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) as { x: number; y: number; width: number; height: number }
  await page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.6)
  await page.mouse.down()
  for (const [x, y] of [
    [0.3, 0.2],
    [0.5, 0.7],
    [0.8, 0.3],
  ] as const)
    await page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 5 })
  await page.mouse.up()
  await expect(page.getByRole('img', { name: 'Your signature as drawn' })).toBeVisible()
}

/** Expects line descriptions to be fully visible on a desktop and on a phone. */
async function expectWholeNames(page: Page) {
  const description = page.getByRole('group', { name: 'Setting up' }).getByLabel('Description')
  await description.fill('Setting up of the portal, with everybody’s names and numbers')
  const names = page.getByLabel('Description')
  const size = page.viewportSize()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(() =>
        names.evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.id)),
      )
      .toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  if (size) await page.setViewportSize(size)
  await page
    .getByRole('group', { name: /^Setting up/ })
    .getByLabel('Description')
    .fill('Setting up')
}

const inTwentyDays = () => {
  const day = new Date(Date.now() + 20 * 86_400_000)
  return day.toLocaleDateString('en-GB', { timeZone: 'Europe/London' })
}

test("a lead receives a quote, signs it and pays by card on a phone, and the quote's timeline shows each step", async ({
  page,
  portal,
  elsewhere,
}) => {
  test.slow()
  const email = `quotes.${Date.now()}@journey.example`
  // Delays every request for the catalogue, because a page may prefetch it.
  const catalogue = Promise.withResolvers<void>()
  await page.route(/\/(?:plans|skus)\?/, async (route) => {
    await catalogue.promise
    await route.continue()
  })
  await signIn(page, 'staff', '/cms/contact/create')
  await page.getByLabel('Company name', { exact: true }).fill('Journey Joinery Ltd')
  await page.getByLabel('Contact name').fill('Jo Turner')
  await page.getByLabel('E-mail').fill(email)
  await page
    .getByRole('button', { name: /^(Create|Save|Add).*/ })
    .first()
    .press('Enter')
  await page.waitForURL(/\/crm\/contact\/view\/\d+/)
  const lead = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])

  // From the lead to a sent quote with three lines, the seller uses the keyboard alone, with three presses for actions.
  let presses = 0
  const press = async (name: string | RegExp) => {
    presses++
    const button = page.locator('#main, [role=dialog]').getByRole('button', { name }).last()
    await expect(button).toBeEnabled()
    await button.press('Enter')
  }
  presses++
  await expect(page.getByRole('link', { name: 'Sell' })).toBeVisible()
  await page.keyboard.press('s')
  await expect(page.getByText('The customer will be created with the quote.')).toBeVisible()
  const search = page.getByLabel('Add a plan, product or custom line')
  await expect(search).toBeFocused()
  // Text typed before the catalogue has loaded does not become a custom line.
  await search.fill('Setting up')
  await search.press('Enter')
  await expect(page.getByRole('listbox', { name: 'Matching plans and items' }).getByText('Searching…')).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(0)
  catalogue.resolve()
  await expect(page.getByRole('option', { name: 'Add “Setting up” as a custom line' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Setting up' })).toHaveCount(0)
  await addQuoteLines(page)
  await expectAccessible(page)
  await expectWholeNames(page)
  // A reload keeps the input.
  await page.reload()
  await expect(page.getByText('Your unsaved changes have been restored')).toBeVisible()
  await expect(page.getByLabel('Totals')).toContainText('£244.80')
  await press('Preview and send')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Hello Jo Turner,')
  await expect(dialog).toContainText('£244.80')
  await press('Send quote')
  await expect(page.getByText(`Done: sent to ${email}`)).toBeVisible()
  expect(presses).toBeLessThanOrEqual(4)
  // The page scrolls to the next step and focuses it.
  await expect(page.getByRole('group', { name: /^After Q-\d+ is sent$/ })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Copy the link' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Done: Journey Joinery Ltd').nth(1)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy the link' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the lead' }).press('Enter')
  await expect(page.getByText('Quote sent', { exact: true }).first()).toBeVisible()
  // Sending the quote ended the call, and the call is counted.
  await expect(page.getByText(/^Called once, last on/)).toBeVisible()

  // After a sale during a calling session, the seller continues with another lead, even after a reload.
  await page.goto(`/crm/contact/sale/${lead}?from=&calling=1`)
  await page.getByRole('button', { name: 'Back to calling' }).click()
  await expect(page).toHaveURL(/\/crm\/contact\/view\/\d+\?from=.*&calling=1$/)
  expect(page.url()).not.toContain(`/view/${lead}?`)

  const theirs = await elsewhere(PHONE_OPTIONS)
  const link = await linkFor(portal.letters, email, /Here is our quote/)
  await theirs.goto(link)
  await expect(theirs.getByLabel('Totals')).toContainText('£244.80')
  const terms = await theirs.getByRole('heading', { name: 'Terms' }).boundingBox()
  const signature = await theirs.getByText('Your signature').boundingBox()
  expect(terms?.y).toBeLessThan(signature?.y ?? 0)
  await expectAccessible(theirs)
  const over = await theirs.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over).toBe(0)
  await theirs.getByRole('button', { name: 'Accept and sign' }).click()
  await expect(theirs.getByText('Please sign in the box, or type your name instead')).toBeVisible()
  await sign(theirs)
  // If the request fails, the button shows the error, and the drawn signature is retained.
  await theirs.route('**/accept', (route) => route.abort(), { times: 1 })
  await theirs.getByRole('button', { name: 'Accept and sign' }).tap()
  await expect(theirs.getByRole('alert')).toBeInViewport({ ratio: 0.9 })
  await expect(theirs.getByRole('alert')).toContainText('still here')
  await expect(theirs.getByRole('img', { name: 'Your signature as drawn' })).toBeVisible()
  await theirs.getByRole('button', { name: 'Accept and sign' }).dblclick()
  await expect(theirs.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
  await expectAccessible(theirs)
  await expect(theirs.getByRole('region', { name: 'What happens next' })).toContainText(email)
  await test.step('after signing, three taps pay the invoice by card', async () => {
    await theirs.getByRole('button', { name: 'Pay £244.80 online' }).tap()
    await theirs.getByRole('button', { name: 'Pay £244.80 by card' }).tap()
    const entry = theirs.frameLocator('iframe')
    await entry.getByLabel('Card number').fill('4242424242424242')
    await entry.getByLabel('Expiry (MM/YY)').fill('12/49')
    await entry.getByLabel('Security code').fill('123')
    await expectAccessible(theirs)
    await entry.getByRole('button', { name: 'Pay with this card' }).tap()
    await expect(theirs.getByRole('heading', { name: 'Thank you. This invoice has been paid' })).toBeVisible()
    await expectAccessible(theirs)
    expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
  await theirs.goto(link)
  await expect(theirs.getByText(/Jo Turner accepted and signed this quote/)).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Accept and sign' })).toHaveCount(0)

  await test.step('the seller is congratulated on the page that is open', async () => {
    const praise = page.getByRole('dialog')
    await expect(praise).toContainText(/Journey Joinery Ltd.*Q-\d{5}|Q-\d{5}.*Journey Joinery Ltd/)
    await expectAccessible(page)
    await praise.getByRole('button', { name: 'Continue' }).press('Enter')
    await expect(praise).toBeHidden()
  })
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(
    page.getByText(
      /The customer accepted quote Q-\d{5} \(£244\.80 first, then £46\.80 every month, including VAT\), signed by Jo Turner\./,
    ),
  ).toHaveCount(1)
  // The lead has signed, so it is now a customer and is no longer called as a lead.
  await expect(page.getByText('Customer, signed', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Customer page' }).click()
  await expect(page.getByRole('region', { name: 'Account balance' })).toContainText('£0.00')
  const customerPath = new URL(page.url()).pathname
  await page.getByRole('region', { name: 'Quotes' }).getByRole('link', { name: /^Q-/ }).click()
  const history = page.getByRole('region', { name: 'History' })
  for (const words of [`Sent to ${email}`, 'First opened by the customer', 'Signed by Jo Turner'])
    await expect(history).toContainText(words)
  await linkFor(portal.letters, email, /Thank you\. Jo Turner accepted/)

  await test.step('the customer is set up as a client with its pack', async () => {
    await signIn(page, 'manager', customerPath)
    const setUp = page.getByRole('region', { name: 'Client set-up' })
    await expect(setUp).toContainText('Not created')
    await setUp.getByRole('link', { name: 'Set up the client' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up a client')
    await expect(page.getByLabel('Company (Required)')).toHaveValue('Journey Joinery Ltd')
    await page.getByRole('button', { name: 'Create client' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up Journey Joinery Ltd')
  })
})

test('a quote is declined, revised, compared, extended and cancelled', async ({ page, elsewhere }) => {
  test.slow()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'staff', '/crm/quotes?state=open')
  await page.getByRole('link', { name: 'Q-00003' }).click()
  const link = async () => {
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await expect(page.getByText('Link copied.').last()).toBeVisible()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const theirs = await elsewhere(PHONE_OPTIONS)
  await theirs.goto(await link())
  await theirs.getByRole('button', { name: 'Decline', exact: true }).click()
  await theirs.getByLabel('Reason (optional)').fill('The visit is too dear.')
  await theirs.getByRole('button', { name: 'Decline quote' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'This quote was declined' })).toBeVisible()

  await page.reload()
  await expect(page.getByText(/Reason: The visit is too dear\./)).toBeVisible()
  await page.getByRole('button', { name: 'Make a new revision' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Quote Q-00003/2' })).toBeVisible()
  const row = page.getByRole('group', { name: 'Site visit by a consultant' })
  await row.getByLabel('Quantity').focus()
  await page.keyboard.press('Alt+Delete')
  await expect(row).toHaveCount(0)
  await test.step('discounts on a line and on the quote are entered by keyboard, and shown with their amounts', async () => {
    const line = page.getByRole('group', { name: 'Health & Safety, monthly' })
    await line.getByLabel('Description').focus()
    const order: string[] = ['Quantity', 'Unit price', 'Discount %', 'VAT %']
    for (const label of order) {
      await page.keyboard.press('Tab')
      await expect(line.getByLabel(label)).toBeFocused()
    }
    await line.getByLabel('Discount %').fill('12.5')
    await page.getByLabel('Discount', { exact: true }).fill('10')
    await expect(
      page.getByText('This quote has a coupon. Remove the coupon, or leave the discount blank'),
    ).toBeVisible()
    await page.getByLabel('Discount', { exact: true }).fill('')
    const totals = page.getByLabel('Totals')
    await expect(totals).toContainText('Line discounts−£8.62')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  })
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Compare with Q-00003', exact: true }).click()
  await expect(page.getByRole('row', { name: /Removed Site visit by a consultant/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Changed Health & Safety.* less 12\.5%/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Preview and send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByRole('button', { name: 'Extend quote' })).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('heading', { level: 1, name: 'There is a newer version of this quote' })).toBeVisible()

  await page.getByRole('button', { name: 'Extend quote' }).click()
  await page.getByLabel('Valid until (Required)').fill(inTwentyDays())
  await page.getByLabel('Reason (required)').fill('The board meets in December.')
  await page.getByRole('dialog').getByRole('button', { name: 'Extend quote' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const second = await link()
  await page.getByRole('button', { name: 'Cancel quote' }).click()
  await page.getByLabel('Reason (required)').fill('They have closed.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel quote' }).click()
  await expect(page.getByText('Cancelled: They have closed.')).toBeVisible()
  await theirs.goto(second)
  await expect(theirs.getByRole('heading', { level: 1, name: 'This quote has been withdrawn' })).toBeVisible()
  await theirs.goto(`${second.slice(0, -2)}xx`)
  await expect(theirs.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible()
})
