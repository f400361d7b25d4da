import { expect, type Page } from '@playwright/test'
import { makePicture } from '../../support/uploads.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { waitForOfflineScripts } from '../support/keeper.ts'

test.use({ serviceWorkers: 'allow', colorScheme: 'dark' })

const REPORT_PATH = '/sfp/accident-book/report-accident'
const next = (page: Page) => page.getByRole('button', { name: 'Next' }).tap()

/** Answers the questions of a report up to the injured person. */
async function describeAccident(page: Page, words: string, place: string) {
  await page.getByLabel(/^Say it in your own words/).fill(words)
  await next(page)
  await page.getByLabel(/^Where exactly/).fill(place)
  await next(page)
  await page.getByRole('button', { name: 'It happened just now' }).tap()
  await next(page)
  await page.getByText('First aid, or no treatment').tap()
  await page.getByLabel('Injured person').fill('Owen Price')
}

test('a report without a signal survives a killed tab, arrives once with its photo, and is compared with a second one', async ({
  page,
  elsewhere,
}) => {
  const words = `Fell over a hose ${Date.now() % 100_000}`
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', REPORT_PATH)
  await expect(phone.getByText('call 999 first')).toBeVisible()
  await expectAccessible(phone)
  await waitForOfflineScripts(phone)
  await phone.context().setOffline(true)
  await describeAccident(phone, words, 'Gate 3')
  await next(phone)
  await expectAccessible(phone)

  // The tab is killed. Another one opens with the report as it was.
  const again = await phone.context().newPage()
  await phone.close()
  await again.goto(REPORT_PATH)
  await expect(again.getByText('Your saved report')).toBeVisible()
  for (const step of ['What happened?', 'Where was it?', 'When was it?', 'How bad was it, and who was hurt?']) {
    const heading = again.getByRole('heading', { name: step })
    if (await heading.isVisible()) await next(again)
  }
  await again
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: 'hose.png', mimeType: 'image/png', buffer: await makePicture(90, 60).png().toBuffer() })
  await expect(again.getByText('hose')).toBeVisible()
  await next(again)
  await expect(again.getByText(words)).toBeVisible()
  await expectAccessible(again)
  await again.getByRole('button', { name: 'Send report' }).tap()
  await expect(again.getByText('Saved on this device', { exact: true })).toBeVisible()
  await expectAccessible(again)
  await again.context().setOffline(false)

  await signIn(page, 'admin.brick', '/safety/accident-book')
  const row = page.getByRole('row').filter({ hasText: words })
  await expect(async () => {
    await page.reload()
    await expect(row).toHaveCount(1, { timeout: 3000 })
  }).toPass()

  // A colleague reports the same accident from another phone. Both stay, and the office sees that they may be one.
  const second = await elsewhere(PHONE_OPTIONS)
  await signIn(second, 'office.brick', REPORT_PATH)
  await describeAccident(second, `${words}, seen from the hoist`, 'Gate 3')
  await next(second)
  await next(second)
  await second.getByRole('button', { name: 'Send report' }).tap()
  await expect(second.getByText(/^Received as INC-/)).toBeVisible()
  await page.reload()
  await expect(row).toHaveCount(2)
  await row.last().getByRole('link', { name: /^INC-/ }).click()
  await expect(page.getByText('This may be the same incident')).toBeVisible()
  await expect(page.getByText('First aid, or no treatment')).toBeVisible()
  await expect(page.getByText('hose.jpg')).toBeVisible()
  await expectAccessible(page)
})

test('a visitor reports an incident through a site’s QR code until its poster is withdrawn', async ({
  page,
  elsewhere,
}) => {
  const words = `A brick fell beside me ${Date.now() % 100_000}`
  await signIn(page, 'admin.brick', '/safety/accident-book/sites')
  await page.getByRole('button', { name: 'QR poster of Kelham Works' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  const address = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.goto(address)
  await expect(phone.getByRole('heading', { name: /Kelham Works/ })).toBeVisible()
  await expectAccessible(phone)
  await describeAccident(phone, words, 'Beside the hoist')
  await next(phone)
  await phone.getByLabel(/^Your name/).fill('Vera Lane')
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Send report' }).tap()
  await expect(phone.getByRole('status')).toContainText(/has received your report as INC-/)

  // A second report is still being written when the link is withdrawn.
  const unsent = 'A ladder slipped'
  await phone.goto(address)
  await phone.getByLabel(/^Say it in your own words/).fill(unsent)
  await dialog.getByRole('button', { name: 'Withdraw link' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
  await phone.goto(address)
  await expect(phone.getByText('This QR code no longer works')).toBeVisible()
  await expect(phone.getByRole('heading', { name: 'Your report has not been sent' })).toBeVisible()
  await expect(phone.getByText(unsent)).toBeVisible()
  await expect(phone.getByLabel(/^Say it in your own words/)).toHaveCount(0)
  await expectAccessible(phone)
  const late = await elsewhere(PHONE_OPTIONS)
  await late.goto(address)
  await expect(late.getByText('This QR code no longer works')).toBeVisible()
  await expect(late.locator('h2, input, textarea')).toHaveCount(0)
  await page.goto('/safety/accident-book')
  await page.getByRole('row').filter({ hasText: words }).getByRole('link', { name: /^INC-/ }).press('Enter')
  await expect(page.getByText('Vera Lane')).toBeVisible()
})
