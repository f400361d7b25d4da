import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { test } from '../support/journey.ts'
import { waitForOfflineScripts } from '../support/keeper.ts'
import { expectShortcutsActive, outcomeRegion } from '../support/lead-screen.ts'
import {
  abortWriteRequests,
  addNote,
  articlesWithText,
  openLead,
  outboxButton,
  outboxDialog,
  outboxEntries,
} from '../support/outbox.ts'

test.use({ serviceWorkers: 'allow' })

// Each test is slow, because it reloads several pages for two users.
test.beforeEach(() => test.slow())

test('a note and an outcome entered offline survive a reload and are each sent once, in order', async ({
  page,
  context,
}) => {
  const lead = await openLead(page)
  await waitForOfflineScripts(page)
  await context.setOffline(true)
  await addNote(page, 'Rang back at ten, the office says Tuesday')
  await expect(page.getByRole('list', { name: 'Entries not in the timeline yet' })).toContainText(
    'the office says Tuesday',
  )
  await expect(outboxButton(page)).toHaveAccessibleName(/^Offline, 1 waiting to be sent/)
  await page.getByLabel('Note', { exact: true }).fill('Wants a price for ten')
  await expectShortcutsActive(page)
  await page.getByRole('button', { name: /^No answer/ }).click()
  await expect(outboxButton(page)).toHaveAccessibleName(/2 waiting to be sent/)

  await abortWriteRequests(page)
  await context.setOffline(false)
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(outcomeRegion(page)).toContainText('Outcome: No answer is waiting to be sent')
  await outboxButton(page).click()
  await expect(outboxEntries(page)).toHaveCount(2)
  await expect(outboxEntries(page).nth(0)).toContainText('the office says Tuesday')
  await expect(outboxEntries(page).nth(1)).toContainText('Outcome: No answer')
  await expectAccessible(page)
  await page.unrouteAll({ behavior: 'wait' })
  await outboxDialog(page).getByRole('button', { name: 'Send now' }).click()
  await expect(outboxDialog(page)).toContainText('All changes have been sent.')
  await page.keyboard.press('Escape')
  await expect(outboxButton(page)).toHaveCount(0)

  await page.reload()
  await expect(articlesWithText(page, 'the office says Tuesday')).toHaveCount(1)
  await expect(articlesWithText(page, 'Wants a price for ten')).toHaveCount(1)
  // The newest entry is first.
  await expect(page.locator('article').first()).toContainText('Wants a price for ten')
})
