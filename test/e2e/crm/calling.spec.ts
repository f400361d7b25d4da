import { expect, type Page } from '@playwright/test'
import { signIn, test } from '../support/journey.ts'
import { count, LIST, leadOf, note, onward, outcome, press, ringAgain, screen } from '../support/lead-screen.ts'

const calls: readonly ((page: Page) => Promise<unknown>)[] = [
  (page) => press(page, '1'),
  async (page) => {
    await press(page, '2')
    await expect(ringAgain(page)).toBeFocused()
    await page.keyboard.press('Enter')
  },
  (page) => press(page, '6'),
  async (page) => {
    await press(page, 'n')
    await expect(note(page)).toBeFocused()
    await page.keyboard.type('Asked for prices for 12 people.')
    await press(page, 'Alt+7')
  },
  async (page) => {
    await press(page, '3')
    await expect(ringAgain(page)).toBeFocused()
    await page.keyboard.type('tomorrow 2pm')
    await page.keyboard.press('Enter')
  },
  async (page) => {
    await press(page, '0')
    await expect(outcome(page, /^Dead/)).toBeVisible()
    await expect(outcome(page, /^No answer/)).toBeVisible()
    await page.keyboard.press('2')
  },
]

test('twenty leads are called by keyboard, and the counts are updated', async ({ page }) => {
  test.slow()
  const path = `${LIST}?category=NEW&owner=mine`
  await signIn(page, 'staff', path)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await count(page, 'NEW')
  await page.keyboard.press('c')
  await expect(screen(page)).toBeVisible()
  // The pager shows no total, because the queue assigns the leads.
  await expect(page.getByRole('group', { name: 'Position in the list' })).not.toContainText(/\d/)
  const seen = new Set([await leadOf(page)])
  for (let i = 0; i < 20; i++) {
    seen.add(await onward(page, () => (calls[i % calls.length] as (typeof calls)[number])(page)))
  }
  expect(seen.size).toBe(21)
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname + url.search === path)
  await expect.poll(() => count(page, 'NEW')).toBe(before - 20)
})

test('five leads are called by mouse, and undoing an outcome restores the typed note', async ({ page }) => {
  await signIn(page, 'staff', `${LIST}?category=NEW&owner=mine`)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await count(page, 'NEW')
  await page.locator('tbody tr').first().click()
  await expect(screen(page)).toBeVisible()
  await onward(page, () => outcome(page, /^No answer/).click())
  await onward(page, async () => {
    await outcome(page, /^Callback/).click()
    await page
      .getByRole('button', { name: / 10:00$/ })
      .first()
      .click()
  })
  await onward(page, () => outcome(page, /^Not interested/).click())
  await onward(page, async () => {
    await outcome(page, /^More/).click()
    await outcome(page, /^Dead/).click()
  })
  const lead = await leadOf(page)
  await note(page).fill('Rang back at once.')
  await onward(page, () => outcome(page, /^Not at this time/).click())
  await page.getByRole('button', { name: /^Undo/ }).last().click()
  await expect(screen(page)).toHaveAttribute('data-lead-screen', String(lead))
  await expect(note(page)).toHaveValue('Rang back at once.')
  await note(page).fill('')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => count(page, 'NEW')).toBe(before - 4)
})
