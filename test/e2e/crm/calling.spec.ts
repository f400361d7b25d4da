import { expect, type Page } from '@playwright/test'
import { signIn, test } from '../support/journey.ts'
import {
  advanceToNextLead,
  callbackField,
  LEAD_LIST_PAGE_PATH,
  leadScreen,
  noteField,
  outcomeButton,
  pressShortcut,
  readCategoryCount,
  readCurrentLeadId,
} from '../support/lead-screen.ts'

const calls: readonly ((page: Page) => Promise<unknown>)[] = [
  (page) => pressShortcut(page, '1'),
  async (page) => {
    await pressShortcut(page, '2')
    await expect(callbackField(page)).toBeFocused()
    await page.keyboard.press('Enter')
  },
  (page) => pressShortcut(page, '6'),
  async (page) => {
    await pressShortcut(page, 'n')
    await expect(noteField(page)).toBeFocused()
    await page.keyboard.type('Asked for prices for 12 people.')
    await pressShortcut(page, 'Alt+7')
  },
  async (page) => {
    await pressShortcut(page, '3')
    await expect(callbackField(page)).toBeFocused()
    await page.keyboard.type('tomorrow 2pm')
    await page.keyboard.press('Enter')
  },
  async (page) => {
    await pressShortcut(page, '0')
    await expect(outcomeButton(page, /^Dead/)).toBeVisible()
    await expect(outcomeButton(page, /^No answer/)).toBeVisible()
    await page.keyboard.press('2')
  },
]

test('twenty leads are called by keyboard, and the counts are updated', async ({ page }) => {
  test.slow()
  const path = `${LEAD_LIST_PAGE_PATH}?category=NEW&owner=mine`
  await signIn(page, 'staff', path)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await readCategoryCount(page, 'NEW')
  await page.keyboard.press('c')
  await expect(leadScreen(page)).toBeVisible()
  // The pager shows no total, because the queue chooses each next lead.
  await expect(page.getByRole('group', { name: 'Position in the list' })).not.toContainText(/\d/)
  const seen = new Set([await readCurrentLeadId(page)])
  for (let i = 0; i < 20; i++) {
    seen.add(await advanceToNextLead(page, () => (calls[i % calls.length] as (typeof calls)[number])(page)))
  }
  expect(seen.size).toBe(21)
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname + url.search === path)
  await expect.poll(() => readCategoryCount(page, 'NEW')).toBe(before - 20)
})

test('five leads are called by mouse, and undoing an outcome restores the typed note', async ({ page }) => {
  await signIn(page, 'staff', `${LEAD_LIST_PAGE_PATH}?category=NEW&owner=mine`)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await readCategoryCount(page, 'NEW')
  await page.locator('tbody tr').first().click()
  await expect(leadScreen(page)).toBeVisible()
  // All ten keys are on the screen of a laptop.
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(outcomeButton(page, /^More/)).toBeInViewport({ ratio: 1 })
  await advanceToNextLead(page, () => outcomeButton(page, /^No answer/).click())
  await advanceToNextLead(page, async () => {
    await outcomeButton(page, /^Callback/).click()
    await page
      .getByRole('button', { name: / 10:00$/ })
      .first()
      .click()
  })
  await advanceToNextLead(page, () => outcomeButton(page, /^Not interested/).click())
  await advanceToNextLead(page, async () => {
    await outcomeButton(page, /^More/).click()
    await outcomeButton(page, /^Dead/).click()
  })
  const lead = await readCurrentLeadId(page)
  await noteField(page).fill('Rang back at once.')
  await advanceToNextLead(page, () => outcomeButton(page, /^Not at this time/).click())
  await page.getByRole('button', { name: /^Undo/ }).last().click()
  await expect(leadScreen(page)).toHaveAttribute('data-lead-screen', String(lead))
  await expect(noteField(page)).toHaveValue('Rang back at once.')
  await noteField(page).fill('')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => readCategoryCount(page, 'NEW')).toBe(before - 4)
})
