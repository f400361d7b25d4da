import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

test("a manager assigns leads, reassigns a leaver's leads, and sets who can see which leads", async ({
  page,
  elsewhere,
}) => {
  const send = await createApiSender(page, 'manager')
  // The leaver is a new user, so that no other test is affected.
  await send('post', '/api/crm/staff/new', {
    username: 'thora.wick',
    name: 'Thora Wick',
    email: 'thora.wick@portal.example',
  })
  const make = (n: string) => send('post', '/api/crm/contacts', { companyName: `Thornwick ${n}` })
  const ids: number[] = []
  for (const n of ['One', 'Two', 'Three']) ids.push((await make(n)).id)
  const ownerOf = async (id: number | undefined) => (await send('get', `/api/crm/contacts/${id}`)).owner?.name ?? ''

  await signIn(page, 'manager', '/crm/contact/list?q=Thornwick')
  await expect(page.locator('[data-row-link]')).toHaveCount(3)
  await page.getByRole('button', { name: 'Assign leads' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign leads' })
  await expect(dialog.getByText('3 leads, assigned evenly.')).toBeVisible()
  for (const box of await dialog.getByRole('checkbox').all())
    if (!(await box.evaluate((b) => (b as HTMLInputElement).labels?.[0]?.textContent?.includes('Thora Wick'))))
      await box.press('Space')
  await expect(dialog.getByText('gets 3')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Assign 3 leads' }).press('Enter')
  await expect(page.getByText('3 leads assigned')).toBeVisible()
  expect(await ownerOf(ids[0])).toBe('Thora Wick')

  await page.goto('/staff/thora.wick')
  await page.getByRole('button', { name: 'Retire' }).click()
  const over = page.getByRole('dialog', { name: 'Hand over Thora Wick’s leads' })
  await expect(over).toContainText(/Thora Wick has \d+ leads/)
  await expectAccessible(page)
  await over.getByRole('radio', { name: /^Unassigned/ }).check()
  await over.getByRole('button', { name: 'Hand over leads' }).click()
  await expect(page.getByText('Thora Wick retired')).toBeVisible()
  expect(await ownerOf(ids[0])).toBe('')

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'manager', '/cms/contact/search')
  await phone.getByLabel('Company name').fill('thornwick two')
  await phone.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(phone.getByRole('link', { name: 'Thornwick Two' })).toBeVisible()
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await phone.goto('/crm/settings')
  await phone.getByRole('switch', { name: /^Callers see only their own/ }).press('Space')
  await expect.poll(async () => (await send('get', '/api/portal/clients/0')).ownLeads).toBe(true)
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await send('put', '/api/portal/clients/0', { ownLeads: false })
})
