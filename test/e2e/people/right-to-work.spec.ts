import { expect, type Page } from '@playwright/test'
import { MINIMAL_PDF } from '#test/support/uploads.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const day = (days: number) =>
  Temporal.Now.plainDateISO('Europe/London')
    .add({ days })
    .toLocaleString('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })

async function choose(page: Page, label: string, option: RegExp) {
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: `${label} (Required)` })
    .click()
  await page.getByRole('option', { name: option }).click()
}

test('an overdue right to work is checked again with a copy, its reads are listed, and a worker sees their own status', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.brick', '/employee/overview')
  await page.getByRole('link', { name: /Right to work: check overdue/ }).click()
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Piotr Zielinski' }).click()
  await expect(
    page
      .getByRole('alert')
      .or(page.getByText(/^Overdue since/))
      .first(),
  ).toBeVisible()

  await page.getByRole('button', { name: 'Record check' }).click()
  await choose(page, 'Method', /Manual/)
  await choose(page, 'Document', /Biometric residence permit/)
  await expect(page.getByText(/prove no right to work/)).toBeVisible()
  await choose(page, 'Document', /may stay in the UK and do the type of work/)
  await page.getByRole('textbox', { name: 'Checked on' }).fill(day(0))
  await page.getByRole('textbox', { name: 'Checked on' }).blur()
  await expect(page.getByText(/is no statutory defence for the time before it/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Document or permission ends on' }).fill(day(400))
  await page.getByRole('textbox', { name: 'Document or permission ends on' }).blur()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Checked by (Required)' }).fill('Ruth')
  await page.getByRole('option', { name: /Ruth Sanderson/ }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Record check' }).click()
  await expect(page.getByText(`No defence before ${day(0)}`).first()).toBeVisible()
  await expect(page.getByText(`The defence ends on ${day(400)}`)).toBeVisible()

  const copy = { name: 'passport.pdf', mimeType: 'application/pdf', buffer: MINIMAL_PDF }
  await page.locator('input[type=file]').first().setInputFiles(copy)
  await expect(page.getByRole('list', { name: 'Copies' }).getByText('Copy of the document')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText(/Priya Shah \(admin.brick\)/).first()).toBeVisible()

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/employee/view')
  await expect(phone.getByRole('region', { name: 'Right to work' })).toContainText('Valid')
  await expectAccessible(phone)
})
