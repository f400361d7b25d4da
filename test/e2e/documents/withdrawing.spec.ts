import { expect } from '@playwright/test'
import { extractText } from '../../pdf/words.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { expectStatus, PHONE_OPTIONS, signIn, statusRegion, test, waitUntilSettled } from '../support/journey.ts'
import { downloadPdf, TALK_ADMIN_USERNAME, TALK_WORKER_USERNAME, TALKS_PATH } from '../support/talk-papers.ts'

test('a withdrawn talk shows the reason and is not in force until it is restored', async ({ page, elsewhere }) => {
  const title = `Working over water ${Date.now() % 100_000}`
  await signIn(page, TALK_ADMIN_USERNAME, '/dashboard')
  const asks = await signInToApi(page, TALK_ADMIN_USERNAME)
  const id = await makeTalk(page, asks, title)
  const view = `${TALKS_PATH}/view/${id}`
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, TALK_WORKER_USERNAME, view)
  await expect(phone.getByRole('heading', { name: title })).toBeVisible()

  await test.step('withdrawing a talk requires a reason, and the dialog explains the consequences', async () => {
    await page.goto(view)
    await page.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('no longer be in force')
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect(dialog).toContainText('Please enter a reason for the withdrawal')
    await dialog.getByLabel(/^Reason for withdrawal/).fill('The bridge is finished.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expectStatus(page, /Withdrawn by Priya Shah on [\d/]+: “The bridge is finished.”/)
    await expect(page.getByRole('region', { name: 'Audit chain' })).toContainText('by Priya Shah')
    await expectAccessible(page)
    const words = await extractText(await downloadPdf(page, asks, id))
    expect(words).toContain('WITHDRAWN')
    expect(words).toContain('The bridge is finished.')
    expect(words).toContain('Priya Shah')
  })

  await test.step('the company finds the talk among its withdrawn documents', async () => {
    const list = await elsewhere()
    await signIn(list, TALK_ADMIN_USERNAME, TALKS_PATH)
    await list.getByRole('button', { name: 'Status', exact: true }).click()
    await expect(list.getByRole('option', { name: /^Withdrawn/ })).toHaveText(/\d$/)
    await list.getByRole('option', { name: /^Withdrawn/ }).click()
    await expect(list.getByRole('button', { name: 'Status: Withdrawn' })).toBeVisible()
    await expect(list.getByRole('row').filter({ hasText: title })).toContainText('Withdrawn')
  })

  await test.step('the worker no longer finds the withdrawn talk', async () => {
    await phone.goto(`${TALKS_PATH}?q=${encodeURIComponent(title)}`)
    await waitUntilSettled(phone)
    await expect(phone.getByRole('link', { name: new RegExp(title) })).toHaveCount(0)
  })

  await test.step('the restored talk is in force again', async () => {
    await statusRegion(page).getByRole('button', { name: 'Restore' }).click()
    await expectStatus(page, 'and in force')
    await phone.goto(`${TALKS_PATH}?q=${encodeURIComponent(title)}`)
    await phone.getByRole('link', { name: new RegExp(title) }).tap()
    await expect(phone.getByRole('article')).toContainText('Look up before you lift.')
  })
})
