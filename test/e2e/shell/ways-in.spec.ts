import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'

async function ask(page: Page, words: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill(words)
}

test('a new quote is started from the palette with eleven keystrokes, before any search response arrives', async ({
  page,
}) => {
  await signIn(page, 'manager', '/dashboard')
  await page.route('**/api/*/*?q=*', () => new Promise(() => {}))
  let keys = 0
  const press = async (key: string) => {
    keys++
    await page.keyboard.press(key)
  }
  await press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused()
  for (const letter of 'new quote') await press(letter === ' ' ? 'Space' : letter)
  await expect(page.getByRole('option', { selected: true })).toHaveText('New quote')
  await press('Enter')
  await expect(page).toHaveURL(/\/crm\/quote$/)
  expect(keys).toBe(11)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const [words, first] of [
    ['import', 'Import leads'],
    ['work as', 'Work as a client…'],
    ['dark', 'Dark mode'],
    ['leads', 'Leads'],
  ] as const) {
    await ask(page, words)
    await expect(page.getByRole('option', { selected: true })).toContainText(first)
    await page.keyboard.press('Escape')
  }
  await ask(page, 'dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test("a missing page still shows the menu and search, and a page that the user can't access states whom to ask", async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'worker.brick', '/no/such/page')
  await expect(page.getByRole('heading', { level: 1, name: 'This page could not be found' })).toBeVisible()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  // A word that only a hazard of the document has finds the document, and the list shows the same.
  await ask(page, 'asbest')
  const found = page.getByRole('option', { name: /RA-0001 Re-roofing Unit 4/ })
  await expect(found).toContainText('Hazard: Asbestos cement slates, soffits and flues')
  await expect(found.locator('mark')).toHaveText('Asbestos')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto('/safety/risk-assessment?q=asbestos+flue')
  await expect(page.getByRole('row', { name: /Re-roofing Unit 4, Kelham Works/ }).locator('mark')).toHaveText([
    'Asbestos',
    'flues',
  ])
  await expectAccessible(page)
  await page.goto('/crm/contact/list')
  await expect(page.getByText(/This page is for the provider’s own staff/)).toBeVisible()
  await page.goto('/config/users')
  await expect(page.getByText(/^Ask .*Priya Shah.* for access\./)).toBeVisible()
  await expect(page.getByText('ROLE_')).toHaveCount(0)
  await expectAccessible(page)

  await signIn(page, 'admin.brick', '/invoice/customer')
  // Nobody gives themselves a right while another administrator can.
  await expect(page.getByText(/^Ask Rhys Ellis for access\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Give yourself this right' })).toHaveCount(0)
  await expectAccessible(page)

  const unserved = await elsewhere()
  await unserved.route(/[/]assets[/]portal-.*[.]js$/, (route) => route.fulfill({ status: 404 }))
  await unserved.goto('/')
  await expect(unserved.getByRole('alert')).toContainText('The portal could not be loaded')
  await expectAccessible(unserved)
  await unserved.unroute(/[/]assets[/]portal-.*[.]js$/)
  await unserved.getByRole('button', { name: 'Reload' }).click()
  await expect(unserved.getByLabel('Username')).toBeVisible()
})

test('the dashboard leads an employee to a document to sign, and an administrator to documents to approve', async ({
  page,
}) => {
  await signIn(page, 'worker.brick', '/dashboard')
  const toSign = page.getByRole('region', { name: /^To sign/ })
  // One list contains the user's own signature requests with their due dates and, collapsed below, the documents for
  // everybody.
  await expect(toSign.getByText(/^Sign by \d\d\/\d\d\/\d{4}/).first()).toBeVisible()
  await toSign.getByText(/you can read \(no signature requested\)/).click()
  await expectAccessible(page)
  await toSign
    .getByRole('group')
    .getByRole('link', { name: /[A-Z]{2}-\d+/ })
    .first()
    .click()
  await page.getByRole('region', { name: 'Your signature' }).getByRole('button', { name: 'Go to signature' }).click()
  await expect(page.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
  await signIn(page, 'admin.brick', '/dashboard')
  const waiting = page.getByRole('region', { name: /^Awaiting my approval/ })
  await waiting.getByRole('link', { name: 'Toolbox talks', exact: true }).click()
  await expect(page).toHaveURL('/safety/toolbox-talks?state=complete')
  await page.goBack()
  await waiting
    .getByRole('link', { name: /TT-\d+/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible()
})
