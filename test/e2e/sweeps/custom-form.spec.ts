import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test } from '../support/journey.ts'

test.use({ serviceWorkers: 'allow' })

test('a ready-made form can be tried before it is copied, and only the copy can be changed', async ({ page }) => {
  await signIn(page, 'admin.brick', '/safety/custom-form/list')
  await page.getByRole('link', { name: 'Forklift pre-use check' }).click()
  const tried = page.getByRole('complementary', { name: 'Phone preview' })
  await expect(tried.getByRole('combobox').or(tried.getByRole('textbox')).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)
  await expectAccessible(page)
  const own = new URL(page.url()).pathname
  await page.goto(own.replace('/list/', '/update/'))
  await page.waitForURL((url) => url.pathname === own)
  await page.getByRole('button', { name: 'Copy to our forms' }).click()
  await page.waitForURL(/\/custom-form\/update\/\d+/)
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
})
