import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { PHONE, settled, signIn, test } from './support/journey.ts'

test('a company asks its consultant about a document; it is found, opened, answered, and the company sees who opened it', async ({
  page,
  elsewhere,
}) => {
  test.setTimeout(90_000)
  await signIn(page, 'admin.brick', '/safety/toolbox-talks')
  await page.locator('[data-row-link]').first().click()
  await page.goto(page.url().replace('/update/', '/view/'))
  const advice = page.getByRole('region', { name: 'Your consultant' })
  await advice.getByRole('button', { name: 'Ask your consultant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What you would like to know').fill('Does this hold for night shifts?')
  await settled(page)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(advice).toContainText('Does this hold for night shifts?')
  await settled(page)
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await expectAccessible(page)

  const consultant = await elsewhere(PHONE)
  await signIn(consultant, 'manager', '/cms/documents/search')
  await consultant.getByRole('searchbox').fill(title)
  await expect(consultant).toHaveURL(/[?&]q=/)
  await expect(consultant.locator('[data-row-link]').first()).toContainText(title)
  await settled(consultant)
  await expectAccessible(consultant)
  await consultant.goto('/cms/consultants/web-docs')
  await consultant.getByText(title).first().click()
  const answering = consultant.getByRole('dialog')
  await answering.getByRole('link', { name: /^Open / }).click()
  await expect(consultant.getByRole('heading', { level: 1 })).toHaveText(title)
  await consultant.goBack()
  await consultant.getByText(title).first().click()
  await answering.getByLabel('Answer').fill('Yes, with lights.')
  await settled(consultant)
  await expectAccessible(consultant)
  await answering.getByRole('button', { name: 'Answer by e-mail' }).click()
  await expect(answering).toBeHidden()

  await page.reload()
  await expect(advice).toContainText('Yes, with lights.')
  await page.goto('/config/document-openings')
  await expect(page.getByRole('row').filter({ hasText: title }).first()).toContainText('Maya Campbell')
  await settled(page)
  await expectAccessible(page)
})

test('a visit is planned from a client’s details, told of, changed by mistake at no time, and cancelled', async ({
  page,
}) => {
  await signIn(page, 'manager', '/cms/consultants/my-site-visits')
  await page.getByRole('button', { name: 'Plan a visit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Client').fill('Willow')
  await page.getByRole('option', { name: /Willow Court/ }).click()
  await expect(dialog.getByLabel('E-mail')).toHaveValue(/willow-court/)
  await dialog.getByLabel('What for').fill('Hoists')
  await settled(page)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Plan the visit' }).click()
  await expect(dialog.getByText('Please say when').first()).toBeVisible()
})
