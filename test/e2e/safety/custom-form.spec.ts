import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makePressCounter } from '../support/hands.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { waitForOfflineScripts } from '../support/keeper.ts'
import { findSmallTouchTargets } from '../support/tapped.ts'

test.use({ serviceWorkers: 'allow' })

/** Maximum number of taps for an inspection of 30 points with one defect. */
const MAX_TAPS = 35
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function ask(page: Page, question: string, answeredWith?: string) {
  await page.getByRole('button', { name: 'Add a question to Questions' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Question/).fill(question)
  if (answeredWith) {
    await dialog.getByLabel('Answer type').click()
    await page.getByRole('option', { name: answeredWith, exact: true }).click()
  }
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Completes a check of 30 points with a defect on a phone, and returns the number of its completed form. */
async function inspectVehicle(phone: Page): Promise<string> {
  await phone.goto('/dashboard')
  const hands = makePressCounter(phone)
  const press = (name: string | RegExp) => hands.tap(phone.getByRole('button', { name }))
  const forms = phone.getByRole('region', { name: /^Forms to complete/ })
  await hands.tap(forms.getByRole('link', { name: /^Weekly vehicle check/ }))
  await expect(phone.getByText('Last time: YN23 KHW')).toBeVisible()
  await press('Use last time’s answer to Registration')
  await expect(phone.getByLabel(/^Registration/)).toHaveValue('YN23 KHW')
  await expectAccessible(phone)
  await press('Next: Outside')

  const tyres = phone.getByRole('group', { name: /^Tyres: tread/ })
  await expect(phone.getByText('Last time: OK').first()).toBeVisible()
  await hands.tap(tyres.getByText('Defect', { exact: true }))
  await phone.getByLabel(/^Tyres: tread.*What is wrong/).fill('Nearside rear worn to 1.5 mm. Changed at the depot.')
  const camera = phone.waitForEvent('filechooser')
  await press('Add a photo')
  const chooser = await camera
  expect(await chooser.element().getAttribute('capture')).toBe('environment')
  await chooser.setFiles({ name: 'tyre.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await press('Answer the remaining 7 “OK”')
  await expect(phone.getByText(/^7 answers entered together at/)).toBeVisible()
  await expect(tyres.getByRole('radio', { name: 'Defect' })).toBeChecked()
  await press('Undo')
  await expect(phone.getByRole('radio', { name: 'OK', checked: true })).toHaveCount(0)
  await press('Answer the remaining 7 “OK”')
  await expect(phone.getByRole('radio', { name: 'OK', checked: true })).toHaveCount(7)
  await expectAccessible(phone)
  expect(await findSmallTouchTargets(phone)).toEqual([])
  for (const next of ['Under the bonnet', 'In the cab', 'Load and equipment', 'For an emergency']) {
    await press(`Next: ${next}`)
    await press(/^Answer the remaining \d “OK”$/)
  }
  await press('Next: Sign')
  await hands.tap(phone.getByRole('radiogroup', { name: 'Signing method' }).getByText('Type', { exact: true }))
  await press('Send')
  await phone.waitForURL(/\/custom-form\/answer\/\d+/)
  expect(hands.pressed()).toBeLessThanOrEqual(MAX_TAPS)
  const outside = phone.getByRole('region', { name: 'Outside' })
  await expect(outside.getByText('Defect', { exact: true })).toBeVisible()
  await expect(outside.getByText(/^7 answers entered together on \d\d\/\d\d\/\d{4}/)).toBeVisible()
  await expect(outside.getByRole('img', { name: /tyre/ }).or(outside.getByText('tyre.png')).first()).toBeVisible()
  await expectAccessible(phone)
  return ((await phone.getByText(/^FA-\d{4} · completed/).textContent()) ?? '').slice(0, 7)
}

test('a custom form is built, filled in offline on a phone, and exported, and an inspection takes few taps', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'admin.brick', '/safety/custom-form/update')
  await page.getByLabel(/^Name/).fill('Ladder check')
  await ask(page, 'Rungs and feet sound?')
  await ask(page, 'Photos', 'Photos and files')
  await ask(page, 'Signature', 'Signature')
  await expect(page.getByText('Draft kept on this device')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your unsaved changes have been restored')).toBeVisible()
  await expect(page.getByLabel(/^Name/)).toHaveValue('Ladder check')
  const preview = page.getByRole('complementary', { name: 'Phone preview' })
  await expect(preview).toContainText('Rungs and feet sound?')
  await expect(preview).toContainText('Signature')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL(/\/custom-form\/list\/\d+/)
  await expect(page.getByText('Version 1', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  // The form is due every week from today, and assigned to one person.
  const when = page.getByRole('region', { name: 'Schedule' })
  await when.getByRole('button', { name: 'Add a schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule for “Ladder check”' })
  await dialog.getByRole('combobox', { name: /^To be completed by/ }).fill('Callum')
  await page.getByRole('option', { name: 'Callum Fraser' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(when.getByRole('listitem')).toContainText(/Callum Fraser, every week.*Due today/)
  await expectAccessible(page)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/dashboard')
  const forms = phone.getByRole('region', { name: /^Forms to complete/ })
  await expect(forms.getByRole('listitem').filter({ hasText: 'Ladder check' })).toContainText('Due today')
  await forms.getByRole('link', { name: /^Ladder check/ }).tap()
  const rungs = phone.getByRole('group', { name: /^Rungs and feet sound/ })
  await expect(rungs).toBeVisible()
  await expectAccessible(phone)
  await waitForOfflineScripts(phone)
  await phone.context().setOffline(true)
  await rungs.getByText('OK', { exact: true }).tap()
  await expect(rungs.getByRole('radio', { name: 'OK' })).toBeChecked()
  await phone
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'ladder.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await expect(phone.getByText('Waiting to be sent').first()).toBeVisible()
  await phone.getByRole('radiogroup', { name: 'Signing method' }).getByText('Type', { exact: true }).tap()
  await phone.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect(phone.getByText('stored on this device', { exact: false }).first()).toBeVisible()
  await expectAccessible(phone)
  await phone.context().setOffline(false)
  await expect(phone.getByText('has been numbered and sealed', { exact: false })).toBeVisible()

  await page.reload()
  await expect(when.getByRole('listitem')).not.toContainText('Due today')
  await expect(when.getByRole('listitem')).toContainText('Last completed')
  const row = page.getByRole('link', { name: /^FA-\d{4}$/ })
  await expect(row).toHaveCount(1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Answers as CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain('Rungs and feet sound?')
  expect(file).toMatch(/FA-\d{4},1,.*Callum Fraser,1,1,100,.*OK,,1 file,Callum Fraser/)
  await row.click()
  await expect(
    page
      .getByRole('img', { name: /ladder/ })
      .or(page.getByText('ladder.png'))
      .first(),
  ).toBeVisible()
  await expectAccessible(page)

  const number = await inspectVehicle(phone)
  await phone.getByRole('link', { name: 'All completed forms' }).tap()
  await phone.getByRole('searchbox').fill('yn23 depot')
  const found = phone.getByRole('listitem').or(phone.getByRole('row')).filter({ hasText: number })
  await expect(found.first()).toContainText('1 defect')
  await expectAccessible(phone)
})
