import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { PHONE, settled, signIn, test } from './support/journey.ts'
import { movedOn } from './support/moved.ts'

test.use({ serviceWorkers: 'allow' })

const LIST = '/crm/contact/list'
const screen = (page: Page) => page.locator('[data-lead-screen]')
const leadOf = async (page: Page) => Number(await screen(page).getAttribute('data-lead-screen'))
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const outcomes = (page: Page) => page.getByRole('region', { name: 'Outcome of the call' })
const outcome = (page: Page, name: string | RegExp) => outcomes(page).getByRole('button', { name })
const note = (page: Page) => page.getByLabel('Note', { exact: true })
const ringAgain = (page: Page) => page.getByLabel('Ring again')

/** Presses the key of an outcome, once the lead has been looked at for long enough that keys count. */
async function press(page: Page, key: string) {
  await expect(outcomes(page)).toHaveAttribute('data-settled', 'true')
  await page.keyboard.press(key)
}

async function startCalling(page: Page) {
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.getByRole('button', { name: 'Start calling' }).click()
  await expect(screen(page)).toBeVisible()
}

/** Does something that brings the next lead, and says which it is. */
async function onward(page: Page, act: () => Promise<unknown>): Promise<number> {
  const former = await leadOf(page)
  await act()
  await expect(screen(page)).not.toHaveAttribute('data-lead-screen', String(former))
  return leadOf(page)
}

async function count(page: Page, category: string): Promise<number> {
  const tab = page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: category })
  await expect(tab).toHaveText(/\d/)
  return Number(((await tab.textContent()) ?? '').replace(/\D/g, ''))
}

const calls: readonly ((page: Page) => Promise<unknown>)[] = [
  (page) => press(page, '1'),
  async (page) => {
    await press(page, '2')
    await expect(ringAgain(page)).toBeFocused()
    await page.keyboard.press('Enter')
  },
  (page) => press(page, '6'),
  async (page) => {
    await press(page, 'n')
    await expect(note(page)).toBeFocused()
    await page.keyboard.type('Asked for prices for 12 people.')
    await press(page, 'Alt+7')
  },
  async (page) => {
    await press(page, '3')
    await expect(ringAgain(page)).toBeFocused()
    await page.keyboard.type('tomorrow 2pm')
    await page.keyboard.press('Enter')
  },
  async (page) => {
    await press(page, '0')
    await expect(outcome(page, /^Dead/)).toBeVisible()
    await expect(outcome(page, /^No answer/)).toBeVisible()
    await page.keyboard.press('2')
  },
]

test('twenty leads are called by keyboard, and the counts follow', async ({ page }) => {
  test.slow()
  const path = `${LIST}?category=NEW&owner=mine`
  await signIn(page, 'staff', path)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await count(page, 'NEW')
  await page.keyboard.press('c')
  await expect(screen(page)).toBeVisible()
  // Out of how many says nothing of how far one has got: the queue gives the leads.
  await expect(page.getByRole('group', { name: 'Place in the list' })).not.toContainText(/\d/)
  const seen = new Set([await leadOf(page)])
  for (let i = 0; i < 20; i++) {
    seen.add(await onward(page, () => (calls[i % calls.length] as (typeof calls)[number])(page)))
  }
  expect(seen.size).toBe(21)
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname + url.search === path)
  await expect.poll(() => count(page, 'NEW')).toBe(before - 20)
})

test('five leads are called by mouse, and an outcome is taken back with what was typed', async ({ page }) => {
  await signIn(page, 'staff', `${LIST}?category=NEW&owner=mine`)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await count(page, 'NEW')
  await page.locator('tbody tr').first().click()
  await expect(screen(page)).toBeVisible()
  await onward(page, () => outcome(page, /^No answer/).click())
  await onward(page, async () => {
    await outcome(page, /^Callback/).click()
    await page
      .getByRole('button', { name: / 10:00$/ })
      .first()
      .click()
  })
  await onward(page, () => outcome(page, /^Not interested/).click())
  await onward(page, async () => {
    await outcome(page, /^More/).click()
    await outcome(page, /^Dead/).click()
  })
  const lead = await leadOf(page)
  await note(page).fill('Rang back at once.')
  await onward(page, () => outcome(page, /^Not at this time/).click())
  await page.getByRole('button', { name: /^Undo/ }).last().click()
  await expect(screen(page)).toHaveAttribute('data-lead-screen', String(lead))
  await expect(note(page)).toHaveValue('Rang back at once.')
  await note(page).fill('')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => count(page, 'NEW')).toBe(before - 4)
})

test('a lost connection loses nothing, and what waited for it is done once', async ({ page }) => {
  await signIn(page, 'staff', `${LIST}?category=NEW&owner=mine`)
  await startCalling(page)
  const lead = await leadOf(page)
  await note(page).fill('Line went dead while saving.')
  await page.route('**/outcomes?*', (route) => route.abort())
  await outcome(page, /^No answer/).click()
  const waiting = page.getByRole('button', { name: '1 waiting to be sent: show the list' })
  await expect(waiting).toBeVisible()
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(page.getByText('Line went dead while saving.')).toHaveCount(1)
  // This time the server hears it, and only its answer is lost.
  const heard = Promise.withResolvers<void>()
  await page.route('**/outcomes?*', async (route) => {
    await route.fetch()
    await route.abort()
    heard.resolve()
  })
  await waiting.click()
  const list = page.getByRole('dialog', { name: 'Waiting to be sent' })
  await heard.promise
  await expect(list).toContainText('No answer')
  await page.unrouteAll({ behavior: 'wait' })
  await list.getByRole('button', { name: 'Send now' }).click()
  await expect(list).toContainText('Everything has been sent.')
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(page.getByText('Line went dead while saving.')).toHaveCount(1)
})

/** Does something, and waits until the lead that comes after this one has been taken. */
async function nextTaken(page: Page, act: () => Promise<unknown>) {
  const taken = page.waitForResponse((answer) => /[/]next[?].*after=/.test(answer.url()))
  await act()
  await (await taken).finished()
}

test('the next lead is shown before the outcome is answered, and a refusal brings its lead back with what was typed', async ({
  page,
}) => {
  await signIn(page, 'staff', `${LIST}?category=NEW&owner=mine`)
  await nextTaken(page, () => startCalling(page))
  const lead = await leadOf(page)
  await note(page).fill('Promised to ring back.')
  const held = Promise.withResolvers<void>()
  await page.route('**/outcomes?*', async (route) => {
    await held.promise
    await route.fulfill({
      status: 409,
      contentType: 'application/ld+json',
      body: JSON.stringify({ code: 'held', 'hydra:description': 'Maya Campbell is working this lead just now.' }),
    })
  })
  await onward(page, () => outcome(page, /^No answer/).click())
  held.resolve()
  await expect(screen(page)).toHaveAttribute('data-lead-screen', String(lead))
  await expect(page.getByRole('alert').filter({ hasText: 'No answer is not saved' })).toContainText('Maya Campbell')
  await expect(note(page)).toHaveValue('Promised to ring back.')
  await page.unroute('**/outcomes?*')
  await onward(page, () => page.getByRole('button', { name: 'Retry' }).click())
})

test('an unsaved note is kept as a draft', async ({ page }) => {
  await signIn(page, 'staff', `${LIST}?owner=mine`)
  await page.locator('[data-row-link]').first().click()
  await note(page).fill('Half a sentence')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  const question = page.getByRole('dialog', { name: 'Your note is not saved' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect(screen(page)).toBeVisible()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await question.getByRole('button', { name: 'Leave it as a draft' }).click()
  await expect(page.locator('[data-row-link]').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(note(page)).toHaveValue('Half a sentence')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Half a sentence' })).toBeVisible()
  await expect(note(page)).toHaveValue('')
})

test('details are edited where they stand, and the change is in the history', async ({ page }) => {
  await signIn(page, 'staff', `${LIST}?owner=mine`)
  await page.locator('[data-row-link]').nth(3).click()
  await page.getByRole('button', { name: /^Contact name/ }).click()
  await page.getByLabel('Contact name').fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Contact name: Ada Lovelace. Edit' })).toBeFocused()
  await page.getByText('History', { exact: true }).click()
  await expect(page.getByRole('article').first()).toContainText('→ Ada Lovelace')
})

test('a new lead is made, found by its words, and is the last of what was found', async ({ page }) => {
  const company = `Quillfeather ${Date.now()} Ltd`
  await signIn(page, 'staff', '/cms/contact/create')
  await page.getByRole('button', { name: 'Save and open' }).click()
  await expect(page.getByLabel('Company name')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Company name').fill(company)
  await page.getByLabel('Phone').fill('01632 960 123')
  await page.reload()
  await expect(page.getByLabel('Company name')).toHaveValue(company)
  await page.getByRole('button', { name: 'Save and open' }).click()
  await expect(heading(page)).toHaveText(company)
  await page.goto(LIST)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(company.toLowerCase().replace(' ltd', ''))
  await expect.poll(() => count(page, 'Found')).toBe(1)
  await page.getByRole('searchbox').blur()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(company)
  await press(page, '1')
  await expect(page.getByText('That was the last one.')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(LIST)
  await page.keyboard.press('Control+z')
  await expect(heading(page)).toHaveText(company)
})

test('two people never get the same lead', async ({ elsewhere }) => {
  const take = async (username: string) => {
    const page = await elsewhere()
    await signIn(page, username, `${LIST}?category=NEW`)
    await startCalling(page)
    return page
  }
  const [one, two] = await Promise.all([take('staff'), take('manager')])
  const work = async (page: Page) => {
    const leads = [await leadOf(page)]
    for (let i = 0; i < 5; i++) leads.push(await onward(page, () => outcome(page, /^No answer/).click()))
    return leads
  }
  const [first, second] = await Promise.all([work(one), work(two)])
  expect(first.filter((id) => second.includes(id))).toEqual([])
  await two.goto(`/crm/contact/view/${first.at(-1)}`)
  await expect(two.getByText('Sam Taylor is working this lead.')).toBeVisible()
  // Whose it is comes after the lead.
  expect(await movedOn(two)).toBeUndefined()
  await expect(outcome(two, /^No answer/)).toBeDisabled()
})

test('on a phone the outcomes are a sheet for the thumb', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE)
  await signIn(page, 'staff', `${LIST}?category=NEW`)
  await expect(page.getByRole('list').locator('[data-row-link]').first()).toBeVisible()
  await startCalling(page)
  await page.getByRole('button', { name: 'How did it end?' }).tap()
  const sheet = page.getByRole('dialog', { name: 'How did the call end?' })
  await expect(sheet).toBeVisible()
  for (const key of await outcome(page, /./).all())
    expect((await key.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
  await onward(page, () => outcome(page, /^No answer/).tap())
  await expect(sheet).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('list, lead and new lead have no accessibility violations', async ({ page }) => {
  const look = async () => {
    await settled(page)
    await expectAccessible(page)
  }
  await signIn(page, 'staff', LIST)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await look()
  await startCalling(page)
  await expect(heading(page)).not.toHaveText('Leads')
  const company = (await heading(page).textContent()) ?? ''
  await look()
  await press(page, '2')
  await expect(ringAgain(page)).toBeVisible()
  await look()
  await page.goto('/cms/contact/create')
  await page.getByLabel('Company name').fill(company)
  await expect(page.getByText(/possible duplicates?$/)).toBeVisible()
  await look()
})
