import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { type ApiRequestOptions, signInToApi } from '../support/api.ts'
import { INBOUND_EMAIL_SECRET, PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

async function make(page: Page, as: ApiRequestOptions, url: string, data: object): Promise<{ readonly id: number }> {
  const made = await page.request.post(url, { data, ...as })
  expect(made.status(), await made.text()).toBe(201)
  return made.json()
}

test('a list view becomes 200 letters in one PDF, omitted leads are listed, and each letter is shown on its lead', async ({
  page,
  elsewhere,
}) => {
  const as = await signInToApi(page, 'manager')
  await make(page, as, '/api/crm/letters', {
    name: 'Autumn visit',
    subject: 'A visit to {{company}}',
    body: '<p>Dear {{first name|customer}},</p><p>We are in {{city}} in <strong>November</strong>.</p>',
  })
  const lead = (n: number) => ({
    companyName: `Postville Works ${n}`,
    name: 'Ann Field',
    address1: n === 7 ? '' : `${n} High Street`,
    city: 'Leeds',
    postcode: 'LS1 1AA',
  })
  for (let n = 1; n <= 201; n += 15)
    await Promise.all(
      Array.from({ length: Math.min(15, 202 - n) }, (_, i) => make(page, as, '/api/crm/contacts', lead(n + i))),
    )

  await signIn(page, 'manager', '/crm/contact/list?q=Postville')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Select all 201' }).click()
  await bar.getByRole('button', { name: 'Letter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Letter for 201 leads' })
  await dialog.getByLabel('Letter').selectOption('Autumn visit')
  await expect(dialog.getByRole('region', { name: 'Letter preview' })).toContainText('We are in Leeds in November.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Print for 201 leads' }).click()
  await expect(dialog.getByText('200 letters are ready.')).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByRole('region', { name: 'Excluded' })).toContainText(
    'Postville Works 7: This lead has no postal address.',
  )
  await expectAccessible(page)
  const file = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save the PDF' }).click()
  expect((await file).suggestedFilename()).toBe('Letters Autumn visit.pdf')
  await dialog.getByRole('link', { name: 'View each letter' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Printed letters' })).toBeVisible()
  await page.locator('[data-row-link]').first().click()
  const copy = page.getByRole('dialog', { name: /^A visit to Postville Works/ })
  await copy.getByRole('link', { name: /^Postville Works/ }).click()
  const timeline = page.getByRole('article').filter({ hasText: 'Letter by post: A visit to Postville Works' })
  await timeline.getByRole('link', { name: 'Open' }).click()
  await expect(copy.getByRole('region', { name: 'Letter preview' })).toContainText('Dear Ann,')

  await page.goto('/letters')
  await expect(page.getByRole('link', { name: '200 leads' })).toBeVisible()
  await page.getByRole('link', { name: 'Autumn visit' }).click()
  await page.getByRole('combobox', { name: 'Preview for' }).fill('Postville Works 12')
  await page.getByRole('option', { name: 'Postville Works 12', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Letter preview' })).toContainText('We are in Leeds')
  const words = page.getByRole('textbox', { name: /^Letter/ })
  await words.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Your {{shoe size}}.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('There is no field “shoe size” for leads').first()).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'manager', '/letters')
  await expect(phone.getByRole('link', { name: 'Autumn visit' })).toBeVisible()
  await expectAccessible(phone)
})

test('a bounced e-mail to a lead is sent again', async ({ page, portal, elsewhere }) => {
  const as = await signInToApi(page, 'staff')
  const lead = await make(page, as, '/api/crm/contacts', {
    companyName: 'Bounce & Co',
    name: 'Ann Field',
    email: 'ann@bounce.example',
  })
  await signIn(page, 'staff', `/crm/contact/view/${lead.id}`)
  await page.getByRole('button', { name: 'Write an e-mail' }).click()
  const compose = page.getByRole('dialog', { name: /^E-mail to/ })
  await compose.getByLabel('Subject').fill('Hello {{company}}')
  await compose.getByLabel('Message', { exact: true }).fill('Dear {{first name}},\nwe are in {{city}} soon.')
  await compose.getByRole('button', { name: 'Preview' }).click()
  await expect(compose.getByText('Marketing needs this lead’s consent')).toBeVisible()
  await compose.getByLabel('The lead asked for this e-mail, or it answers an e-mail from the lead').check()
  await compose.getByRole('button', { name: 'Preview' }).click()
  await expect(compose.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await compose.getByLabel('City').fill('Leeds')
  await expectAccessible(page)
  await compose.getByRole('button', { name: 'Send', exact: true }).click()
  const ours = () => portal.letters.filter(({ to }) => to === 'ann@bounce.example')
  await expect.poll(() => ours().length).toBe(1)
  expect(ours()[0]?.text).toContain('we are in Leeds soon.')

  // The mailbox is full: the e-mail bounces, and the address remains on the lead.
  const own = /Message-ID: (<\S+>)/i.exec(ours()[0]?.text ?? '')?.[1]
  const report = `From: MAILER-DAEMON\r\nMessage-ID: <d1@mx>\r\nContent-Type: multipart/report; boundary="b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ann@bounce.example\r\nAction: failed\r\nStatus: 5.2.2\r\nDiagnostic-Code: smtp; 552 Mailbox full\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${own}\r\n--b--\r\n`
  const message = Buffer.from(report).toString('base64')
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', INBOUND_EMAIL_SECRET).update(`${t}.${message}`).digest('hex')
  const brought = await page.request.post('/api/email/inbound', {
    data: { message },
    headers: { 'x-signature': `t=${t},v1=${v1}` },
  })
  expect(await brought.json()).toMatchObject({ taken: true, bounced: true })

  await page.reload()
  const came = page.getByRole('article').filter({ hasText: 'was returned: 552 Mailbox full' })
  await came.getByRole('link', { name: 'Open' }).click()
  const letter = page.getByRole('dialog', { name: 'Hello Bounce & Co' })
  await expect(letter.getByText('Bounced', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'staff', '/email/messages')
  await expect(phone.getByText('Hello Bounce & Co').first()).toBeVisible()
  await expectAccessible(phone)

  await letter.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => ours().length).toBe(2)
  await expect(page.getByRole('row', { name: /Hello Bounce & Co.*Sent/ })).toBeVisible()
  expect(/Message-ID: (<\S+>)/i.exec(ours()[1]?.text ?? '')?.[1]).not.toBe(own)
})
