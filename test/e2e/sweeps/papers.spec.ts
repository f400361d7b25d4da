import { expect } from '@playwright/test'
import { extractText } from '../../pdf/words.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { expectStatus, PHONE_OPTIONS, signIn, statusRegion, test, waitUntilSettled } from '../support/journey.ts'
import {
  downloadPdf,
  makeColouredPng,
  TALK_ADMIN_USERNAME,
  TALK_APPROVER_USERNAME,
  TALK_WORKER_USERNAME,
  TALKS_PATH,
} from '../support/talk-papers.ts'

test("a company's logo is printed on its documents, and relabelling a picture does not change documents already sealed", async ({
  page,
}) => {
  await signIn(page, TALK_ADMIN_USERNAME, '/config/letterhead')
  const asks = await signInToApi(page, TALK_ADMIN_USERNAME)
  const company = page.getByRole('region', { name: 'Logo' })
  await company.locator('input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await makeColouredPng('#c33'),
  })
  await expect(company.getByRole('img')).toBeVisible()
  await expectAccessible(page)

  const name = `ladder-${Date.now() % 100_000}.png`
  const upload = await page.request.post('/api/safety/uploads/1', {
    multipart: {
      file: { name, mimeType: 'image/png', buffer: await makeColouredPng('#33c') },
      label: 'A rung that is bent',
    },
    ...asks,
  })
  expect(upload.status()).toBe(201)
  const file = ((await upload.json()) as { '@id': string })['@id']
  const talk = await makeTalk(page, asks, `Rungs ${name}`, { uploadedDocuments: [file], approved: true })
  const paper = await downloadPdf(page, asks, talk)
  expect(paper.toString('latin1')).toContain('/Alt (Brick & Beam Construction Ltd)')
  expect(await extractText(paper)).toContain('A rung that is bent')

  await page.goto('/sfp/file-manager')
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByRole('button', { name: /A rung that is bent/ }).click()
  await row.getByRole('textbox').fill('Nothing is wrong with it')
  await row.getByRole('textbox').press('Enter')
  await expect(row.getByRole('button', { name: /Nothing is wrong with it/ })).toBeVisible()
  expect((await downloadPdf(page, asks, talk)).equals(paper)).toBe(true)
  await page.goto('/config/letterhead')
  await company.getByRole('button', { name: 'Remove logo' }).click()
  await expect(company.getByRole('img')).toHaveCount(0)
  expect((await downloadPdf(page, asks, talk)).equals(paper)).toBe(true)
})

test("a worker can't find a document approved for management only", async ({ page, elsewhere }) => {
  const title = `Closing the north yard ${Date.now() % 100_000}`
  await signIn(page, TALK_APPROVER_USERNAME, '/dashboard')
  const id = await makeTalk(page, await signInToApi(page, TALK_ADMIN_USERNAME), title, {})
  const view = `${TALKS_PATH}/view/${id}`
  await page.goto(view)
  await statusRegion(page).getByRole('button', { name: 'Accept' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Readers' }).click()
  await page.getByRole('option', { name: 'Management only' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expectStatus(page, 'Approved by Rhys Ellis on')
  // The action removes its button, so the focus moves to the result.
  await expect(statusRegion(page)).toBeFocused()
  await expect(page.getByText('For: Management only')).toBeVisible()
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, TALK_WORKER_USERNAME, `${TALKS_PATH}?q=${encodeURIComponent(title)}`)
  await waitUntilSettled(phone)
  await expect(phone.getByRole('link', { name: new RegExp(title) })).toHaveCount(0)
  await phone.goto(view)
  await expect(phone.getByText(`Toolbox talk ${id} not found`)).toBeVisible()

  const manager = await elsewhere()
  await signIn(manager, TALK_ADMIN_USERNAME, view)
  await expect(manager.getByRole('article')).toContainText('Look up before you lift.')
})

test('a rejected document can be found in the list by its status, and shows its author the reason for the rejection', async ({
  page,
}) => {
  await signIn(page, TALK_ADMIN_USERNAME, '/safety/risk-assessment')
  await expect(page.getByRole('link', { name: 'RA-0005' })).toBeVisible()
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await expect(page.getByRole('option', { name: /^Rejected/ })).toHaveText('Rejected1')
  await expect(page.getByRole('option', { name: /^Incomplete/ })).toHaveText(/\d$/)
  const incomplete = (await page.getByRole('option', { name: /^Incomplete/ }).textContent()) ?? ''
  await page.getByRole('option', { name: /^Rejected/ }).click()
  await expect(page.getByRole('link', { name: 'RA-0005' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Rejected' })).toBeVisible()
  await page.getByRole('button', { name: 'Status: Rejected' }).click()
  await expect(page.getByRole('option', { name: /^Incomplete/ })).toHaveText(incomplete)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'RA-0005' }).click()
  await page.getByRole('button', { name: 'Revise', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('it never came into force')
  await page.getByRole('dialog').getByRole('button', { name: 'Start revision' }).click()
  await page.waitForURL(/\/update\/\d+/)
  const told = page.getByRole('alert').filter({ hasText: 'Revision 1 was rejected' })
  await expect(told).toContainText('The rescue plan is missing.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await page.waitForURL(/\/check$/)
  await expect(told).toContainText('The rescue plan is missing.')
  await expect(told).toContainText('No changes since the rejected revision.')
})

test('an open document shows immediately that somebody else has decided, and the author is notified of the reason', async ({
  page,
}) => {
  await signIn(page, TALK_ADMIN_USERNAME, '/dashboard')
  const asks = await signInToApi(page, TALK_ADMIN_USERNAME)
  const id = await makeTalk(page, asks, `Chimney pots ${Date.now() % 100_000}`, {})
  await page.goto(`${TALKS_PATH}/view/${id}`)
  await expectStatus(page, 'Awaiting approval')
  const decided = await page.request.post(`/api/safety/toolbox_talks/${id}/reject`, {
    data: { note: 'No rescue plan' },
    ...(await signInToApi(page, TALK_APPROVER_USERNAME)),
  })
  expect(decided.status()).toBe(200)
  await expectStatus(page, 'No rescue plan')
  await expect(statusRegion(page).getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByText(/^Rejected: .*No rescue plan/)).toBeVisible()
})

test("a PDF is saved under the document's title, in any script, and every saved PDF can be opened", async ({
  page,
}) => {
  const title = `Łódź: praca na dachu ${Date.now() % 100_000}`
  await signIn(page, TALK_ADMIN_USERNAME, '/dashboard')
  const asks = await signInToApi(page, TALK_ADMIN_USERNAME)
  const id = await makeTalk(page, asks, title)
  await downloadPdf(page, asks, id)
  await page.goto(`${TALKS_PATH}/view/${id}`)
  await page.getByRole('button', { name: /^Actions/ }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download PDF' }).click()
  expect((await saved).suggestedFilename()).toContain(`rev 1 ${title.replace(':', '')}.pdf`)
  const kept = page.getByRole('region', { name: 'Saved PDFs' })
  await expect(kept.getByRole('listitem').first()).toContainText('fingerprint')
  const shown = page.waitForResponse((r) => /document_prints\/\d+\/pdf$/.test(r.url()))
  await kept.getByRole('button', { name: /View/ }).first().click()
  expect((await shown).status()).toBe(200)
})

test("a decision on a document that somebody else has already decided shows the document's current status", async ({
  page,
}) => {
  await signIn(page, TALK_APPROVER_USERNAME, '/dashboard')
  const id = await makeTalk(
    page,
    await signInToApi(page, TALK_ADMIN_USERNAME),
    `Trench props ${Date.now() % 100_000}`,
    {},
  )
  await page.goto(`${TALKS_PATH}/view/${id}`)
  await statusRegion(page).getByRole('button', { name: 'Accept' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Accept', exact: true })).toBeVisible()
  const rejected = await page.request.post(`/api/safety/toolbox_talks/${id}/reject`, {
    data: { note: 'The props are of the old kind' },
    ...(await signInToApi(page, TALK_ADMIN_USERNAME)),
  })
  expect(rejected.status()).toBe(200)
  // The page behind the dialog is updated first, so its button disappears before the dialog closes.
  await expect(page.getByText('The props are of the old kind')).toBeAttached()
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('This can’t be done while the record is rejected')
  await expect(dialog.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'View the current version' }).click()
  await expect(dialog).toHaveCount(0)
  await expectStatus(page, 'The props are of the old kind')
  await expect(statusRegion(page)).toBeFocused()
})

test("a long PDF export runs as a batch job, is saved, and is found later among the user's files", async ({ page }) => {
  await signIn(page, TALK_ADMIN_USERNAME, TALKS_PATH)
  await page.route('**/api/safety/documents/pack?*', (route) =>
    route.fulfill({
      status: 413,
      json: { code: 'too_large', detail: 'More than is put together while somebody waits.' },
    }),
  )
  await waitUntilSettled(page)
  const boxes = page.getByRole('row').getByRole('checkbox')
  for (const n of [1, 2]) await boxes.nth(n).check()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Print as one PDF' }).click()
  await expect(page.getByText('This is a large pack.')).toBeVisible()
  const name = (await saved).suggestedFilename()
  expect(name).toMatch(/^Pack TT-\d+ .* and 1 more\.pdf$/)
  await page.getByRole('button', { name: /^Me: / }).click()
  await page.getByRole('link', { name: 'Background jobs' }).last().click()
  const run = page
    .getByRole('list', { name: 'Background jobs' })
    .getByRole('listitem')
    .filter({ hasText: name })
    .first()
  await expect(run).toContainText('2 of 2')
  await expect(run).toContainText('Done')
  await expectAccessible(page)
  const again = page.waitForEvent('download')
  await run.getByRole('button', { name: `Download ${name}` }).click()
  expect((await again).suggestedFilename()).toBe(name)
})
