import { expect, type Page } from '@playwright/test'
import { settled, signIn, test } from '../support/journey.ts'

// Tables stand in their frames with rows of one line, whatever is written in them.

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

/** What people write: names, titles, places. */
const WRITTEN = /^(?:name|title|company|companyName|contactName|presenter|place|city|label|description|author|detail)$/i
const LONG = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochx'

/** The same with sixty letters in everything that people write. */
function lengthen(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lengthen(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lengthen(one, key)]))
  return typeof value === 'string' && WRITTEN.test(name) && value && !value.startsWith('/')
    ? `${value} ${LONG}`.slice(0, Math.max(60, value.length))
    : value
}

/** From now on every list that the page reads is full of long names. */
const withLongNames = (page: Page) =>
  page.route('**/api/**', async (route) => {
    const asked = route.request()
    // What is told as it happens never ends.
    if (asked.method() !== 'GET' || asked.headers().accept?.includes('event-stream')) return route.continue()
    try {
      const response = await route.fetch()
      if (!response.headers()['content-type']?.includes('json')) return await route.fulfill({ response })
      const json = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json: 'hydra:member' in json ? lengthen(json) : json })
    } catch (error) {
      // What nobody waits for any more: the page has gone on to the next list.
      if (!/disposed|closed/.test(String(error))) throw error
    }
  })

/** How the tables of a page stand: what is wider than its frame, and rows that are no line of 40 px. */
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

/** Widths, of which a page comes in the first and is drawn together to the others as it stands. */
const WIDTHS = { 'a desk': [1440, 1280], 'a phone': [320] } as const

for (const [username, lists] of Object.entries(LISTS))
  for (const [device, widths] of Object.entries(WIDTHS))
    test(`lists of ${username} hold long names on ${device}`, async ({ elsewhere }) => {
      test.slow()
      const page = await elsewhere()
      await withLongNames(page)
      await signIn(page, username, '/dashboard')
      const wrong: string[] = []
      for (const list of lists)
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          if (width === widths[0]) await page.goto(list)
          await settled(page)
          wrong.push(...(await wrongOf(page)).map((what) => `${list} at ${width}: ${what}`))
        }
      expect(wrong).toEqual([])
    })

test('sixteen leads are seen at once, and what is cut is shown in full to pointer and keyboard', async ({
  elsewhere,
}) => {
  const page = await elsewhere({ viewport: { width: 1440, height: 900 } })
  await withLongNames(page)
  await signIn(page, 'manager', '/crm/contact/list')
  await settled(page)
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
  // What is only heard is no reason to show a number that is seen whole.
  await expect(tip).not.toContainText('Telephone')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  await expect(page.locator('[data-row-link]').first()).toBeFocused()

  // Whoever wants more rows has them closer together, also after a reload.
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
  await settled(page)
  expect(await height()).toBeCloseTo(32, 0)
})

test('at 1280 the names that rows are known by are whole', async ({ elsewhere }) => {
  const page = await elsewhere({ viewport: { width: 1280, height: 800 } })
  const cutIn = (head: string) =>
    page.locator('#main tbody [data-known]').evaluateAll((cells, head) => {
      const title = cells[0]?.closest('table')?.tHead?.rows[0]?.cells[(cells[0] as HTMLTableCellElement).cellIndex]
      if (!title?.textContent.includes(head)) return [title?.textContent ?? 'no column']
      return cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)
    }, head)
  await signIn(page, 'manager', '/crm/contact/list')
  await settled(page)
  expect(await cutIn('Company')).toEqual([])
  await signIn(page, 'approver.brick', '/safety/risk-assessment')
  await settled(page)
  expect(await cutIn('Title')).toEqual([])
})

test('a page is printed without what surrounds it, in black on white', async ({ page }) => {
  await signIn(page, 'admin.brick', '/safety/risk-assessment')
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  await page.locator('[data-row-link]').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const role of ['banner', 'navigation', 'toolbar', 'status'] as const)
    await expect(page.getByRole(role).filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /New risk assessment|Views|^Actions for/ })).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  // Every column is there, and nothing goes over the edge of the paper.
  for (const head of ['Number', 'Title', 'Status', 'Review due', 'Signed'])
    await expect(page.getByRole('columnheader', { name: head })).toBeVisible()
  await page.setViewportSize({ width: 794, height: 1123 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(794)
  await page.emulateMedia({ media: 'screen' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})
