import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { expectChartsRendered, expectNumberOpensMatchingList } from '../support/figures.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findLayoutShift } from '../support/moved.ts'

// Tests each role's dashboard: every number links to the rows that it counts.

test("a manager sees the team's work, and each number opens the rows that it counts", async ({ page }) => {
  await signIn(page, 'manager', '/dashboard')
  await waitUntilSettled(page)
  await expectChartsRendered(page, 'Team activity')
  expect(await findLayoutShift(page)).toBeUndefined()
  const team = page.getByRole('region', { name: 'Team activity' })

  await test.step('the previous week is shown for the team and for one person', async () => {
    await expectNumberOpensMatchingList(page, team.getByRole('link', { name: /Calls last week$/ }))
    await expectNumberOpensMatchingList(page, team.getByRole('link', { name: /Last week, Sam Taylor$/ }))
    await expectNumberOpensMatchingList(page, team.getByRole('link', { name: /Quotes sent last week$/ }))
  })

  await test.step("the chart's table shows each person's calls in each week", async () => {
    await team.getByText('Calls by week as a table').click()
    const table = team.getByRole('region', { name: 'Table: Calls by week' })
    // The current week and the user's name are visible.
    await expect(table.getByRole('columnheader', { name: 'Now' })).toBeInViewport({ ratio: 0.9 })
    await expect(table.getByRole('rowheader', { name: 'Alan Barker' })).toBeInViewport({ ratio: 0.9 })
    await expectNumberOpensMatchingList(
      page,
      table
        .getByRole('row', { name: /^Alan Barker/ })
        .getByRole('link')
        .nth(2),
    )
  })

  await test.step('a bar in the chart opens the rows that it counts', async () => {
    await expectChartsRendered(page, 'Team activity')
    await team
      .getByRole('img', { name: /^Calls in nine weeks/ })
      .locator('.recharts-bar-rectangle')
      .first()
      .click()
    await expect(page).toHaveURL(/\/crm\/calls\?.*ended=forward/)
    await page.goBack()
    await waitUntilSettled(page)
  })

  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await expectChartsRendered(page, 'Team activity')
    await expectAccessible(page)
  }
})
