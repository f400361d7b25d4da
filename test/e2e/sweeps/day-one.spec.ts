import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { typePassword } from '../support/sign-in.ts'

const PASSWORD = 'lantern orchard 58 velvet'

test('a new caller gets an account, sets a password, makes a first call, and sees the result', async ({
  page,
  elsewhere,
  portal,
}) => {
  test.setTimeout(90_000)
  await signIn(page, 'manager', '/cms/staff/new')
  await page.getByLabel('Name', { exact: true }).fill('Dawn Early')
  await page.getByLabel('Username').fill('dawn.early')
  await page.getByLabel('E-mail', { exact: true }).fill('dawn@provider.example')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create member of staff' }).click()
  await expect(page).toHaveURL(/\/staff\/dawn\.early$/)

  const letter = () => portal.letters.find((l) => l.to === 'dawn@provider.example')
  await expect.poll(() => letter()?.text).toContain('/forgotten-my-password/')
  const theirs = await elsewhere(PHONE_OPTIONS)
  await theirs.goto(new URL(/https?:\S+\/forgotten-my-password\/[\w-]+/.exec(letter()?.text ?? '')?.[0] ?? '').pathname)
  await theirs.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await theirs.getByRole('button', { name: 'Set password' }).tap()
  await theirs.getByRole('link', { name: 'Sign in' }).tap()
  await typePassword(theirs, 'dawn.early', PASSWORD)
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Hello, Dawn')

  const company = `Dawn Chorus ${Date.now()} Ltd`
  await theirs.goto('/cms/contact/create')
  await theirs.getByLabel('Company name').fill(company)
  await theirs.getByLabel('Phone').fill('01632 960 477')
  await waitUntilSettled(theirs)
  await expectAccessible(theirs)
  await theirs.getByRole('button', { name: 'Save and open' }).tap()
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(company)

  // If the user opens a row while still typing a search, the lead stays open.
  await theirs.setViewportSize({ width: 1280, height: 800 })
  await theirs.goto('/crm/contact/list')
  await expect(theirs.locator('[data-row-link]').first()).toBeVisible()
  const rows = theirs.locator('[data-row-link]')
  const [first, second] = [
    await rows.nth(0).getAttribute('data-row-link'),
    await rows.nth(1).getAttribute('data-row-link'),
  ]
  await theirs.getByRole('searchbox').focus()
  // One task, so that the pause after which the box searches can't end between the two.
  await theirs.evaluate(() => {
    document.execCommand('insertText', false, 'a')
    document.querySelector<HTMLElement>('[data-row-link]')?.click()
  })
  await expect(theirs).toHaveURL(new RegExp(`/crm/contact/view/${first}`))
  await expect(theirs.getByRole('region', { name: 'Outcome of the call' })).toHaveAttribute('data-settled', 'true')
  expect(new URL(theirs.url()).pathname).toBe(`/crm/contact/view/${first}`)
  // Recording the lead's outcome opens the next row of the list, not the next lead of the queue.
  await theirs.keyboard.press('1')
  await expect(theirs).toHaveURL(new RegExp(`/crm/contact/view/${second}`))
  await waitUntilSettled(theirs)

  await theirs.goto('/cms/statistics')
  await expect(theirs.getByRole('row').filter({ hasText: 'Dawn Early' }).first()).toContainText('1')
  await waitUntilSettled(theirs)
  await expectAccessible(theirs)
})
