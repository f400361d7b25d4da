import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { ASSESSMENT_AUTHOR_USERNAME } from '../support/assessment.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const SETTINGS = '/safety/Settings'

test('company settings control document numbers and reviews, and refused input is not lost', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, SETTINGS)
  const review = page.getByRole('region', { name: 'Review', exact: true })
  await review.getByLabel('Toolbox talk').fill('18')
  await review.getByRole('button', { name: 'Save review periods' }).click()
  await expect(page.getByText('Data saved: review periods')).toBeVisible()
  await expect(review.getByText(/^Changed by /)).toBeVisible()

  const numbering = page.getByRole('region', { name: 'Numbering' })
  const talks = numbering.getByRole('group', { name: 'Toolbox talk' })
  const risks = numbering.getByRole('group', { name: 'Risk assessment' })
  await talks.getByLabel('Prefix').fill('site-2')
  await talks.getByLabel('Digits').fill('6')
  await expect(talks.getByText(/^Next: SITE-2-0000\d\d$/)).toBeVisible()
  await risks.getByLabel('Prefix').fill('R/A')
  await numbering.getByRole('button', { name: 'Save numbering' }).click()
  await expect(risks.getByText(/^A prefix has up to 8 letters/)).toBeVisible()
  await expect(risks.getByLabel('Prefix')).toHaveValue('R/A')
  await expect(talks.getByText(/^Changed by /)).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
  await risks.getByLabel('Prefix').fill('')
  await expect(numbering.getByRole('button', { name: 'Save numbering' })).toBeDisabled()

  const api = await signInToApi(page, ASSESSMENT_AUTHOR_USERNAME)
  const made = await page.request.post('/api/safety/toolbox_talks', { data: { title: 'Numbers' }, ...api })
  expect((await made.json()).documentNumber).toMatch(/^SITE-2-0000\d\d$/)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, ASSESSMENT_AUTHOR_USERNAME, SETTINGS)
  await expect(phone.getByRole('region', { name: 'Numbering' })).toBeVisible()
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

/** Draws a logo of white letters on a transparent background, in the browser. */
const whiteLogo = (page: Page) =>
  page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 100 })
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D
    pen.fillStyle = '#fff'
    pen.fillRect(20, 20, 200, 60)
    return canvas.toDataURL('image/png').split(',')[1] as string
  })

test('the sample page updates as the header and footer are typed, and a white logo gets a dark background', async ({
  page,
}) => {
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/config/system/pdf')
  const lines = page.getByRole('region', { name: 'Header and footer' })
  const sample = lines.getByRole('img', { name: 'Sample page of your documents' })
  await expect(sample).toBeVisible()
  const before = await sample.getAttribute('src')
  await lines.getByLabel('Header line').fill('Safe home, every day')
  await expect(sample).not.toHaveAttribute('src', before ?? '')
  await lines.getByRole('button', { name: 'Save header and footer' }).click()
  await expect(page.getByText('Data saved: header and footer')).toBeVisible()

  const logo = page.getByRole('region', { name: 'Logo' })
  const buffer = Buffer.from(await whiteLogo(page), 'base64')
  await logo.locator('input[type=file]').setInputFiles({ name: 'white.png', mimeType: 'image/png', buffer })
  await expect(logo.getByText(/^Nothing of this logo stands out from white paper/)).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
  await logo.getByRole('button', { name: 'Print on a dark background' }).click()
  await expect(page.getByText('Data saved: the logo')).toBeVisible()
  await expect(logo.getByText('Dark', { exact: true })).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(sample).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
