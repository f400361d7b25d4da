import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { measureOverflow } from '../support/screens.ts'
import { drawSignature } from '../support/signing.ts'

const FIELDS = [
  { name: 'place', kind: 'text', label: 'Where was it?', required: true },
  {
    name: 'serious',
    kind: 'select',
    label: 'Could somebody have been hurt?',
    required: true,
    options: [
      { value: 'no', label: 'No', means: 'fine' },
      { value: 'yes', label: 'Yes', means: 'defect' },
    ],
  },
  { name: 'what', kind: 'longText', label: 'What happened?', when: [{ watch: 'serious', equals: 'yes' }] },
  { name: 'seen', kind: 'rows', label: 'Witnesses', fields: [{ name: 'name', kind: 'text', label: 'Name' }] },
  { name: 'hand', kind: 'signature', label: 'Signature' },
  { name: 'photos', kind: 'uploads', label: 'Photos' },
]

test('people without an account fill in a form on their own phones through its poster', async ({ page, elsewhere }) => {
  test.slow()
  const send = await createApiSender(page, 'admin.brick')
  const schema = { steps: [{ name: 'near', title: 'Near miss', groups: [{ fields: FIELDS }] }] }
  const form = await send('post', '/api/safety/custom_forms', { title: 'Near-miss report', schema })
  await send('post', `${form['@id']}/publish`, {})
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, 'admin.brick', `/safety/custom-form/list/${form.id}`)
  await page.getByRole('button', { name: 'Answer by link or QR code' }).click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByLabel(/^Expires on/)).not.toHaveValue('')
  await expect(panel).toContainText('“Photos”')
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
    await expect(phone.getByRole('heading', { level: 1 })).toContainText('Near-miss report')
    await phone.getByRole('button', { name: 'Send', exact: true }).tap()
    await expect(phone.getByText('Please enter your full name')).toBeVisible()
    await expectAccessible(phone)
    await phone
      .getByRole('region', { name: 'You' })
      .getByLabel(/^Full name/)
      .fill(`Nora New ${at}`)
    await phone.getByLabel(/^Where was it/).fill('Loading bay')
    await phone.getByRole('radio', { name: 'Yes' }).check({ force: true })
    await phone.getByLabel(/^What happened/).fill('A pallet fell')
    await phone.reload()
    await expect(phone.getByLabel(/^What happened/)).toHaveValue('A pallet fell')
    await expect(phone.getByText('Your saved answers')).toBeVisible()
    await expect(phone.getByRole('region', { name: 'You' }).getByLabel(/^Full name/)).toHaveValue(`Nora New ${at}`)
    const hand = phone.getByRole('group', { name: /^Signature/ })
    await hand.getByLabel(/^Full name/).fill(`Nora New ${at}`)
    await hand.getByLabel('Signature box, empty').scrollIntoViewIfNeeded()
    await drawSignature(phone, hand)
    expect(await measureOverflow(phone)).toBe(0)
    await expectAccessible(phone)
    await phone.getByRole('button', { name: 'Send', exact: true }).tap()
    await expect(phone.getByText(`Nora New ${at}, your answers have been sent.`)).toBeVisible()
    await expectAccessible(phone)
    await phone.reload()
    await expect(phone.getByLabel(/^Where was it/)).toHaveValue('')
  }
  await page.reload()
  await expect(page.getByText('Nora New 0 (by link)')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^FA-/ }).first().click()
  await expect(page.getByText(/Nora New 1 \(by link\)/)).toBeVisible()
  await expectAccessible(page)

  // The link is withdrawn while a form is being answered.
  for (const phone of phones) await phone.getByLabel(/^Where was it/).fill('Goods lift')
  await send('delete', `${form['@id']}/link`)
  for (const phone of phones) {
    await phone.reload()
    await expect(phone.getByRole('heading', { name: 'This form can’t be answered' })).toBeVisible()
    await expect(phone.getByRole('region', { name: 'Your answers have not been sent' })).toContainText('Goods lift')
    await expect(phone.getByLabel(/^Where was it/)).toHaveCount(0)
    await expectAccessible(phone)
  }
})
