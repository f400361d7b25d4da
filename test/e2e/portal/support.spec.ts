import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

test("a failed page links to support with the page's URL and error reference, and staff answer the request", async ({
  page,
  elsewhere,
  portal,
}) => {
  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.route('**/api/portal/alerts', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'req-77' },
      contentType: 'application/ld+json',
      body: JSON.stringify({ 'hydra:description': 'Something went wrong.', code: 'failed' }),
    }),
  )
  await signIn(phone, 'admin.brick', '/config/alerts?secret=1')
  await phone.getByRole('link', { name: 'Contact support' }).tap()
  const dialog = phone.getByRole('dialog', { name: 'Contact support' })
  await expect(dialog.getByRole('textbox', { name: 'Page' })).toHaveValue('/config/alerts')
  await expect(dialog.getByRole('textbox', { name: 'Reference' })).toHaveValue('req-77')
  const subject = `Alerts don’t come ${Date.now() % 10_000}`
  await dialog.getByLabel('Subject').fill(subject)
  await dialog.getByLabel('Message').fill('The page says that it could not be loaded.')
  await dialog.getByLabel('Reply to').fill('priya@brick.example')
  await expectAccessible(phone)
  await dialog.getByRole('button', { name: 'Send' }).tap()
  await expect(dialog).toHaveCount(0)

  await signIn(page, 'staff', '/cms/tickets')
  await page.getByRole('row').filter({ hasText: subject }).getByText(subject).click()
  const ticket = page.getByRole('dialog')
  await expect(ticket).toContainText('/config/alerts · req-77')
  await ticket.getByLabel('Answer').fill('It works again: please try once more.')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await ticket.getByRole('button', { name: 'Answer by e-mail' }).click()
  await expect(ticket).toHaveCount(0)
  await expect
    .poll(() => portal.letters.some((l) => l.to === 'priya@brick.example' && l.text.includes('try once more')))
    .toBe(true)

  await phone.unroute('**/api/portal/alerts')
  await phone.goto('/help')
  const asked = phone.getByRole('region', { name: 'Your support requests' })
  await expect(asked.getByRole('listitem').filter({ hasText: subject })).toContainText('It works again')
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await signIn(phone, 'admin.brick', '/config/alerts')
  const first = phone.getByRole('checkbox', { name: /^Daily e-mail: / }).first()
  const was = await first.isChecked()
  await first.click()
  await expect(first).toBeChecked({ checked: !was })
  await phone.getByRole('button', { name: 'Send me a test e-mail' }).tap()
  await expect.poll(() => portal.letters.some((l) => l.text.includes('You asked for this test e-mail'))).toBe(true)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(phone)
})
