import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const COURSE = 'Asbestos awareness (category A)'
const PERSON = 'Callum Fraser'

test.describe('a session', () => {
  // This portal has its own clock, which passes the day of the session.
  test.use({ ownPortal: {} })

  test('a gap is booked in a session, attended and recorded, and the matrix shows it in date', async ({ page }) => {
    await signIn(page, 'admin.brick', '/sfp/training-records')
    const gap = page.getByRole('row').filter({ hasText: PERSON }).filter({ hasText: COURSE })
    await expect(gap).toContainText('Expired')

    await page.goto('/sfp/training-records/sessions')
    await waitUntilSettled(page)
    await expectAccessible(page)
    await page.getByRole('link', { name: COURSE }).click()
    await page.getByRole('button', { name: 'Book a seat' }).click()
    const form = page.getByRole('dialog', { name: 'Book a seat' })
    await form.getByRole('combobox', { name: 'Person (Required)' }).fill('Callum')
    await page.getByRole('option', { name: PERSON }).click()
    await waitUntilSettled(page)
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    const seat = page.getByRole('row').filter({ hasText: PERSON })
    await expect(seat).toContainText('Booked')
    await waitUntilSettled(page)
    await expectAccessible(page)

    await signIn(page, 'manager', '/cms/training')
    await expect(page.getByRole('heading', { level: 1, name: 'Training' })).toBeVisible()
    const send = await createApiSender(page, 'manager')
    await send('post', '/api/portal/clock', { days: 20 })
    await signIn(page, 'manager', '/cms/training-bookings')
    await page.getByRole('link', { name: COURSE }).click()
    await page.getByRole('button', { name: `Record attendance of ${PERSON}` }).click()
    const attendance = page.getByRole('dialog', { name: `Record attendance: ${PERSON}` })
    await attendance.getByRole('combobox', { name: 'Attendance (Required)' }).click()
    await page.getByRole('option', { name: 'Passed' }).click()
    await waitUntilSettled(page)
    await expectAccessible(page)
    await attendance.getByRole('button', { name: 'Record attendance' }).click()
    await expect(seat).toContainText('Took part')

    await signIn(page, 'admin.brick', '/sfp/training-records')
    await expect(page.getByText('Matrix', { exact: true })).toBeVisible()
    await expect(gap).toBeHidden()
    await page.getByText('Matrix', { exact: true }).click()
    const row = page.getByRole('grid', { name: 'People and courses' }).getByRole('row').filter({ hasText: PERSON })
    await expect(row).toContainText('In date')
    await page.context().close()
  })
})

test.describe('on a phone', () => {
  test.use(PHONE_OPTIONS)

  test('a certificate proposes values, which are recorded only after they are chosen', async ({ page }) => {
    await signIn(page, 'admin.brick', '/sfp/training-records/certificates')
    const text = `This certifies that Megan Doyle passed ${COURSE} on 2 March 2026.`
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles([
        { name: 'megan.txt', mimeType: 'text/plain', buffer: Buffer.from(text) },
        { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from(SCAN) },
      ])
    await expect(page.getByRole('region', { name: 'scan.pdf' })).toContainText('no text that can be read')
    const file = page.getByRole('region', { name: 'megan.txt' })
    await expect(file).toContainText('Not recorded yet')
    const person = file.getByRole('combobox', { name: 'Person (Required)' })
    await expect(person).toHaveValue('')
    await file.getByRole('button', { name: 'Megan Doyle' }).click()
    await expect(person).toHaveValue('Megan Doyle')
    await file.getByRole('button', { name: COURSE, exact: true }).click()
    await file.getByRole('group', { name: 'Proposals: Date' }).getByRole('button').click()
    await file.getByRole('combobox', { name: 'Result (Required)' }).click()
    await page.getByRole('option', { name: 'Passed' }).click()
    await waitUntilSettled(page)
    await expectAccessible(page)
    await file.getByRole('button', { name: 'Record training' }).click()
    await expect(file).toContainText(`Recorded: Megan Doyle, ${COURSE}`)
    await page.goto('/sfp/training-records/sessions')
    await waitUntilSettled(page)
    await expectAccessible(page)
  })
})

/** A PDF without text. */
const SCAN =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
