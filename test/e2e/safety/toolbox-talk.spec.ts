import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makePressCounter } from '../support/hands.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { signOpenDialog } from '../support/signing.ts'
import { attendeeRow, attendeesRegion, signedCount, TALK_NUMBER } from '../support/talk-record.ts'

test('colleagues and a visitor are added to a started talk, sign on the presenter’s phone, and the record closes while one is still to sign', async ({
  elsewhere,
}) => {
  const page = await elsewhere(PHONE_OPTIONS)
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  const job = makePressCounter(page)
  await job.tap(page.locator('[data-row-link]').filter({ hasText: TALK_NUMBER }).first())
  await job.tap(page.getByRole('button', { name: 'Present', exact: true }))
  await expect(page.getByRole('dialog').getByLabel(/^Start/)).toHaveValue(/^\d\d:\d\d$/)
  await job.tap(page.getByRole('dialog').getByRole('button', { name: 'Start' }))
  expect(job.pressed()).toBe(3)
  await page.waitForURL(/\/presented\/\d+/)
  const last = page.getByRole('button', { name: 'Add Rhys Ellis' })
  /** Position on the page, independent of scrolling. */
  const place = () => last.evaluate((at) => Math.round(at.getBoundingClientRect().top + scrollY))
  const lies = await place()
  for (const name of ['Callum Fraser', 'Ewa Kowalska', 'Liam Young']) {
    await job.tap(page.getByRole('button', { name: `Add ${name}` }))
    await expect(attendeeRow(page, name)).toBeVisible()
  }
  // Selecting people does not move them or the content below.
  expect(await place()).toBe(lies)
  expect(job.pressed()).toBe(6)
  await expect(signedCount(page)).toHaveText('0 of 3 signed')
  // The names are above the talking points.
  const names = await attendeesRegion(page).boundingBox()
  const said = await page.getByRole('region', { name: 'Points to make' }).boundingBox()
  expect(said?.y).toBeGreaterThan(names?.y ?? 0)

  // One device goes round: each person signs by hand, and a visitor states a company and a trade.
  await page.getByLabel('Who is attending?').fill('Vic Vance')
  await page.getByRole('button', { name: 'Add', exact: true }).tap()
  await page.getByRole('button', { name: 'Sign: Callum Fraser' }).tap()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Please pass the device to Callum Fraser to sign by hand.')).toBeVisible()
  await expect(dialog.getByRole('radiogroup', { name: 'Signing method' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Sign', exact: true }).tap()
  await expect(dialog.getByText('Please sign in the box')).toBeVisible()
  await expectAccessible(page)
  await signOpenDialog(page)
  await dialog.getByRole('button', { name: 'Next: Ewa Kowalska' }).tap()
  await signOpenDialog(page)
  await dialog.getByRole('button', { name: 'Next: Liam Young' }).tap()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign: Vic Vance' }).tap()
  await dialog.getByLabel('Company').fill('Apex Access Ltd')
  await dialog.getByLabel('Trade').fill('Scaffolder')
  await signOpenDialog(page)
  await dialog.getByRole('button', { name: 'Done' }).tap()
  await expect(signedCount(page)).toHaveText('3 of 4 signed')
  await expect(attendeeRow(page, 'Callum Fraser')).toContainText(/Drawn on .+’s device/)
  await expect(attendeeRow(page, 'Vic Vance')).toContainText('Scaffolder, Apex Access Ltd')

  // The record is closed although Liam has not signed: it says so, and he can sign late.
  await page.getByRole('button', { name: 'Close record' }).tap()
  await expect(dialog).toContainText('Liam Young has neither signed nor been marked absent.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close and let them sign late' }).tap()
  await expect(page.getByText('Record closed')).toBeVisible()
  await expect(attendeeRow(page, 'Liam Young')).toContainText('Can sign late under their own account')
})
