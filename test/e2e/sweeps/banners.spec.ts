import { expect } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findSmallTouchTargets } from '../support/tapped.ts'

test("a banner with a picture is previewed, shown to a client's users, and dismissed by one of them", async ({
  page,
  elsewhere,
}) => {
  test.setTimeout(90_000)
  await signIn(page, 'manager', '/banner')
  const info = page.getByRole('region', { name: 'Information banner' })
  await waitUntilSettled(page)
  await expect(page.locator('#main input:focus, #main textarea:focus')).toHaveCount(0)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await info.getByLabel('Title').fill('The office is closed on Friday')
  await info.getByLabel('Message').fill('Calls are answered again on Monday at nine.')
  await expect(info.getByText('Calls are answered again on Monday at nine.').first()).toBeVisible()
  await info
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('Not a picture') })
  await expect(info.getByText(/notes\.png/).first()).toBeVisible()
  await info.getByRole('button', { name: /^Remove notes/ }).click()
  // The demo data has a banner with a future date.
  for (const day of ['First day', 'Last day']) await info.getByRole('textbox', { name: day }).fill('')
  await info.getByRole('textbox', { name: 'Link', exact: true }).fill('/about')
  await info.getByRole('textbox', { name: 'Link text' }).fill('When we are there')
  await info.getByLabel('Show banner').check()
  await info.getByRole('button', { name: 'Save' }).click()
  await expect(info.getByText('Shown now')).toBeVisible()
  const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#005387' } })
    .png()
    .toBuffer()
  await info.locator('input[type=file]').setInputFiles({ name: 'blue.png', mimeType: 'image/png', buffer: picture })
  await expect(info.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)

  const theirs = await elsewhere(PHONE_OPTIONS)
  await signIn(theirs, 'worker.brick', '/dashboard')
  const banner = theirs.getByRole('region', { name: 'Information', exact: true })
  await expect(banner).toContainText('The office is closed on Friday')
  await waitUntilSettled(theirs)
  expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findSmallTouchTargets(theirs)).toEqual([])
  await expectAccessible(theirs)
  await banner.getByRole('button', { name: /^Hide/ }).tap()
  await theirs.reload()
  await waitUntilSettled(theirs)
  await expect(banner).toHaveCount(0)

  await info.getByLabel('Title').fill('The office is closed on Thursday')
  await info.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Saved|saved/).first()).toBeVisible()
  await theirs.reload()
  await expect(banner).toContainText('closed on Thursday')
})
