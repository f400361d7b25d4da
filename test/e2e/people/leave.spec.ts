import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

/** A Monday far enough ahead to be free in the demo data. */
const monday = (() => {
  const day = Temporal.Now.plainDateISO('Europe/London').add({ weeks: 9 })
  return day.subtract({ days: day.dayOfWeek - 1 })
})()
const uk = (after: number) =>
  monday.add({ days: after }).toLocaleString('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })

async function requestDay(page: Page, day: string) {
  await page.goto('/ffh/calendar/event/new')
  await page.getByRole('textbox', { name: 'First day' }).fill(day)
  await page.getByRole('textbox', { name: 'Last day' }).fill(day)
  await page.getByRole('textbox', { name: 'Last day' }).blur()
  await expect(page.getByText('Working time: 1 day')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave request' })).toContainText('Waiting for approval')
  await page.keyboard.press('Escape')
}

test('a worker requests leave on a phone, it is declined, and other dates are approved and shown in calendar and feed', async ({
  page,
  elsewhere,
}) => {
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/ffh/calendar')
  await signIn(page, 'admin.brick', '/ffh/calendar')
  await requestDay(phone, uk(0))
  const month = monday.toString().slice(0, 7)
  const open = async (name: RegExp) => {
    await page.goto(`/ffh/calendar?month=${month}`)
    await page.getByRole('button', { name }).first().click()
    return page.getByRole('dialog', { name: 'Leave request' })
  }
  const dialog = await open(/waiting for approval/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await page.getByLabel('Reason').fill('Roof is delivered that day')
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('The leave is declined')).toBeVisible()

  await requestDay(phone, uk(1))
  const next = await open(/waiting for approval/)
  await next.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('The leave is approved')).toBeVisible()
  await expect(page.getByRole('button', { name: /approved$/ }).first()).toBeVisible()

  await phone.goto(`/ffh/calendar?month=${month}`)
  await expect(phone.getByRole('list', { name: 'Absences' })).toContainText('approved')
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Calendar feed' }).click()
  await phone.getByRole('button', { name: 'Create the address' }).click()
  const address = await phone.getByLabel('Address of the feed').inputValue()
  const feed = await phone.request.get(new URL(address).pathname)
  expect(await feed.text()).toContain(`DTSTART;VALUE=DATE:${monday.add({ days: 1 }).toString().replaceAll('-', '')}`)
})

test('an administrator reads the rows of a balance, sets a rule and previews a shutdown', async ({ page }) => {
  await signIn(page, 'admin.brick', '/ffh/calendar')
  await page.goto('/ffh/report')
  await page.getByRole('button', { name: 'Nadia Rahman' }).click()
  await expect(page.getByRole('dialog')).toContainText('5.6 weeks × 40 hours a week')
  await expectAccessible(page)
  await page.goto('/ffh/settings')
  await expect(page.getByText('Site week').first()).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.goto('/ffh/mass-update')
  await page.getByRole('textbox', { name: 'First day' }).fill(uk(14))
  await page.getByRole('textbox', { name: 'Last day' }).fill(uk(14))
  await page.getByLabel('Reason').fill('Works closed')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('button', { name: /^Update \d+ employees$/ })).toBeVisible()
  await expectAccessible(page)
})
