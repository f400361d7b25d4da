import type { Browser, Page } from '@playwright/test'
import { timeAtQuantile } from '../times.ts'
import { type BenchDevice, openMeasuredPage } from './browser.ts'
import { measureTimeToRender } from './drawn.ts'
import type { BenchProduct, LeadPageSelectors } from './product.ts'
import { waitForNetworkIdle } from './screens.ts'

const KEYS = 40
/** Minimum milliseconds that a user needs to click a control after seeing it. */
const REACH = 250
/** Milliseconds that a user looks at a record before going back. */
const RECORD_MS = 2000

/**
 * Durations of a user's actions, in milliseconds until the screen shows the result, and whether Back returns to the
 * same scroll position.
 */
export interface ActionTimes {
  readonly nextPage: number
  /** Time to sort the list; NaN on a phone, where the lists have no column headings to sort by. */
  readonly sort: number
  readonly open: number
  readonly back: number
  /** Whether the list returns to exactly the same scroll position. */
  readonly placeKept: boolean
  /**
   * Time from recording an outcome to the next lead: by a key on a desktop, by a tap in the sheet on a phone. For the
   * other product, the time to add a note.
   */
  readonly outcome: number
  /** 95th percentile of the time for a key press in a form. */
  readonly key: number
}

/**
 * Clicks the element that a selector finds, or goes back in the browser if there is no selector. Resolves to the
 * milliseconds until the content has changed.
 */
const click = (page: Page, selector: string | undefined, shown: string) =>
  measureTimeToRender(page.locator(selector ?? 'html').first(), selector ? 'click' : 'back', { text: shown })

/**
 * Prepares for a click as a user would: scrolls the control into view on a phone, or moves the pointer over it on a
 * desktop. Then waits for `REACH` milliseconds.
 */
async function reach(page: Page, selector: string, device: BenchDevice): Promise<void> {
  const target = page.locator(selector).first()
  if (device.network) await target.scrollIntoViewIfNeeded()
  else await target.hover()
  await page.waitForTimeout(REACH)
}

async function browse(page: Page, device: BenchDevice, marks: LeadPageSelectors) {
  const { list } = marks
  const rows = page.locator(list.useful)
  const drawn = () => rows.nth(marks.rows - 1).waitFor({ state: 'attached' })
  await page.goto(list.path)
  await rows.first().waitFor()
  await waitForNetworkIdle(page)
  await drawn()
  await reach(page, marks.next, device)
  const nextPage = await click(page, marks.next, list.useful)
  await waitForNetworkIdle(page)
  const heads = device.viewport.width > 600
  await drawn()
  if (heads && marks.sort.before) await page.locator(marks.sort.before).first().click()
  if (heads) await reach(page, marks.sort.press, device)
  const sort = heads ? await click(page, marks.sort.press, list.useful) : Number.NaN
  await waitForNetworkIdle(page)
  await drawn()
  const from = await page.evaluate(() => {
    window.scrollTo(0, 600)
    return window.scrollY
  })
  const row = rows.nth(heads ? 18 : 3)
  if (heads) await row.hover()
  await page.waitForTimeout(REACH)
  await page.evaluate(() => window.scrollTo(0, 600))
  const id = await row.getAttribute(marks.names)
  const open = await click(page, `[${marks.names}="${id}"]`, marks.record)
  await waitForNetworkIdle(page)
  // Long enough for the list to be drawn anew on Back, as after a call.
  await page.waitForTimeout(RECORD_MS)
  const back = await click(page, marks.back, list.useful)
  await page.waitForTimeout(1000)
  const to = await page.evaluate(() => window.scrollY)
  return { nextPage, sort, open, back, placeKept: Math.abs(to - from) <= 1 }
}

/** Measures the time from a key press to the paint in a form, in milliseconds (95th percentile). */
async function typeKeys(page: Page, form: LeadPageSelectors['form']): Promise<number> {
  await page.goto(form.path)
  const field = page.locator(form.field)
  await field.waitFor()
  await waitForNetworkIdle(page)
  await field.focus()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => times.push(performance.now() - timeStamp)
          port2.postMessage(0)
        }),
      true,
    )
  })
  for (let n = 0; n < KEYS; n++) await page.keyboard.press('abcdefghij'[n % 10] as string, { delay: 30 })
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times)
  return timeAtQuantile(times.slice(2), 0.95)
}

/** Performs the daily actions on leads and measures them. */
export async function measureActions(
  browser: Browser,
  product: BenchProduct,
  device: BenchDevice,
): Promise<ActionTimes> {
  const { marks } = product
  const { page, close } = await openMeasuredPage(browser, product, device, marks.list.as)
  try {
    const browsed = await browse(page, device, marks)
    const outcome = await marks.finish(page, !device.network)
    return { ...browsed, outcome, key: await typeKeys(page, marks.form) }
  } finally {
    await close()
  }
}
