import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { setOwnPassword, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, test, waitUntilSettled } from '../support/journey.ts'
import { typePassword } from '../support/sign-in.ts'

// Sets up a client, up to the first sign-in of its administrator. The user may create clients but not manage users.

const PASSWORD = 'harbour lantern 47 quilt'

test("an interrupted client set-up is completed, and the client's administrator chooses a password and signs in", async ({
  page,
  elsewhere,
  portal,
}) => {
  test.setTimeout(90_000)
  const manager = await signInToApi(page, 'manager')
  const made = await page.request.post('/api/portal/users', {
    data: { username: 'sam.setter', name: 'Sam Setter', roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] },
    ...manager,
  })
  const { '@id': setter } = (await made.json()) as { '@id': string }
  await setOwnPassword(page.request, manager, { user: setter, username: 'sam.setter', password: PASSWORD })

  const company = `Harbour Kitchens ${Date.now() % 10_000}`
  await page.goto('/crm/pack-setup')
  await typePassword(page, 'sam.setter', PASSWORD)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up a client')
  await page.getByLabel('Company (Required)').fill(company)
  await page.getByLabel('Contact name').fill('Ada Kitchen')
  await page.getByLabel('Contact e-mail').fill('ada@harbor.example')
  await page.getByRole('button', { name: 'Create client' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Set up ${company}`)
  await expect(page.getByRole('heading', { name: 'Checklist: 2 of 5' })).toBeVisible()
  const administrator = page.getByRole('region', { name: 'Administrator' })
  await administrator.getByRole('button', { name: 'Create administrator' }).click()
  await expect(administrator.getByText('ada@harbor.example')).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)

  // Leaves the set-up and returns to it from the list of clients.
  await page.goto('/cms/clients')
  await page.getByRole('searchbox', { name: 'Search by company, contact, town or number' }).fill(`kitchen ${company}`)
  await expect(page).toHaveURL(/[?&]q=kitchen/)
  const row = page.getByRole('row').filter({ hasText: company })
  await expect(row).toContainText('Nobody has signed in')
  await row.getByText(company).click()
  await expect(page.getByRole('region', { name: 'Health' })).toContainText('1 user')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Set up', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Checklist: 3 of 5' })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await administrator.getByRole('button', { name: 'Correct details' }).click()
  await administrator.getByLabel('E-mail').fill('ada@harbour.example')
  await administrator.getByRole('button', { name: 'Save' }).click()
  await expect(administrator.getByText('ada@harbour.example')).toBeVisible()
  await administrator.getByRole('button', { name: 'Send login details' }).click()
  await expect(page.getByRole('heading', { name: 'Checklist: 4 of 5' })).toBeVisible()
  await waitUntilSettled(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)

  const letter = () => portal.letters.find((l) => l.to === 'ada@harbour.example')
  await expect.poll(() => letter()?.text).toContain('/forgotten-my-password/')
  expect(portal.letters.some((l) => l.to === 'ada@harbor.example')).toBe(false)
  const username = /Your username is (\S+)/.exec(letter()?.text ?? '')?.[1] ?? ''
  const theirs = await elsewhere(PHONE_OPTIONS)
  await theirs.goto(new URL(/https?:\S+\/forgotten-my-password\/[\w-]+/.exec(letter()?.text ?? '')?.[0] ?? '').pathname)
  await theirs.getByLabel('New password', { exact: true }).fill('cardigan orbit 92 maple')
  await theirs.getByRole('button', { name: 'Set password' }).tap()
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Your password has been set')
  await theirs.getByRole('link', { name: 'Sign in' }).tap()
  await typePassword(theirs, username, 'cardigan orbit 92 maple')
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Hello, Ada')

  await page.setViewportSize({ width: 1280, height: 720 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Checklist: 5 of 5' })).toBeVisible()
  await expect(administrator.getByRole('button', { name: /(Send|Resend) login details/ })).toHaveCount(0)
})
