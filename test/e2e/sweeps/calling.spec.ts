import { expect, type Page } from '@playwright/test'
import { signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findLayoutShift } from '../support/moved.ts'

const LIST = '/crm/contact/list?category=NEW&owner=mine'
const screen = (page: Page) => page.locator('[data-lead-screen]')
const leadOf = async (page: Page) => Number(await screen(page).getAttribute('data-lead-screen'))
const outcomes = (page: Page) => page.getByRole('region', { name: 'Outcome of the call' })
const later = (page: Page) => page.getByRole('textbox', { name: /^Note for / })

const awake = (page: Page) => expect(outcomes(page)).toHaveAttribute('data-settled', 'true')

async function startCalling(page: Page) {
  await signIn(page, 'staff', LIST)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.keyboard.press('c')
  await expect(screen(page)).toBeVisible()
  await awake(page)
  return leadOf(page)
}

/** Delays all requests for leads, as on a slow connection. */
const slowDown = (page: Page, ms: number) =>
  page.route(/\/api\/crm\/contacts\//, async (route) => {
    await new Promise((done) => setTimeout(done, ms))
    await route.continue()
  })

/** Presses keys without waiting for the screen, however slow the machine is. */
const pressAtOnce = (page: Page, keys: readonly string[]) =>
  page.evaluate(async (keys) => {
    for (const pressed of keys) {
      const key = pressed.replace('Control+', '')
      const code = /\d/.test(key) ? `Digit${key}` : ''
      const init = { key, code, ctrlKey: key !== pressed, bubbles: true, cancelable: true }
      ;(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', init))
      await Promise.resolve()
    }
  }, keys)

/**
 * Returns the notes and changes for a lead since a time in milliseconds. This excludes other users' earlier actions.
 */
async function writtenSince(page: Page, id: number, began: number) {
  const answer = await page.request.get(
    `/api/crm/contacts/${id}/actions?itemsPerPage=100`,
    await signInToApi(page, 'staff'),
  )
  const notes = ((await answer.json()) as { 'hydra:member': { timestamp: string; notes: string }[] })['hydra:member']
  return notes.filter((n) => Date.parse(n.timestamp) >= began).map((n) => n.notes)
}

const NOTE_TEXT = 'spoke to the office, will take it up, call 6 weeks'

for (const delay of [400, 2000]) {
  test(`text typed after an outcome is added to the right lead's note, at ${delay} ms latency`, async ({ page }) => {
    const lead = await startCalling(page)
    const began = Date.now()
    await slowDown(page, delay)
    await pressAtOnce(page, ['1', 's'])
    await expect(later(page)).toBeFocused()
    await page.keyboard.type(NOTE_TEXT.slice(1))
    await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(lead))
    const next = await leadOf(page)
    await expect(later(page)).toHaveValue(NOTE_TEXT)
    await page.keyboard.press('Enter')
    await expect(later(page)).toHaveCount(0)
    await awake(page)
    // The currently open lead is unchanged.
    expect(await leadOf(page)).toBe(next)
    await page.unrouteAll({ behavior: 'wait' })
    await expect(page.getByRole('article').filter({ hasText: NOTE_TEXT })).toHaveCount(0)
    await page.goto(`/crm/contact/view/${lead}`)
    await expect(page.getByRole('article').filter({ hasText: NOTE_TEXT })).toHaveCount(1)
    expect(await writtenSince(page, next, began)).toEqual([])
  })
}

test('a note discarded with Escape can be restored', async ({ page }) => {
  await startCalling(page)
  await slowDown(page, 400)
  await pressAtOnce(page, ['1', 's'])
  await page.keyboard.type(NOTE_TEXT.slice(1))
  await expect(later(page)).toHaveValue(NOTE_TEXT)
  await page.keyboard.press('Escape')
  await expect(later(page)).toHaveCount(0)
  await expect(page.getByText(/^Note for .* discarded$/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(later(page)).toHaveValue(NOTE_TEXT)
})

test("text typed after Ctrl+Z is added to the restored lead's note", async ({ page }) => {
  const lead = await startCalling(page)
  await page.keyboard.press('1')
  await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(lead))
  await awake(page)
  const next = await leadOf(page)
  await slowDown(page, 400)
  await pressAtOnce(page, ['Control+z', 's'])
  await page.keyboard.type(NOTE_TEXT.slice(1))
  await expect(screen(page)).toHaveAttribute('data-lead-screen', String(lead))
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue(NOTE_TEXT)
  await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: NOTE_TEXT })).toHaveCount(1)
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto(`/crm/contact/view/${next}`)
  await expect(page.getByRole('article').filter({ hasText: NOTE_TEXT })).toHaveCount(0)
})

test('a digit typed right after an outcome does not end a second call, and text typed then can be discarded', async ({
  page,
}) => {
  const lead = await startCalling(page)
  await pressAtOnce(page, ['1', '1'])
  await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(lead))
  const next = await leadOf(page)
  await awake(page)
  expect(await leadOf(page)).toBe(next)
  await pressAtOnce(page, ['1', 'n'])
  await page.keyboard.type('what')
  await expect(later(page)).toHaveValue('what')
  await page.keyboard.press('Escape')
  await expect(later(page)).toHaveCount(0)
  await expect(screen(page)).toBeVisible()
})

test('a sentence typed outside any field changes nothing, and an accidental outcome can be undone', async ({
  page,
}) => {
  await startCalling(page)
  await expect(page.getByRole('button', { name: /^(Add job title|Job title)/ }).first()).toBeVisible()
  await page.keyboard.type('yesterday 10 we spoke', { delay: 20 })
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-lead-screen] :is(input, textarea):focus')).toHaveCount(0)
  await page
    .getByRole('button', { name: /^(Add job title|Job title)/ })
    .first()
    .click()
  await page.keyboard.type('Foreman of the yard')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo: Job title' }).click()
  await expect(page.getByRole('region', { name: 'Details' }).getByText('Foreman of the yard')).toHaveCount(0)
})

test('Escape closes the topmost element, and arrow keys act on the focused one', async ({ page }) => {
  const lead = await startCalling(page)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  expect(await leadOf(page)).toBe(lead)

  // The previously entered date is restored.
  await page.keyboard.press('2')
  const when = page.getByRole('textbox', { name: 'Call back', exact: true })
  await when.fill('friday 3pm')
  await page.keyboard.press('Escape')
  await expect(when).toHaveCount(0)
  expect(await leadOf(page)).toBe(lead)
  await page.keyboard.press('2')
  await expect(when).toHaveValue('friday 3pm')
  await page.keyboard.press('Escape')

  await page.keyboard.press('n')
  await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.type('To be pinned')
  await page.keyboard.press('Control+Enter')
  const note = page.getByRole('article').filter({ hasText: 'To be pinned' })
  await note.getByRole('button', { name: 'Actions for this note' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  // The open menu also handles letters and digits.
  await page.keyboard.press('1')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect(await leadOf(page)).toBe(lead)

  await page.getByRole('radio', { name: 'All' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Activity' })).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'History' })).toBeChecked()
  expect(await leadOf(page)).toBe(lead)

  // In a combobox in the lead's details, the first Escape closes the list, the second ends editing, and only the third
  // closes the lead.
  const owner = page.getByRole('combobox', { name: 'Owner' })
  await page.getByRole('button', { name: /^(Owner|Add owner)/ }).click()
  await expect(owner).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(owner).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(owner).toHaveCount(0)
  expect(await leadOf(page)).toBe(lead)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Escape')
  await expect(screen(page)).toHaveCount(0)
})

test('arrow keys in a narrow window move between the tabs without leaving the lead', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 800 })
  const lead = await startCalling(page)
  await page.getByRole('tab', { name: 'Call' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true')
  expect(await leadOf(page)).toBe(lead)
  await page.keyboard.press('e')
  await expect(page.getByLabel('Contact name')).toBeFocused()
})

test('the E key edits the first field, even while a duplicate warning is shown', async ({ page }) => {
  const company = `Twice There ${Date.now()} Ltd`
  for (const person of ['Ann Other', 'Ann Third', 'Ann Fourth', 'Ann Fifth']) {
    await signIn(page, 'staff', '/cms/contact/create')
    await page.getByLabel('Company name').fill(company)
    await page.getByLabel('Contact name').fill(person)
    await page.getByRole('button', { name: 'Save and open' }).click()
    await expect(screen(page)).toBeVisible()
  }
  await expect(page.getByText(/possible duplicate/i)).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByLabel('Contact name')).toBeFocused()
})

test('a call open in two windows of the same user ends only once, and neither window loses input', async ({ page }) => {
  const lead = await startCalling(page)
  const other = await page.context().newPage()
  await other.goto(`/crm/contact/view/${lead}`)
  await expect(outcomes(other)).toHaveAttribute('data-settled', 'true')
  await other.getByLabel('Note', { exact: true }).fill('Rings back on Monday')
  await page.keyboard.press('1')
  await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(lead))
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible()
  await outcomes(other)
    .getByRole('button', { name: /^Not interested/ })
    .click()
  const refused = other.getByRole('alert').filter({ hasText: 'Not interested was not saved' })
  await expect(refused).toContainText('another outcome since you opened it: No answer, by you')
  await expect(refused.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expect(other.getByLabel('Note', { exact: true })).toHaveValue('Rings back on Monday')
  await refused.getByRole('button', { name: 'Choose another outcome' }).click()
  // The lead shows the recorded outcome, not its resulting category.
  await expect(other.getByText('No answer', { exact: true }).first()).toBeVisible()
})

test('keys ignored on a new lead look inactive, and two of them in a row are also ignored', async ({ page }) => {
  const lead = await startCalling(page)
  await pressAtOnce(page, ['1'])
  await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(lead))
  const next = await leadOf(page)
  const inactive = await page.evaluate(async () => {
    const region = document.querySelector('[data-settled]')
    const press = (digit: number) =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: `${digit}`, code: `Digit${digit}`, bubbles: true, cancelable: true }),
      )
    const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
    const before = region?.getAttribute('data-settled')
    press(0)
    await wait(300)
    press(1)
    return before
  })
  expect(inactive).toBe('false')
  await awake(page)
  expect(await leadOf(page)).toBe(next)
})

test('a lead that is only being viewed can be called by a colleague, and the first action reserves it', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'staff', LIST)
  await page.locator('[data-row-link]').first().click()
  await expect(screen(page)).toBeVisible()
  const lead = await leadOf(page)
  const colleague = await elsewhere()
  await signIn(colleague, 'manager', `/crm/contact/view/${lead}`)
  await waitUntilSettled(colleague)
  await expect(outcomes(colleague).getByRole('button', { name: /No answer/ })).toBeEnabled()
  await expect(colleague.getByRole('button', { name: /^In use by/ })).toHaveCount(0)
  const taken = page.waitForResponse(/\/lease$/)
  await page.getByLabel('Note', { exact: true }).fill('They call back at noon')
  await taken
  await colleague.reload()
  await expect(colleague.getByRole('button', { name: 'In use by Sam Taylor' }).first()).toBeDisabled()
  await expect(outcomes(colleague).getByRole('button', { name: /No answer/ })).toBeDisabled()
})

test("a colleague's lead cannot be called, and lifting “do not call” requires a reason", async ({
  page,
  elsewhere,
}) => {
  const lead = await startCalling(page)
  const colleague = await elsewhere()
  await signIn(colleague, 'manager', `/crm/contact/view/${lead}`)
  await expect(colleague.getByRole('button', { name: 'In use by Sam Taylor' }).first()).toBeDisabled()
  await expect(colleague.getByRole('button', { name: 'Edit phone' })).toBeVisible()
  await expect(colleague.locator('a[href^="tel:"]')).toHaveCount(0)

  await test.step('a lead marked “do not call” cannot be called from the list or on a phone either', async () => {
    const company = await colleague.getByRole('heading', { level: 1 }).textContent()
    await colleague.goto(`/crm/contact/list?category=ALL&q=${encodeURIComponent(company ?? '')}`)
    const row = colleague.locator(`[data-row="${lead}"]`)
    await expect(row).toContainText('Sam Taylor is working this lead')
    await expect(row.locator('a[href^="tel:"]')).toHaveCount(0)
    await waitUntilSettled(colleague)
    expect(await findLayoutShift(colleague)).toBeUndefined()
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'manager', `/crm/contact/view/${lead}`)
    await expect(phone.locator('[aria-haspopup="dialog"]', { hasText: 'In use by Sam Taylor' })).toBeDisabled()
    await expect(phone.getByRole('button', { name: 'How did the call end?' })).toHaveCount(0)
  })

  const barred = page.getByRole('switch', { name: 'Do not call' })
  await page.getByRole('region', { name: 'Details' }).getByText('Do not call', { exact: true }).scrollIntoViewIfNeeded()
  await barred.click({ force: true })
  await expect(page.getByText('This lead has asked not to be called. The number is blocked.')).toBeVisible()
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0)
  // Callers cannot remove the call block; lead administrators can, with a reason.
  await expect(barred).toBeDisabled()
  await colleague.goto(`/crm/contact/view/${lead}`)
  const lifts = colleague.getByRole('switch', { name: 'Do not call' })
  await expect(lifts).toBeChecked()
  await lifts.click({ force: true })
  const dialog = colleague.getByRole('dialog', { name: /^Allow calls to .* again\?$/ })
  await dialog.getByRole('button', { name: 'Allow calls' }).click()
  await expect(dialog.getByText('Please explain why this lead may be called again')).toBeVisible()
  await colleague.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(lifts).toBeChecked()
  await lifts.click({ force: true })
  await dialog.getByLabel(/^Why this lead may be called again/).fill('They rang us.')
  await dialog.getByRole('button', { name: 'Allow calls' }).click()
  await expect(lifts).not.toBeChecked()
  await expect(colleague.getByRole('article').filter({ hasText: 'They rang us.' })).toBeVisible()
})

test('the contact person is shown above the phone number, on a phone too', async ({ page, elsewhere }) => {
  const lead = await startCalling(page)
  const person = page.locator('[data-person]:not(li)')
  const above = async (at: Page) => {
    const [name, number] = [
      await at.locator('[data-person]:not(li)').boundingBox(),
      await at.locator('[data-number]').first().boundingBox(),
    ]
    expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThanOrEqual(number?.y ?? 0)
  }
  await expect(person).toHaveText(/\w/)
  await above(page)
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'staff', `/crm/contact/view/${lead}`)
  await expect(phone.locator('[data-person]:not(li)')).toHaveText((await person.textContent()) ?? '')
  await above(phone)
  await expect(phone.getByText(/\d\d:\d\d local time/)).toBeVisible()
})

test('a search is limited to its category, Escape clears the search, and an arrow key moves the focus to the rows', async ({
  page,
}) => {
  await signIn(page, 'staff', '/crm/contact/list?category=CB')
  const rows = page.locator('[data-row-link]')
  await expect(rows.first()).toBeVisible()
  const company = ((await rows.nth(3).textContent()) ?? '').trim()
  await page.keyboard.press('/')
  await page.keyboard.type(company)
  await page.waitForURL(/category=CB&q=/)
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: /^Results/ })).toHaveText(
    /\d/,
  )
  await expect(page.getByRole('button', { name: /^Call leads found for “/ })).toBeVisible()
  // One key press moves the focus into the rows.
  await page.keyboard.press('ArrowDown')
  await expect(rows.first()).toBeFocused()
  await expect(rows.first()).toHaveText(company)
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await page.waitForURL(/category=CB$/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
  // The list is no longer filtered by the earlier search words.
  await page.keyboard.type('zzz')
  await page.waitForURL(/q=zzz/)
  await page.goto('/crm/contact/list')
  await page.waitForURL(/category=CB$/)
  await expect(page.getByRole('button', { name: 'Start calling' })).toBeVisible()
})
