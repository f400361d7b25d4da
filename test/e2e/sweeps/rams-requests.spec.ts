import { expect } from '@playwright/test'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)
const file = (more: string) => ({
  name: `rams ${more}.pdf`,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([PDF, Buffer.from(`% ${more}\n`)]),
})

test('a subcontractor submits and resubmits the requested RAMS on a phone through the link in the e-mail', async ({
  page,
  elsewhere,
  portal,
}) => {
  test.slow()
  const company = `Slate & Sons ${Date.now() % 10_000}`
  await signIn(page, 'admin.brick', '/safety/rams')
  await page.getByRole('navigation', { name: 'Related lists' }).getByRole('link', { name: 'RAMS requests' }).click()
  await page.getByRole('button', { name: 'Request RAMS' }).first().click()
  const dialog = page.getByRole('dialog')
  for (const [label, said] of [
    ['Subcontractor', company],
    ['Contact', 'Sam Slate'],
    ['E-mail', 'sam@slate.example'],
    ['Job', 'Re-roofing Unit 4'],
    ['Site', 'Kelham Works'],
  ] as const)
    await dialog.getByLabel(label).fill(said)
  await dialog.getByLabel('Requirements').fill('Please include the lift plan.')
  await dialog
    .getByRole('textbox', { name: /^Due date/ })
    .fill(formatIsoDateAsUk(Temporal.Now.plainDateISO().add({ days: 7 }).toString()))
  await dialog.getByLabel('Requirements').focus()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send request' }).click()
  const row = page.getByRole('row').filter({ hasText: company })
  await expect(row).toContainText('Requested')
  await waitUntilSettled(page)
  await expectAccessible(page)

  const letter = () => portal.letters.filter((l) => l.to === 'sam@slate.example' && l.text.includes(company)).at(-1)
  await expect.poll(() => letter()?.text).toContain('/rams-asked/')
  const { pathname } = new URL(/https?:\S+\/rams-asked\/[\w-]+/.exec(letter()?.text ?? '')?.[0] ?? '')

  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.goto(pathname)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('RAMS for Re-roofing Unit 4')
  await expect(phone.getByText('Please include the lift plan.')).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect(phone.getByText('Please choose a file')).toBeVisible()
  const send = async (more: string) => {
    await phone.locator('input[type=file]').setInputFiles(file(more))
    await phone.getByLabel('Your name').fill('Sam Slate')
    await phone.getByRole('button', { name: 'Send', exact: true }).tap()
    await expect(phone.getByText(/^Your RAMS have been received/)).toBeVisible()
  }
  await send('first')
  await expect(phone.getByRole('listitem').first()).toContainText('Version 1: rams first.pdf')
  await expectAccessible(phone)

  await page.goto('/safety/rams/requests?show=received')
  await row.getByText(company).click()
  await expect(dialog.getByRole('list', { name: 'Received files' })).toContainText('Version 1: rams first.pdf')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Return', exact: true }).click()
  await dialog.getByLabel('What needs correcting?').fill('The lift plan is missing.')
  await dialog.getByRole('button', { name: 'Return RAMS' }).click()
  await expect(dialog).toContainText('The lift plan is missing.')
  await expect.poll(() => letter()?.text).toContain('The lift plan is missing.')

  await phone.reload()
  await expect(phone.getByText('The lift plan is missing.')).toBeVisible()
  const table = { name: 'hours.csv', mimeType: 'text/csv', buffer: Buffer.from('Hours\n8\n') }
  await phone.locator('input[type=file]').setInputFiles([file('second'), table])
  await phone.getByLabel('Your name').fill('Sam Slate')
  await phone.getByRole('button', { name: 'Send', exact: true }).tap()
  // The refused file is named with the reason, and the other is received.
  await expect(phone.getByText(/^1 file received\. The files above were not/)).toBeVisible()
  const chosen = phone.getByRole('list', { name: 'Chosen files' })
  await expect(chosen.getByRole('listitem')).toHaveCount(1)
  await expect(chosen).toContainText('“hours.csv” is a CSV file. Please send a PDF, a Word document')
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Remove hours.csv' }).tap()
  await page.reload()
  await expect(dialog.getByRole('list', { name: 'Received files' })).toContainText('Version 2: rams second.pdf')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(dialog.getByText('Accepted', { exact: true })).toBeVisible()
  await phone.reload()
  await expect(phone.getByRole('heading', { name: 'Nothing to send' })).toBeVisible()
  await expectAccessible(phone)
})
