import { expect, type Page } from '@playwright/test'
import { DEMO_USER_ROLES } from '../../support/demo-people.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'

// Tables fit their containers and have single-line rows, even with very long content.

const LISTS: Readonly<Record<string, readonly string[]>> = {
  manager: [
    '/crm/contact/list',
    '/staff',
    '/crm/customers',
    '/crm/quotes',
    '/config/catalogue',
    '/config/security-log',
    '/config/users',
    '/config/roles',
    '/cms/clients',
    '/safety/risk-assessment',
    '/safety/toolbox-talks',
  ],
  'admin.brick': [
    '/config/users',
    '/safety/risk-assessment',
    '/safety/toolbox-talks',
    '/safety/toolbox-talks/presented',
    '/sfp/file-manager',
  ],
}

/** Names of fields with text that users type, such as names, titles and places. */
const WRITTEN = /^(?:name|title|company|companyName|contactName|presenter|place|city|label|description|author|detail)$/i
const LONG = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochx'

/** Returns the same data, with every text that users type extended to sixty characters. */
function lengthen(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lengthen(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lengthen(one, key)]))
  return typeof value === 'string' && WRITTEN.test(name) && value && !value.startsWith('/')
    ? `${value} ${LONG}`.slice(0, Math.max(60, value.length))
    : value
}

/** Puts long names into every list that the page loads. */
const withLongNames = (page: Page) =>
  page.route('**/api/**', async (route) => {
    const asked = route.request()
    // Event streams never end.
    if (asked.method() !== 'GET' || asked.headers().accept?.includes('event-stream')) return route.continue()
    try {
      const response = await route.fetch()
      if (!response.headers()['content-type']?.includes('json')) return await route.fulfill({ response })
      const json = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json: 'hydra:member' in json ? lengthen(json) : json })
    } catch (error) {
      // The page has cancelled the request, because it has moved on to the next list.
      if (!/disposed|closed/.test(String(error))) throw error
    }
  })

/**
 * Returns the table faults on a page: content wider than its container, and rows that are not a single line of 40 px.
 */
const wrongOf = (page: Page) =>
  page.evaluate(() => {
    const wrong: string[] = []
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (over > 0) {
      const wide = [...document.querySelectorAll('#main *')].filter(
        (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth,
      )
      wrong.push(`the page by ${over}: ${wide[0]?.outerHTML.slice(0, 200) ?? 'beside the content'}`)
    }
    for (const table of document.querySelectorAll('#main table')) {
      const frame = table.parentElement
      if (frame && table.scrollWidth > frame.clientWidth)
        wrong.push(`a table by ${table.scrollWidth - frame.clientWidth}`)
      for (const row of table.querySelectorAll('tbody tr[data-row]')) {
        const { height } = row.getBoundingClientRect()
        if (Math.abs(height - 40) > 0.6) wrong.push(`a row of ${height}: ${row.textContent.slice(0, 60)}`)
      }
    }
    return wrong
  })

/** Widths to check. The page loads at the first width, and is then resized to the others. */
const WIDTHS = { 'a desk': [1440, 1280], 'a phone': [320] } as const

for (const [username, lists] of Object.entries(LISTS))
  for (const [device, widths] of Object.entries(WIDTHS))
    test(`lists for ${username} show long names without overflow on ${device}`, async ({ elsewhere }) => {
      test.slow()
      const page = await elsewhere()
      await withLongNames(page)
      await signIn(page, username, '/dashboard')
      const wrong: string[] = []
      for (const list of lists)
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          if (width === widths[0]) await page.goto(list)
          await waitUntilSettled(page)
          wrong.push(...(await wrongOf(page)).map((what) => `${list} at ${width}: ${what}`))
        }
      expect(wrong).toEqual([])
    })

test('at least sixteen leads are visible without scrolling, and truncated text is shown in full by pointer and by keyboard', async ({
  elsewhere,
}) => {
  const page = await elsewhere({ viewport: { width: 1440, height: 900 } })
  await withLongNames(page)
  await signIn(page, 'manager', '/crm/contact/list')
  await waitUntilSettled(page)
  const seen = await page
    .locator('tbody tr[data-row]')
    .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length)
  expect(seen).toBeGreaterThanOrEqual(16)

  const tip = page.getByRole('tooltip')
  await page.locator('tbody tr[data-row] > th').first().hover()
  await expect(tip).toContainText('Llanfairpwllgwyn')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(tip).toContainText(/Company: .*Llanfairpwllgwyn.*Contact: .*Llanfairpwllgwyn/)
  // If the number is fully visible, its label for screen readers opens no tooltip.
  await expect(tip).not.toContainText('Telephone')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  await expect(page.locator('[data-row-link]').first()).toBeFocused()

  // The user can select compact rows, and a reload keeps them.
  const height = () =>
    page
      .locator('tbody tr[data-row]')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height)
  expect(await height()).toBeCloseTo(40, 0)
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('radiogroup', { name: 'Row height' }).getByText('Compact').click()
  await expect.poll(height).toBeCloseTo(32, 0)
  await page.reload()
  await waitUntilSettled(page)
  expect(await height()).toBeCloseTo(32, 0)
})

test('the names that identify rows are shown in full at a width of 1280 px', async ({ elsewhere }) => {
  const page = await elsewhere({ viewport: { width: 1280, height: 800 } })
  const cutIn = (head: string) =>
    page.locator('#main tbody [data-known]').evaluateAll((cells, head) => {
      const title = cells[0]?.closest('table')?.tHead?.rows[0]?.cells[(cells[0] as HTMLTableCellElement).cellIndex]
      if (!title?.textContent.includes(head)) return [title?.textContent ?? 'no column']
      return cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)
    }, head)
  await signIn(page, 'manager', '/crm/contact/list')
  await waitUntilSettled(page)
  expect(await cutIn('Company')).toEqual([])
  await signIn(page, 'approver.brick', '/safety/risk-assessment')
  await waitUntilSettled(page)
  expect(await cutIn('Title')).toEqual([])
})

test('a page is printed in black on white and without navigation', async ({ page }) => {
  await signIn(page, 'admin.brick', '/safety/risk-assessment')
  await page.emulateMedia({ colorScheme: 'dark' })
  await waitUntilSettled(page)
  await page.locator('[data-row-link]').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const role of ['banner', 'navigation', 'toolbar', 'status'] as const)
    await expect(page.getByRole(role).filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /New risk assessment|Views|^Actions for/ })).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  // All columns are printed, and none extends beyond the page.
  for (const head of ['Number', 'Title', 'Status', 'Review due', 'Signed'])
    await expect(page.getByRole('columnheader', { name: head })).toBeVisible()
  await page.setViewportSize({ width: 794, height: 1123 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(794)
  await page.emulateMedia({ media: 'screen' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

/** Screens that name people, and whether to open a row of the list. Pages that administer usernames are left out. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  manager: [
    '/crm/contact/list',
    '/crm/customers',
    '/crm/quotes',
    '/crm/invoices',
    '/crm/subscriptions',
    '/crm/charges',
    '/crm/refunds',
    '/crm/approvals',
    '/crm/ledger',
    '/crm/contact/import',
    '/crm/do-not-call',
    '/marketing/daily-email/iso',
    '/email/messages',
    '/letters',
    '/profile/long-work',
    '/config/catalogue',
  ],
  'admin.brick': ['/safety/risk-assessment', '/safety/toolbox-talks', '/safety/actions', '/sfp/file-manager'],
}

/** Returns the texts on a page that are a demo username, or end with one after "by". */
const usernamesOn = (page: Page, usernames: readonly string[]) =>
  page.evaluate((names) => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.querySelector('#main') ?? document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (names.some((name) => text === name || new RegExp(`\\bby ${name}\\b`).test(text))) found.push(text)
    }
    return found
  }, usernames)

for (const [user, paths] of Object.entries(NAMING))
  test(`no screen of ${user} shows a username in place of a person`, async ({ page }) => {
    test.slow()
    const usernames = [...Object.keys(DEMO_USER_ROLES), 'system', 'customer']
    const wrong: string[] = []
    await signIn(page, user, '/dashboard')
    const look = async () => {
      await waitUntilSettled(page)
      for (const text of await usernamesOn(page, usernames)) wrong.push(`${new URL(page.url()).pathname}: ${text}`)
    }
    for (const path of paths) {
      await page.goto(path)
      await look()
      const row = page.locator('[data-row-link]:is(a, button)').first()
      if (!(await row.isVisible())) continue
      await row.click()
      await look()
    }
    expect(wrong).toEqual([])
  })
