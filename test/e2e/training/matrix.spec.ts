import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const inUk = (day: Temporal.PlainDate) =>
  day.toLocaleString('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })
const today = () => Temporal.Now.plainDateISO('Europe/London')

const COURSE = 'Manual handling'
const PERSON = 'Tom Ashworth'

const gapOf = (page: Page) => page.getByRole('row').filter({ hasText: PERSON }).filter({ hasText: COURSE })

test('training for a gap is booked, attended and recorded, and the matrix shows the course as in date', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/sfp/training-records')
  await expect(gapOf(page)).toContainText('Never')
  await waitUntilSettled(page)
  await expectAccessible(page)

  await page.goto('/ffe/training')
  await page.getByRole('button', { name: `Plan ${COURSE} for ${PERSON}` }).click()
  const plan = page.getByRole('dialog')
  const planned = plan.getByRole('textbox', { name: 'Planned for (Required)' })
  await planned.fill(inUk(today()))
  await planned.blur()
  await plan.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: `Plan ${COURSE} for ${PERSON}` })).toBeHidden()
  await waitUntilSettled(page)
  await expectAccessible(page)

  await page.goto('/sfp/training-records')
  await gapOf(page).getByRole('button', { name: PERSON }).click()
  const records = page.getByRole('dialog', { name: `${PERSON}: ${COURSE}` })
  await records.getByRole('button', { name: 'Record training' }).click()
  const form = page.getByRole('dialog', { name: 'Record training' })
  await form.getByRole('combobox', { name: 'Result (Required)' }).click()
  await page.getByRole('option', { name: 'Passed' }).click()
  const completedOn = today().subtract({ days: 100 })
  const date = form.getByRole('textbox', { name: 'Date (Required)' })
  await date.fill(inUk(completedOn))
  await date.blur()
  const end = inUk(completedOn.add({ months: 36 }).subtract({ days: 1 }))
  await expect(form.getByText(`By the course: ${end}`)).toBeVisible()
  await form.getByLabel('Training provider').fill('Kelham Training')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Record training' }).click()
  await expect(page.getByText('The training is recorded')).toBeVisible()
  await expect(records).toContainText(`Passed, ${inUk(completedOn)}`)
  await expect(records).toContainText('No proof attached')
  await page.keyboard.press('Escape')
  await expect(gapOf(page)).toBeHidden()

  await page.getByText('Matrix', { exact: true }).click()
  const grid = page.getByRole('grid', { name: 'People and courses' })
  const first = grid.getByRole('gridcell').first()
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(grid.locator(':focus')).toHaveAttribute('data-at', /^1 [1-9]\d*$/)
  // Only the rows in view are in the document.
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('PageDown')
  await expect(grid.getByRole('row').filter({ hasText: PERSON })).toContainText(`In date to ${end}`)
  await waitUntilSettled(page)
  await expectAccessible(page)
})

test.describe('on a phone', () => {
  test.use(PHONE_OPTIONS)

  test('an employee sees their own training in My-Task and opens it', async ({ page }) => {
    await signIn(page, 'worker.brick', '/my-task')
    const own = page.getByRole('region', { name: 'My training' })
    await expect(own).toContainText('Asbestos awareness (category A)')
    await expect(own).toContainText('Expired')
    await own.getByRole('link').first().click()
    await expect(page.getByRole('region', { name: 'Callum Fraser' })).toContainText('Fire awareness')
    await waitUntilSettled(page)
    await expectAccessible(page)
  })
})
