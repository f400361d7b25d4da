import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makePressCounter } from '../support/hands.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { attendeeRow, attendeesRegion, signedCount, TALK_NUMBER } from '../support/talk-record.ts'

test('three attendees are added by name above the talking points of a started talk', async ({ elsewhere }) => {
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
  await expectAccessible(page)
})
