import { expect, type Page } from '@playwright/test'
import { createApiSender } from '../support/api.ts'
import { signIn, test } from '../support/journey.ts'

const screen = (page: Page) => page.locator('[data-lead-screen]')

test("an absent colleague's due callback is opened for another caller, before older callbacks without an owner", async ({
  page,
}) => {
  const send = await createApiSender(page, 'manager')
  // The absent colleague is a new user, so that no other test is affected.
  const away = { username: 'brack.field', name: 'Brack Field', email: 'brack.field@portal.example' }
  const { '@id': colleague } = await send('post', '/api/crm/staff/new', away)
  await send('put', colleague, { awayUntil: '2999-01-01' })
  const due = Math.floor(Date.now() / 1000)
  const older = await send('post', '/api/crm/contacts', { companyName: 'Brackenfield One', callbackDate: due - 7200 })
  const his = await send('post', '/api/crm/contacts', {
    companyName: 'Brackenfield Two',
    callbackDate: due - 60,
    owner: colleague,
  })
  await signIn(page, 'staff', '/crm/contact/list?q=Brackenfield')
  await expect(page.locator('[data-row-link]')).toHaveCount(2)
  await page.keyboard.press('c')
  await expect(screen(page)).toHaveAttribute('data-lead-screen', String(his.id))
  await expect(page.getByRole('region', { name: 'Outcome of the call' })).toHaveAttribute('data-settled', 'true')
  await page.keyboard.press('1')
  await expect(screen(page)).toHaveAttribute('data-lead-screen', String(older.id))
})
