import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const _paper = (words: string) =>
  Buffer.from(`%PDF-1.4\n%${words}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
const _inDays = (days: number) => {
  const day = Temporal.Now.plainDateISO('Europe/London').add({ days })
  return day.toString().split('-').reverse().join('/')
}
const isAsWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

test('a custom download takes one click, or one tap on a phone', async ({ page, elsewhere }) => {
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/sfp/custom-downloads')
  await expect(phone).toHaveURL(/\/safety\/custom-downloads$/)
  await expect(phone.getByRole('region', { name: 'Forms' }).getByRole('button')).toHaveCount(2)
  const hoist = phone.getByRole('button', { name: 'Download Hoist H2: thorough examination' })
  const certificates = phone.getByRole('region', { name: 'Certificates' }).getByRole('listitem')
  const card = certificates.filter({ has: hoist })
  await expect(card).toContainText(/hoist-h2-thorough-examination\.pdf, PDF, \d+ B, \d\d\/\d\d\/\d{4}/)
  await expect(card).toContainText(/Expires in 1[12] days/)
  await expect(certificates.filter({ hasText: 'Asbestos' })).toContainText('Expired')
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  expect(await isAsWide(phone)).toBe(true)
  const download = phone.waitForEvent('download')
  await hoist.tap()
  expect((await download).suggestedFilename()).toBe('hoist-h2-thorough-examination.pdf')
  await phone.getByRole('searchbox', { name: 'Search downloads' }).fill('near miss')
  await expect(phone.getByRole('region', { name: 'Certificates' })).toHaveCount(0)
  await expect(phone.getByRole('region', { name: 'Forms' }).getByRole('button')).toHaveCount(1)
  await phone.getByRole('searchbox', { name: 'Search downloads' }).fill('no such thing')
  await expect(phone.getByText('Nothing found')).toBeVisible()

  await signIn(page, 'admin.care', '/safety/custom-downloads')
  await expect(page.getByText('switch on “Downloads”')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open File manager' }).click()
  await page.waitForURL('**/sfp/file-manager')
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Handbooks')
  await page.getByRole('dialog').getByRole('switch', { name: 'Downloads' }).check({ force: true })
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Create folder' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Folders' }).getByRole('img', { name: 'Shown under Downloads' }),
  ).toBeVisible()
})
