import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import {
  advanceToNextLead,
  callbackField,
  LEAD_LIST_PAGE_PATH,
  leadScreen,
  noteField,
  outcomeButton,
  pageHeading,
  pressShortcut,
  readCurrentLeadId,
} from '../support/lead-screen.ts'
import { findLayoutShift } from '../support/moved.ts'

test.use({ serviceWorkers: 'allow' })

async function startCalling(page: Page) {
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await page.getByRole('button', { name: 'Start calling' }).click()
  await expect(leadScreen(page)).toBeVisible()
}

test('a lost connection loses no input, and pending requests are executed once', async ({ page }) => {
  await signIn(page, 'staff', `${LEAD_LIST_PAGE_PATH}?category=NEW&owner=mine`)
  await startCalling(page)
  const lead = await readCurrentLeadId(page)
  await noteField(page).fill('Line went dead while saving.')
  await page.route('**/outcomes?*', (route) => route.abort())
  await outcomeButton(page, /^No answer/).click()
  const waiting = page.getByRole('button', { name: '1 waiting to be sent: show the list' })
  await expect(waiting).toBeVisible()
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(page.getByText('Line went dead while saving.')).toHaveCount(1)
  // The server receives this request, but its response is lost.
  const heard = Promise.withResolvers<void>()
  await page.route('**/outcomes?*', async (route) => {
    await route.fetch()
    await route.abort()
    heard.resolve()
  })
  await waiting.click()
  const list = page.getByRole('dialog', { name: 'Changes waiting to be sent' })
  await heard.promise
  await expect(list).toContainText('No answer')
  await page.unrouteAll({ behavior: 'wait' })
  await list.getByRole('button', { name: 'Send now' }).click()
  await expect(list).toContainText('All changes have been sent.')
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(page.getByText('Line went dead while saving.')).toHaveCount(1)
})

/** Performs an action, and waits until the portal has reserved the lead after the next one. */
async function nextTaken(page: Page, act: () => Promise<unknown>) {
  const taken = page.waitForResponse((answer) => /[/]next[?].*after=/.test(answer.url()))
  await act()
  await (await taken).finished()
}

test('the next lead is shown before the outcome is saved, and a refused outcome reopens its lead with the input', async ({
  page,
}) => {
  await signIn(page, 'staff', `${LEAD_LIST_PAGE_PATH}?category=NEW&owner=mine`)
  await nextTaken(page, () => startCalling(page))
  const lead = await readCurrentLeadId(page)
  await noteField(page).fill('Promised to ring back.')
  const held = Promise.withResolvers<void>()
  await page.route('**/outcomes?*', async (route) => {
    await held.promise
    await route.fulfill({
      status: 409,
      contentType: 'application/ld+json',
      body: JSON.stringify({ code: 'held', 'hydra:description': 'Maya Campbell is working this lead just now.' }),
    })
  })
  await advanceToNextLead(page, () => outcomeButton(page, /^No answer/).click())
  held.resolve()
  await expect(leadScreen(page)).toHaveAttribute('data-lead-screen', String(lead))
  await expect(page.getByRole('alert').filter({ hasText: 'No answer was not saved' })).toContainText('Maya Campbell')
  await expect(noteField(page)).toHaveValue('Promised to ring back.')
  await page.unroute('**/outcomes?*')
  await advanceToNextLead(page, () => page.getByRole('button', { name: 'Retry' }).click())
})

test('an unsaved note is saved as a draft', async ({ page }) => {
  await signIn(page, 'staff', `${LEAD_LIST_PAGE_PATH}?owner=mine`)
  await page.locator('[data-row-link]').first().click()
  await noteField(page).fill('Half a sentence')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  const question = page.getByRole('dialog', { name: 'Your note is not saved' })
  await question.getByRole('button', { name: 'Stay on this page' }).click()
  await expect(leadScreen(page)).toBeVisible()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await question.getByRole('button', { name: 'Leave and keep draft' }).click()
  await expect(page.locator('[data-row-link]').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(noteField(page)).toHaveValue('Half a sentence')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Half a sentence' })).toBeVisible()
  await expect(noteField(page)).toHaveValue('')
})

test('lead details can be edited in place, and the history shows the change', async ({ page }) => {
  await signIn(page, 'staff', `${LEAD_LIST_PAGE_PATH}?owner=mine`)
  await page.locator('[data-row-link]').nth(3).click()
  await page.getByRole('button', { name: /^Contact name/ }).click()
  await page.getByLabel('Contact name').fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Contact name: Ada Lovelace. Edit' })).toBeFocused()
  await page.getByText('History', { exact: true }).click()
  await expect(page.getByRole('article').first()).toContainText('→ Ada Lovelace')
})

test('Leads in the menu opens without former filters, and an empty list names its filter and can be cleared', async ({
  page,
}) => {
  await signIn(page, 'manager', `${LEAD_LIST_PAGE_PATH}?import=999999`)
  await expect(page.getByText('No leads of this import match the filters')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign leads' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.waitForURL(/dashboard/)
  await page.goto(LEAD_LIST_PAGE_PATH)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${LEAD_LIST_PAGE_PATH}$`))
  await page.goto(`${LEAD_LIST_PAGE_PATH}?import=999999`)
  await page.getByRole('button', { name: 'Show all leads' }).click()
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
})

test('a lead shows what its customer has bought and what its client uses, in one request', async ({ page }) => {
  const api = await signInToApi(page, 'manager')
  const customers = await (await page.request.get('/api/financial/quotes?state=accepted&itemsPerPage=1', api)).json()
  const [quote] = customers['hydra:member']
  const lead = Number(/\d+$/.exec(String(quote.contact?.['@id'] ?? quote.contact))?.[0])
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('customer_records')) requests += 1
  })
  await signIn(page, 'manager', `/crm/contact/view/${lead}`)
  const sold = page.getByRole('region', { name: 'Quotes', exact: true })
  await expect(sold.getByRole('link', { name: quote.reference })).toBeVisible()
  await waitUntilSettled(page)
  expect(requests).toBe(1)
  await expectAccessible(page)
})

test('two people never get the same lead to call', async ({ elsewhere }) => {
  const take = async (username: string) => {
    const page = await elsewhere()
    await signIn(page, username, `${LEAD_LIST_PAGE_PATH}?category=NEW`)
    await startCalling(page)
    return page
  }
  const [one, two] = await Promise.all([take('staff'), take('manager')])
  const work = async (page: Page) => {
    const leads = [await readCurrentLeadId(page)]
    for (let i = 0; i < 5; i++)
      leads.push(await advanceToNextLead(page, () => outcomeButton(page, /^No answer/).click()))
    return leads
  }
  const [first, second] = await Promise.all([work(one), work(two)])
  expect(first.filter((id) => second.includes(id))).toEqual([])
  await two.goto(`/crm/contact/view/${first.at(-1)}`)
  await expect(two.getByText('Sam Taylor is working this lead.')).toBeVisible()
  // The owner's name loads after the lead, without moving the page.
  expect(await findLayoutShift(two)).toBeUndefined()
  await expect(outcomeButton(two, /^No answer/)).toBeDisabled()
})

test('call outcomes on a phone are shown in a sheet within reach of the thumb', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE_OPTIONS)
  await signIn(page, 'staff', `${LEAD_LIST_PAGE_PATH}?category=NEW`)
  await expect(page.getByRole('list').locator('[data-row-link]').first()).toBeVisible()
  await startCalling(page)
  await page.getByRole('button', { name: 'How did the call end?' }).tap()
  const sheet = page.getByRole('dialog', { name: 'How did the call end?' })
  await expect(sheet).toBeVisible()
  for (const key of await outcomeButton(page, /./).all())
    expect((await key.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
  await advanceToNextLead(page, () => outcomeButton(page, /^No answer/).tap())
  await expect(sheet).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('the lead list, a lead and the new-lead form have no accessibility violations', async ({ page }) => {
  const look = async () => {
    await waitUntilSettled(page)
    await expectAccessible(page)
  }
  await signIn(page, 'staff', LEAD_LIST_PAGE_PATH)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await look()
  await startCalling(page)
  await expect(pageHeading(page)).not.toHaveText('Leads')
  const company = (await pageHeading(page).textContent()) ?? ''
  await look()
  await pressShortcut(page, '2')
  await expect(callbackField(page)).toBeVisible()
  await look()
  await page.goto('/cms/contact/create')
  await page.getByLabel('Company name').fill(company)
  await expect(page.getByText(/possible duplicates?$/i)).toBeVisible()
  await look()
})
