import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makePressCounter } from '../support/hands.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { measureOverflow } from '../support/screens.ts'
import { drawSignature, signOpenDialog } from '../support/signing.ts'
import { attendeeRow, attendeesRegion, signedCount, TALK_NUMBER } from '../support/talk-record.ts'

test.use({ serviceWorkers: 'allow' })

test('a talk is signed on two phones, one of them offline, and one person signs late', async ({ page, elsewhere }) => {
  test.slow()
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  await page.getByRole('link', { name: TALK_NUMBER }).first().click()
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/presented\/\d+/)
  const record = new URL(page.url()).pathname
  await page.getByLabel('Who is attending?').fill('Callum\nVic of Acme\nPat of Acme\nZoë of Acme')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  // A partly typed name does not add a member of the company as a visitor.
  await expect(signedCount(page)).toHaveText('0 of 3 signed')
  const asked = page.getByRole('group', { name: 'Who is Callum?' })
  await expect(asked.getByRole('button', { name: 'No, Callum is a visitor' })).toBeVisible()
  await asked.getByRole('button', { name: 'Yes, Callum Fraser' }).click()
  await expect(signedCount(page)).toHaveText('0 of 4 signed')

  const [his, hers] = [await elsewhere(PHONE_OPTIONS), await elsewhere(PHONE_OPTIONS)]
  await signIn(his, 'worker.brick', record)
  await signIn(hers, 'admin.brick', record)
  await expect(signedCount(hers)).toHaveText('0 of 4 signed')
  await expectAccessible(his)

  await test.step('one person signs and hands the phone to the next', async () => {
    await attendeeRow(his, 'Callum Fraser').getByRole('button', { name: 'Sign: Callum Fraser' }).tap()
    await signOpenDialog(his)
    const next = his.getByRole('dialog').getByRole('button', { name: 'Next: Vic of Acme' })
    await expect(next).toBeVisible()
    expect((await next.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await next.tap()
    await signOpenDialog(his)
    await his.getByRole('dialog').getByRole('button', { name: 'Done' }).tap()
    await expect(signedCount(his)).toHaveText('2 of 4 signed')
  })

  await test.step('the other phone is updated, and loses no drawing while offline', async () => {
    await expect(signedCount(hers)).toHaveText('2 of 4 signed')
    await hers.context().setOffline(true)
    await attendeeRow(hers, 'Pat of Acme').getByRole('button', { name: 'Sign: Pat of Acme' }).tap()
    await signOpenDialog(hers)
    await expect(hers.getByRole('dialog')).toContainText('The signature is stored on this device')
    await hers.getByRole('dialog').getByRole('button', { name: 'Done' }).tap()
    await expect(attendeeRow(hers, 'Pat of Acme')).toContainText('Waiting to be sent')
    await hers.context().setOffline(false)
    await expect(signedCount(hers)).toHaveText('3 of 4 signed')
    await expect(signedCount(his)).toHaveText('3 of 4 signed')
  })

  await test.step('the start time is corrected with a reason that the signatories can read', async () => {
    await page.getByRole('button', { name: 'Correct record' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Start/).fill('06:55')
    await dialog.getByLabel(/^Reason for the correction/).fill('The gang came early')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Correct record' }).click()
    await expect(page.getByRole('heading', { name: 'Corrections after signing' })).toBeVisible()
    await his.reload()
    await expect(his.getByText(/Start time: 06:55 \(previously \d\d:\d\d\)/)).toContainText('“The gang came early”')
    await expectAccessible(his)
  })

  await test.step('the record is closed, and an absent person signs late', async () => {
    await attendeeRow(page, 'Zoë').getByRole('button', { name: 'Zoë of Acme is absent' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason for the correction/)
      .fill('Late for work')
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as absent' }).click()
    await expect(attendeeRow(page, 'Zoë')).toContainText('Late for work')
    await page.getByRole('button', { name: 'Close record' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close record' }).click()
    await attendeeRow(his, 'Zoë').getByRole('button', { name: 'Sign late: Zoë of Acme' }).tap()
    await signOpenDialog(his, 'Sign late')
    await his.getByRole('dialog').getByRole('button', { name: 'Done' }).tap()
    await expect(attendeeRow(his, 'Zoë')).toContainText('signed late on')
    await expect(signedCount(page)).toHaveText('3 of 4 signed, 1 absent on the day and signed late')
    await expectAccessible(his)
  })

  await page.reload()
  await expect(page.getByRole('region', { name: 'Audit chain' })).toContainText('Signed late')
  await expectAccessible(page)
})

test('colleagues and a visitor are added to a started talk, sign on the presenter’s phone, and the record closes although one person has yet to sign', async ({
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

  // One device is passed round: each person signs by hand, and a visitor states a company and a trade.
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

test('people without an account sign on their own phones through a talk’s link until the link is withdrawn', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  await page.getByRole('link', { name: TALK_NUMBER }).first().click()
  await page.getByRole('button', { name: 'Present', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/presented\/\d+/)
  await page.getByLabel('Who is attending?').fill('Vic of Acme\nEwa Kowalska')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Sign on another device' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Create link' }).click()
  await expect(panel.getByRole('img', { name: /^QR code of the link/ })).toBeVisible()
  await expectAccessible(page)
  const link = new URL(await panel.getByLabel('Link', { exact: true }).inputValue()).pathname

  const [his, hers] = [
    await elsewhere(PHONE_OPTIONS),
    await elsewhere({ ...PHONE_OPTIONS, viewport: { width: 320, height: 640 } }),
  ]
  const read = async (phone: typeof his) => {
    await phone.goto(link)
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Ladders and stepladders')
    await expect(phone.getByText('Then you can sign here.')).toBeVisible()
    await expectAccessible(phone)
    expect(await measureOverflow(phone)).toBe(0)
    await phone.getByText('End of the talk').scrollIntoViewIfNeeded()
  }
  const sign = async (phone: typeof his) => {
    const region = phone.getByRole('region', { name: 'Sign', exact: true })
    await region.getByLabel('Signature box, empty').scrollIntoViewIfNeeded()
    await drawSignature(phone, region)
    await region.getByRole('button', { name: 'Sign', exact: true }).tap()
  }

  await test.step('a person on the list chooses their name', async () => {
    await read(his)
    const names = his.getByLabel(/^Your name/)
    await expect(names.getByRole('option')).toHaveText([
      'Choose your name',
      'Vic of Acme',
      'Ewa Kowalska',
      'My name is not on this list',
    ])
    await his.getByRole('button', { name: 'Sign', exact: true }).tap()
    await expect(his.getByText('Please choose your name')).toBeVisible()
    await names.selectOption('Vic of Acme')
    await expectAccessible(his)
    await sign(his)
    await expect(his.getByText('Vic of Acme, your signature has been saved.')).toBeVisible()
    await expectAccessible(his)
    await expect(panel).toContainText('Signatures with this link: 1 of 100.')
  })

  await test.step('a person who is not on the list is refused once the link is withdrawn, and keeps the drawing', async () => {
    await read(hers)
    await hers.getByLabel(/^Your name/).selectOption('My name is not on this list')
    await hers.getByLabel(/^Full name/).fill('Nora New')
    await hers.getByLabel(/^Company/).fill('Ladders Ltd')
    expect(await measureOverflow(hers)).toBe(0)
    await panel.getByRole('button', { name: 'Withdraw link' }).click()
    await expect(panel.getByRole('button', { name: 'Create link' })).toBeVisible()
    await sign(hers)
    await expect(hers.getByText(/^Your signature has not been saved. .* has withdrawn this link/)).toBeVisible()
    await expect(hers.getByLabel('Your signature as drawn')).toBeVisible()
    await expectAccessible(hers)
    await his.reload()
    await expect(his.getByRole('heading', { level: 1 })).toHaveText('This talk can’t be signed')
    await expectAccessible(his)
  })

  await panel.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(signedCount(page)).toHaveText('1 of 2 signed')
  await expect(attendeeRow(page, 'Vic of Acme')).toContainText('Drawn on the signer’s own device, by link')
})

test('people without an account read a whole pack on their own phones through a link, and sign it', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'admin.brick', '/safety/rams')
  await page.locator('[data-row-link]').first().click()
  await page.getByRole('button', { name: 'Signing link' }).click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByLabel(/^Expires on/)).not.toHaveValue('')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Create link' }).click()
  await expect(panel.getByRole('img', { name: /^QR code of the link/ })).toBeVisible()
  await expectAccessible(page)
  const link = new URL(await panel.getByLabel('Link', { exact: true }).inputValue()).pathname
  await panel.getByRole('button', { name: 'Close', exact: true }).last().click()

  const phones = [
    await elsewhere(PHONE_OPTIONS),
    await elsewhere({ ...PHONE_OPTIONS, viewport: { width: 320, height: 640 }, colorScheme: 'dark' }),
  ]
  for (const [at, phone] of phones.entries()) {
    await phone.goto(link)
    await expect(phone.getByRole('heading', { level: 1 })).toContainText('Re-roofing Unit 4')
    await expect(phone.getByText('Then you can sign here.')).toBeVisible()
    await phone.getByRole('button', { name: 'Open the whole pack' }).tap()
    await expect(phone.getByText(/^End of /).first()).toBeVisible()
    await expectAccessible(phone)
    expect(await measureOverflow(phone)).toBe(0)
    const chips = phone.getByText('Read to the end', { exact: true })
    for (const file of await phone.getByRole('button', { name: /^Open .*[.]\w+$/ }).all()) await file.tap()
    const [own, ...others] = await phone.getByText(/^End of /).all()
    for (const end of others) {
      const before = await chips.count()
      await end.scrollIntoViewIfNeeded()
      await expect(chips).toHaveCount(before + 1)
    }
    await own?.scrollIntoViewIfNeeded()
    const region = phone.getByRole('region', { name: 'Sign', exact: true })
    await region.getByLabel(/^Full name/).fill(`Nora New ${at}`)
    await region.getByLabel(/^Company/).fill('Ladders Ltd')
    await region.getByLabel('Signature box, empty').scrollIntoViewIfNeeded()
    await drawSignature(phone, region)
    expect(await measureOverflow(phone)).toBe(0)
    await expectAccessible(phone)
    await region.getByRole('button', { name: 'Sign', exact: true }).tap()
    await expect(phone.getByText(`Nora New ${at}, your signature has been saved.`)).toBeVisible()
    await expectAccessible(phone)
  }
  await page.reload()
  await expect(page.getByRole('region', { name: /^Signatures/ })).toContainText('Nora New 0')
  await expect(page.getByText('Signed by link, without an account: 2')).toBeVisible()
  await expectAccessible(page)
})
