import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { PASSWORD, PHONE, signIn, test } from './support/journey.ts'
import type { Letter } from './support/letters.ts'

/** The link in the newest letter to this address. */
async function linkFor(letters: readonly Letter[], to: string, words: RegExp): Promise<string> {
  let link: string | undefined
  await expect(() => {
    link = /http:\S+\/quote\/\S+/.exec(letters.findLast((l) => l.to === to && words.test(l.text))?.text ?? '')?.[0]
    expect(link).toBeTruthy()
  }).toPass()
  return link as string
}

async function sign(page: Page) {
  const pad = page.getByRole('img', { name: /Box for your signature/ })
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

/** Adds lines by keyboard alone. */
async function build(page: Page) {
  const search = page.getByLabel('Add a plan, an item or something of your own')
  await search.fill('fleet, mon')
  await expect(page.getByRole('option', { name: /Fleet, monthly/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('folder')
  await expect(page.getByRole('option', { name: /Printed safety folder/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('Setting up')
  await page.keyboard.press('Enter')
  const own = page.getByRole('group', { name: 'Setting up' })
  await own.getByLabel('Price of one').fill('120')
  // 39 + 45 + 120 and a fifth
  await expect(page.getByLabel('Totals')).toContainText('£244.80')
}

/** What a line is called is read whole, at a desk and on a phone. */
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

test('from a lead to a signature on a telephone, and its timeline tells', async ({ page, portal, elsewhere }) => {
  test.slow()
  const email = `quotes.${Date.now()}@journey.example`
  // Whenever it is asked for: a page may ask before it is opened.
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
    .click()
  await page.waitForURL(/\/crm\/contact\/view\/\d+/)
  const lead = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])

  // From the lead to a quote of three lines that is sent: three clicks, and the lines by keyboard.
  let clicks = 0
  const click = async (name: string | RegExp) => {
    clicks++
    await page.locator('#main, [role=dialog]').getByRole('button', { name }).last().click()
  }
  clicks++
  await page.getByRole('link', { name: 'Sell' }).click()
  await expect(page.getByText('Made with the quote.')).toBeVisible()
  const search = page.getByLabel('Add a plan, an item or something of your own')
  await expect(search).toBeFocused()
  // What is typed before the catalogue has come is not taken for something of one's own.
  await search.fill('Setting up')
  await search.press('Enter')
  await expect(page.getByText('Searching …')).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(0)
  catalogue.resolve()
  await expect(page.getByRole('option', { name: 'Add “Setting up” as an additional item' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Setting up' })).toHaveCount(0)
  await build(page)
  await expectAccessible(page)
  await expectWholeNames(page)
  // A reload loses nothing of it.
  await page.reload()
  await expect(page.getByText('What you typed before is back')).toBeVisible()
  await expect(page.getByLabel('Totals')).toContainText('£244.80')
  await click('Preview and send')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Hello Jo Turner,')
  await expect(dialog).toContainText('£244.80')
  await click('Send quote')
  await expect(page.getByText(`Done: sent to ${email}`)).toBeVisible()
  expect(clicks).toBeLessThanOrEqual(4)
  // What comes next is in sight, and has the focus.
  await expect(page.getByRole('group', { name: /^After Q-\d+ is sent$/ })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Copy the link' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Done: Journey Joinery Ltd').nth(1)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy the link' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the lead' }).click()
  await expect(page.getByText('Quote sent', { exact: true }).first()).toBeVisible()
  // It was the end of the call.
  await expect(page.getByText(/^Rung once, last on/)).toBeVisible()

  // Who sells while they are calling goes on with another lead, also after a reload.
  await page.goto(`/crm/contact/sale/${lead}?from=&calling=1`)
  await page.getByRole('button', { name: 'Back to calling' }).click()
  await expect(page).toHaveURL(/\/crm\/contact\/view\/\d+\?from=.*&calling=1$/)
  expect(page.url()).not.toContain(`/view/${lead}?`)

  const theirs = await elsewhere(PHONE)
  // What is to be drawn comes no sooner than the face to draw it in, as it would on a machine that does nothing else.
  const face = theirs.waitForEvent('requestfinished', (r) => r.url().endsWith('.woff2'))
  await theirs.route('**/acceptances/**', async (route) => {
    await face
    await route.continue()
  })
  await theirs.goto(await linkFor(portal.letters, email, /Here is our quote/))
  await expect(theirs.getByLabel('Totals')).toContainText('£244.80')
  const terms = await theirs.getByRole('heading', { name: 'Terms' }).boundingBox()
  const signature = await theirs.getByText('Your signature').boundingBox()
  expect(terms?.y).toBeLessThan(signature?.y ?? 0)
  await expectAccessible(theirs)
  // There is no next screen to see the portal's face on.
  await expect(theirs.locator('html')).toHaveAttribute('data-face', '')
  const over = await theirs.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over).toBe(0)
  await theirs.getByRole('button', { name: 'Accept and sign' }).click()
  await expect(theirs.getByText('Please sign in the box, or type your name instead')).toBeVisible()
  await sign(theirs)
  // Where it fails, whoever has pressed the button reads it there, and nothing of the drawing is lost.
  await theirs.route('**/accept', (route) => route.abort(), { times: 1 })
  await theirs.getByRole('button', { name: 'Accept and sign' }).tap()
  await expect(theirs.getByRole('alert')).toBeInViewport({ ratio: 0.9 })
  await expect(theirs.getByRole('alert')).toContainText('still here')
  await expect(theirs.getByRole('img', { name: 'Your signature as drawn' })).toBeVisible()
  await theirs.getByRole('button', { name: 'Accept and sign' }).dblclick()
  await expect(theirs.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
  await expectAccessible(theirs)
  await expect(theirs.getByRole('region', { name: 'What happens next' })).toContainText(email)
  await theirs.reload()
  await expect(theirs.getByText(/Jo Turner accepted and signed this quote/)).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Accept and sign' })).toHaveCount(0)

  await page.goto(`/crm/contact/view/${lead}`)
  await expect(
    page.getByText(
      /The customer accepted quote Q-\d{5} \(£244\.80 first, then £46\.80 every month, including VAT\), signed by Jo Turner\./,
    ),
  ).toHaveCount(1)
  // Who has signed is a customer, and rung as a lead no more.
  await expect(page.getByText('Customer, signed', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Customer page' }).click()
  await expect(page.getByText('To be paid: £244.80')).toBeVisible()
  await expect(page.getByText('Nothing owed')).toHaveCount(0)
  await page.getByRole('region', { name: 'Quotes' }).getByRole('link', { name: /^Q-/ }).click()
  const history = page.getByRole('region', { name: 'History' })
  for (const words of [`Sent to ${email}`, 'First opened by the customer', 'Signed by Jo Turner'])
    await expect(history).toContainText(words)
  await linkFor(portal.letters, email, /Thank you\. Jo Turner accepted/)
})

test('a quote is declined, revised, compared, given more time and cancelled', async ({ page, elsewhere }) => {
  test.slow()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'staff', '/crm/quotes?state=open')
  await page.getByRole('link', { name: 'Q-00003' }).click()
  const link = async () => {
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await expect(page.getByText('The customer’s link is copied.').last()).toBeVisible()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const theirs = await elsewhere(PHONE)
  await theirs.goto(await link())
  await theirs.getByRole('button', { name: 'Decline', exact: true }).click()
  await theirs.getByLabel('Would you tell us why?').fill('The visit is too dear.')
  await theirs.getByRole('button', { name: 'Decline quote' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'This quote was declined' })).toBeVisible()

  await page.reload()
  await expect(page.getByText(/The reason: The visit is too dear\./)).toBeVisible()
  await page.getByRole('button', { name: 'Make a new revision' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Quote Q-00003/2' })).toBeVisible()
  const row = page.getByRole('group', { name: 'Site visit by a consultant' })
  await row.getByLabel('Quantity').focus()
  await page.keyboard.press('Alt+Delete')
  await expect(row).toHaveCount(0)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Compare with Q-00003', exact: true }).click()
  await expect(page.getByRole('row', { name: /Removed Site visit by a consultant/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Preview and send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByRole('button', { name: 'Give more time' })).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('heading', { level: 1, name: 'There is a newer version' })).toBeVisible()

  await page.getByRole('button', { name: 'Give more time' }).click()
  await page.getByLabel('Valid until (Required)').fill(inTwentyDays())
  await page.getByLabel('Why? (Required)').fill('The board meets in December.')
  await page.getByRole('dialog').getByRole('button', { name: 'Give more time' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const second = await link()
  await page.getByRole('button', { name: 'Cancel quote' }).click()
  await page.getByLabel('Why? (Required)').fill('They have closed.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel quote' }).click()
  await expect(page.getByText('Cancelled: They have closed.')).toBeVisible()
  await theirs.goto(second)
  await expect(theirs.getByRole('heading', { level: 1, name: 'This quote has been withdrawn' })).toBeVisible()
  await theirs.goto(`${second.slice(0, -2)}xx`)
  await expect(theirs.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible()
})

test('an expired quote says so, and nothing typed is lost when somebody else was quicker', async ({ page, portal }) => {
  await signIn(page, 'manager', '/crm/quotes?state=expired')
  await expect(page.getByRole('link', { name: 'Q-00009' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/crm/quote/9')
  await expect(page.getByText('Nobody answered in time.')).toBeVisible()

  await page.goto('/crm/quote/1')
  await page.getByLabel('A word to the customer').fill('Typed on this screen')
  const login = await fetch(`${portal.origin}/api/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'staff', password: PASSWORD }),
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
  await expect(page.getByLabel('A word to the customer')).toHaveValue('Typed on this screen')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('a quote that can’t be saved says which line keeps it, and leads there', async ({ page }) => {
  await signIn(page, 'staff', '/crm/quote')
  await page.getByRole('combobox', { name: 'Customer (Required)' }).click()
  await page.getByRole('option').first().click()
  const search = page.getByLabel('Add a plan, an item or something of your own')
  await search.fill('folder')
  await expect(page.getByRole('option', { name: /Printed safety folder/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await search.fill('Setting up')
  await page.keyboard.press('Enter')
  await page.getByLabel('A word to the customer').fill('As we said')
  await page.getByRole('button', { name: 'Save draft' }).click()
  const summary = page.getByRole('alert').filter({ hasText: 'One thing to put right' })
  await expect(summary).toBeFocused()
  await expect(summary).toBeInViewport()
  await summary.getByRole('link', { name: /^Line 2, Setting up: Please enter the price/ }).click()
  await expect(page.getByRole('group', { name: 'Setting up' }).getByLabel('Price of one')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('120')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/crm\/quote\/\d+$/)
  await expect(page.getByLabel('A word to the customer')).toHaveValue('As we said')
})

test('whoever is made a customer first is sent a quote as quickly: one press shows it', async ({ page }) => {
  await signIn(page, 'staff', '/crm/contact/sale/701')
  await page.getByRole('button', { name: 'Make the customer first' }).click()
  await page
    .getByRole('button', { name: /^(Create|Save|Add)/ })
    .first()
    .click()
  await expect(page.getByText(/Done: /).first()).toBeVisible()
  await build(page)
  await page.getByRole('button', { name: 'Preview and send', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('£244.80')
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByText(/^Done: (sent|on its way) to /)).toBeVisible()
  await expect(page.getByRole('group', { name: /^After Q-\d+ is sent$/ })).toBeFocused()
})

test('what is sent is what the form shows, whichever button sends it', async ({ page }) => {
  test.slow()
  await signIn(page, 'staff', '/crm/contact/sale/700')
  await build(page)
  const draft = page.getByRole('button', { name: 'Save draft' })
  const plan = page.getByRole('group', { name: /^Fleet/ }).first()
  const own = page.getByRole('group', { name: 'Setting up' })
  // Each field says what is wrong with it.
  const description = plan.getByLabel('Description')
  const name = await description.inputValue()
  const id = await description.getAttribute('id')
  const emptied = page.locator(`[id="${id}"]`)
  await description.fill('')
  const quantity = own.getByLabel('Quantity')
  await quantity.fill('-2')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('A quantity is more than 0')
  await page.keyboard.press('Tab')
  await expect(quantity).toHaveAttribute('aria-invalid', 'true')
  await own.getByLabel('Price of one').fill('')
  await draft.click()
  await expect(page.getByRole('alert')).toContainText('Please say what this line is for')
  await expect(emptied).toHaveAttribute('aria-invalid', 'true')
  await expect(own.getByLabel('Price of one')).toHaveAttribute('aria-invalid', 'true')
  await expect(own.getByText('Please enter the price of one')).toHaveCount(1)
  await expectAccessible(page)
  await emptied.fill(name)
  await quantity.fill('1')
  await own.getByLabel('Price of one').fill('120')
  // Saved, one is where one was, and nothing is done.
  await draft.click()
  await expect(page.getByText(/^Draft Q-\d+$/)).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(draft).toBeFocused()
  await expect(draft).toBeInViewport()
  await expect(page.getByText(/Done: Q-/)).toHaveCount(0)
  // A line more, which nobody has saved: the button of the last step sends it too.
  const search = page.getByLabel('Add a plan, an item or something of your own')
  await search.fill('Training')
  await page.getByRole('option', { name: 'Add “Training” as an additional item' }).click()
  const more = page.getByRole('group', { name: 'Training' })
  await more.getByLabel('Price of one').fill('100')
  await expect(page.getByText('Not saved yet, but kept here')).toBeVisible()
  await page.getByRole('button', { name: /^Preview and send Q-\d+$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Quote' }).click()
  await expect(dialog.getByLabel('Totals')).toContainText('£364.80')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  // By keyboard, from wherever one types.
  await more.getByLabel('Description').fill('Training of two')
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('tab', { name: 'Quote' }).click()
  await expect(dialog.getByRole('list', { name: 'Lines' })).toContainText('Training of two')
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByText(/^Done: sent to/)).toBeVisible()
  await expect(page.getByText(/^Done: Q-\d+$/)).toBeVisible()
})
