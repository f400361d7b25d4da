import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

test('a new user sees a list of first steps, which are ticked when completed and disappear when all are done', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.care', '/dashboard')
  const steps = page.getByRole('region', { name: 'First steps: 1 to go' })
  await expect(steps.getByRole('link', { name: /^Write your first risk assessment \(done\)/ })).toBeVisible()
  await expectAccessible(page)
  await steps.getByRole('link', { name: /^Give a toolbox talk/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Toolbox talks' })).toBeVisible()

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'admin.care', '/dashboard')
  await expect(phone.getByRole('region', { name: /^First steps/ })).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  const admin = await signInToApi(page, 'admin.care')
  const talk = await makeTalk(page, admin, 'Lifting residents')
  const given = await page.request.post('/api/safety/toolbox_talk_presenteds', {
    data: { talk: `/api/safety/toolbox_talks/${talk}`, presenter: 'Joanna Hughes', date: '2026-11-20' },
    ...admin,
  })
  expect(given.status()).toBe(201)
  await page.goto('/dashboard')
  await waitUntilSettled(page)
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  await expect(page.getByRole('region', { name: /^First steps/ })).toHaveCount(0)
})
