import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

const paper = (words: string) =>
  Buffer.from(`%PDF-1.4\n%${words}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
const inDays = (days: number) => {
  const day = Temporal.Now.plainDateISO('Europe/London').add({ days })
  return day.toString().split('-').reverse().join('/')
}
const isAsWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

test('a file is versioned, given an expiry date, retired and restored', async ({ page, elsewhere }) => {
  test.slow()
  await signIn(page, 'admin.brick', '/sfp/file-manager')
  const asks = await signInToApi(page, 'admin.brick')
  const name = `hot-work-${Date.now() % 100_000}.pdf`
  const upload = await page.request.post('/api/safety/uploads/1', {
    multipart: { file: { name, mimeType: 'application/pdf', buffer: paper('first') }, label: `Hot work ${name}` },
    ...asks,
  })
  expect(upload.status()).toBe(201)
  const { '@id': file, id } = (await upload.json()) as { '@id': string; id: number }
  const talk = await makeTalk(page, asks, `Welding ${name}`, { complete: false, uploadedDocuments: [file] })

  await page.goto('/sfp/file-manager')
  const row = page.getByRole('row').filter({ hasText: name })
  const act = async (what: string) => {
    await row.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  const dialog = page.getByRole('dialog').first()
  const versions = dialog.getByRole('list', { name: 'Versions, newest first' })

  await test.step("the file's dialog shows where the file is used", async () => {
    await act('Versions, expiry and use')
    await expect(page).toHaveURL(new RegExp(`file=${id}`))
    const used = dialog.getByRole('region', { name: 'Where used' })
    await expect(used.getByRole('link', { name: /^TT-\d+, revision 1$/ })).toHaveAttribute(
      'href',
      new RegExp(`/view/${talk}$`),
    )
    await expectAccessible(page)
  })

  await test.step('an expiry date is set for the file', async () => {
    await dialog
      .getByLabel(/^Expires/)
      .first()
      .fill(inDays(12))
    await dialog
      .getByLabel(/^Expires/)
      .first()
      .press('Tab')
    await dialog.getByRole('button', { name: 'Save expiry' }).click()
    await expect(dialog.getByText('Expires in 12 days')).toBeVisible()
  })

  await test.step('a new version replaces the file, and has no expiry date', async () => {
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/pdf', buffer: paper('second') })
    await expect(versions.getByRole('listitem')).toHaveCount(2)
    await expect(versions.getByRole('listitem').first()).toContainText('Version 2')
    await expect(versions.getByRole('listitem').first()).toContainText('Newest')
    await expect(dialog.getByText('Expires in 12 days')).toHaveCount(0)
    await expect(dialog.getByRole('link', { name: /^TT-\d+, revision 1$/ })).toBeVisible()
    const download = page.waitForEvent('download')
    await versions.getByRole('button', { name: 'Download version 1' }).click()
    expect((await download).suggestedFilename()).toBe(name)
  })

  await test.step('an earlier version is restored as a new version, including its expiry date', async () => {
    await versions.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Restore this version' }).click()
    await expect(versions.getByRole('listitem').first()).toContainText('Version 3')
    await expect(versions.getByRole('listitem').first()).toContainText('Restored from version 1')
    await expect(dialog.getByText('Expires in 12 days')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(row).toContainText('Version 3')
    await expect(row).toContainText('Expires in 12 days')
  })

  await test.step('the list of files can be filtered to show only expiring files', async () => {
    const narrow = async (to: string) => {
      await page.getByRole('combobox', { name: 'Expiry' }).click()
      await page.getByRole('option', { name: to }).click()
    }
    await narrow('Expired')
    await expect(page.getByRole('row').filter({ hasText: 'asbestos-awareness' })).toContainText('Expired')
    await expect(row).toHaveCount(0)
    await narrow('Expires within 30 days')
    await expect(row).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('retiring a file first shows where the file is used, and can be undone', async () => {
    await act('Retire')
    const question = page.getByRole('dialog', { name: `Retire ${name}` })
    await expect(question).toContainText(/It is used by TT-\d+ revision 1\./)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Retire', exact: true }).click()
    await expect(row).toHaveCount(0)
    await page.getByRole('switch', { name: 'Show retired files' }).click({ force: true })
    await act('Restore')
    await expect(row).toHaveCount(0)
    await page.getByRole('switch', { name: 'Show retired files' }).click({ force: true })
    await expect(row).toContainText('Version 3')
  })

  await test.step('the file list fits a phone screen', async () => {
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'admin.brick', `/sfp/file-manager?file=${id}`)
    await expect(phone.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')).toHaveCount(3)
    await expectAccessible(phone)
    expect(await isAsWide(phone)).toBe(true)
  })
})
