import type { Browser, Page } from '@playwright/test'
import { type Device, openVisit } from './browser.ts'
import type { Portal } from './portal.ts'
import { LEADS, settle } from './screens.ts'

const OUTCOMES = 6
const KEYS = 40
/** Between seeing what one wants to press and pressing it nobody takes less, in milliseconds. */
const REACH = 250
/** Nobody ends a call within this many milliseconds; by then the last outcome is saved, and the key means this lead. */
const BETWEEN_CALLS = 700
const middle = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] as number
const share = (list: readonly number[], p: number) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * p))] as number

/** What a person does next, and milliseconds until it is on the screen. */
export interface Done {
  readonly nextPage: number
  /** Where there are heads to sort by. */
  readonly sort: number
  readonly open: number
  readonly back: number
  /** Whether the list is where it was left: as far down, within a row. */
  readonly placeKept: boolean
  /** At a desk by a key, on a phone by a tap in the sheet. */
  readonly outcome: number
  /** A key in a form, 95 of 100. */
  readonly key: number
}

/**
 * Clicks what a selector finds, and resolves to the milliseconds until a picture is drawn in which `shown` finds something that it
 * didn't before: its text, or the page's address.
 */
const click = (page: Page, selector: string, shown: string) =>
  page.evaluate(
    ({ selector, shown }) =>
      new Promise<number>((done, failed) => {
        const state = () => `${location.pathname} ${document.querySelector(shown)?.textContent ?? ''}`
        const ready = () => document.querySelector(shown) !== null && !document.querySelector('[aria-busy="true"]')
        const before = state()
        const target = document.querySelector<HTMLElement>(selector)
        if (!target) return failed(new Error(`There is no ${selector}`))
        const began = performance.now()
        const look = () => {
          if (performance.now() - began > 20_000) return failed(new Error(`${selector} changed nothing`))
          if (!ready() || state() === before) return requestAnimationFrame(look)
          // The picture with the change in it is drawn after this frame's work.
          requestAnimationFrame(() => done(performance.now() - began))
        }
        target.click()
        look()
      }),
    { selector, shown },
  )

/** The whole page of the list is drawn. */
const drawn = (page: Page) => page.locator(LEADS.useful).nth(49).waitFor({ state: 'attached' })

/** Brings into sight what will be pressed, with the pointer on it where there is one. */
async function reach(page: Page, selector: string, device: Device): Promise<void> {
  const target = page.locator(selector).first()
  if (device.network) await target.scrollIntoViewIfNeeded()
  else await target.hover()
  await page.waitForTimeout(REACH)
}

const HEAD = 'thead th:nth-child(3) button'

async function browse(page: Page, device: Device) {
  await page.goto(LEADS.path)
  await page.locator(LEADS.useful).first().waitFor()
  await settle(page)
  const first = `${LEADS.useful} `
  await drawn(page)
  await reach(page, '[aria-label="Next page"]', device)
  const nextPage = await click(page, '[aria-label="Next page"]', first)
  await settle(page)
  const heads = device.viewport.width > 600
  await drawn(page)
  if (heads) await reach(page, HEAD, device)
  const sort = heads ? await click(page, HEAD, first) : Number.NaN
  await settle(page)
  await drawn(page)
  const from = await page.evaluate(() => {
    window.scrollTo(0, 600)
    return window.scrollY
  })
  const row = page.locator(LEADS.useful).nth(heads ? 18 : 3)
  if (heads) await row.hover()
  await page.waitForTimeout(REACH)
  await page.evaluate(() => window.scrollTo(0, 600))
  const id = await row.getAttribute('data-row-link')
  const open = await click(page, `[data-row-link="${id}"]`, '[data-lead-screen]')
  await settle(page)
  const back = await click(page, '[aria-label="Back to the list"]', LEADS.useful)
  await page.waitForTimeout(300)
  const to = await page.evaluate(() => window.scrollY)
  return { nextPage, sort, open, back, placeKept: Math.abs(to - from) < 40 }
}

/** Milliseconds from the key, or the tap, that ends a call to the next lead on the screen. */
async function endCalls(page: Page, byKey: boolean): Promise<number> {
  await page.goto(LEADS.path)
  await page.getByRole('button', { name: /Start calling/ }).click()
  await page.waitForURL(/contact\/view/)
  const times: number[] = []
  for (let n = 0; n < OUTCOMES; n++) {
    if (!byKey) await page.getByRole('button', { name: 'How did it end?' }).click()
    await page.getByRole('button', { name: /No answer/ }).waitFor()
    await settle(page)
    await page.waitForTimeout(BETWEEN_CALLS)
    times.push(
      await page.evaluate(
        (byKey) =>
          new Promise<number>((done, failed) => {
            const before = location.pathname
            const began = performance.now()
            const look = () => {
              if (performance.now() - began > 20_000) failed(new Error('There came no other lead'))
              else if (location.pathname === before) requestAnimationFrame(look)
              else requestAnimationFrame(() => done(performance.now() - began))
            }
            const first = document.querySelector<HTMLElement>('[aria-keyshortcuts^="1 "]')
            if (byKey) first?.dispatchEvent(new KeyboardEvent('keydown', { key: '1', code: 'Digit1', bubbles: true }))
            else first?.click()
            look()
          }),
        byKey,
      ),
    )
  }
  return middle(times.slice(2))
}

/** Milliseconds from a key in a form to the picture with its letter. */
async function typeKeys(page: Page): Promise<number> {
  await page.goto('/cms/contact/create')
  const field = page.getByLabel('Company name')
  await field.waitFor()
  await settle(page)
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
  return share(times.slice(2), 0.95)
}

/** What the provider's staff do with their leads all day. */
export async function act(browser: Browser, portal: Portal, device: Device): Promise<Done> {
  const { page, close } = await openVisit(browser, portal, device, LEADS.as)
  try {
    const browsed = await browse(page, device)
    const outcome = await endCalls(page, device.viewport.width > 600)
    return { ...browsed, outcome, key: await typeKeys(page) }
  } finally {
    await close()
  }
}
