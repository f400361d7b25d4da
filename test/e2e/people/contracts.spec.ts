import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const EMAIL_WAIT = { timeout: 20_000 }

async function choose(page: Page, label: string, name: string) {
  const box = page.getByRole('combobox', { name: label })
  await box.click()
  await box.fill(name)
  await page.getByRole('option', { name }).click()
}

async function signHere(page: Page, name: string, button: string) {
  const form = page.getByRole('region', { name: button })
  await form.getByText('Type', { exact: true }).click()
  await form.getByLabel('Full name (Required)').fill(name)
  await waitUntilSettled(page)
  await expectAccessible(page)
  await form.getByRole('button', { name: button, exact: true }).click()
}

test('a contract is written, sent, signed on a phone, countersigned, and read as a PDF', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.brick', '/ffe/contracts/template')
  await page.getByLabel('Name (Required)').fill('Use of the yard')
  const text = page.getByRole('textbox', { name: 'Text (Required)' })
  await text.fill('{{forename}} may use the yard from {{opening day}}.')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('There is no field “opening day”')
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByText('There is no field “opening day” for contracts').first()).toBeVisible()
  await text.fill('{{forename}} may use the yard of {{company}} from {{today}}.')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Ann may use the yard of Acme Ltd')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect(page.getByRole('link', { name: 'Use of the yard' })).toBeVisible()

  await page.goto('/ffe/contracts/send')
  await choose(page, 'Template (Required)', 'Use of the yard')
  await choose(page, 'Employee (Required)', 'Callum Fraser')
  await choose(page, 'Countersigned by (Required)', 'Rhys Ellis')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('region', { name: 'Preview of version 1' })
  await expect(preview).toContainText('Callum may use the yard of Brick & Beam')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await preview.getByRole('button', { name: 'Send 1 contract' }).click()
  await expect(page.getByText('The contract is sent')).toBeVisible()

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/my-task')
  await phone.getByRole('link', { name: 'Use of the yard' }).click()
  await expect(phone.getByText('Callum may use the yard of Brick & Beam')).toBeVisible()
  await signHere(phone, 'Callum Fraser', 'Sign')
  await expect(phone.getByText('Signed by employee')).toBeVisible()

  const office = await elsewhere()
  await signIn(office, 'approver.brick', '/ffe/contracts?state=signed')
  await office.getByRole('row', { name: 'Use of the yard' }).getByRole('link').click()
  await signHere(office, 'Rhys Ellis', 'Countersign')
  await expect(office.getByText('Countersigned', { exact: true }).first()).toBeVisible()
  const address = office.url().replace('/ffe/contracts/view/', '/api/employees/contracts/')
  const [pdf] = await Promise.all([
    office.waitForResponse(`${address}/contract.pdf`),
    office.getByRole('button', { name: 'Open PDF' }).click(),
  ])
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf'])
})

test('an employee without an account declines a contract by the link in an e-mail', async ({
  page,
  elsewhere,
  portal,
}) => {
  await signIn(page, 'admin.brick', '/ffe/contracts/send')
  await choose(page, 'Template (Required)', 'Use of company tools')
  await choose(page, 'Employee (Required)', 'Samina Begum')
  await choose(page, 'Countersigned by (Required)', 'Rhys Ellis')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText('By link: samina.begum@brick.example')).toBeVisible()
  await page.getByRole('button', { name: 'Send 1 contract' }).click()
  const linkOf = () =>
    /http:\S+\/contract\/\S+/.exec(
      portal.letters.findLast(({ to }) => to === 'samina.begum@brick.example')?.text ?? '',
    )?.[0] ?? ''
  await expect.poll(linkOf, EMAIL_WAIT).not.toBe('')
  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.goto(linkOf())
  await expect(phone.getByRole('heading', { name: 'Use of company tools' })).toBeVisible()
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Decline' }).click()
  await phone.getByLabel('Reason (Required)').fill('I use my own tools')
  await phone.getByRole('button', { name: 'Decline contract' }).click()
  await expect(phone.getByText('You have declined this contract.')).toBeVisible()
  await expectAccessible(phone)
})
