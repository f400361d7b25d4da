import type { Page } from '@playwright/test'
import { findPopupViolations } from './accessibility.ts'
import { waitUntilSettled } from './journey.ts'
import { SLOWDOWN_FACTOR } from './pace.ts'

/** Selector of popups that were not on the page before. */
const POPUP =
  ':is([role="menu"], [role="listbox"], [role="dialog"], [popover], .mantine-Popover-dropdown):not([data-before])'
/** Selector of elements that are marked as opening a popup. */
const OPENER = ':is([aria-haspopup], [role="combobox"], [popovertarget]):visible'

const SOON_MS = 10_000 * SLOWDOWN_FACTOR
const NOTHING = ': nothing has opened'

interface Opener {
  readonly kind: string
  readonly name: string
  readonly selector: string
}

/** Finds one opener of each kind that no earlier page has shown. All row menus, for example, are of one kind. */
async function openersOn(page: Page, seen: Set<string>): Promise<Opener[]> {
  const all = await page.locator(OPENER).evaluateAll((found) =>
    found.flatMap((at, n) => {
      if (at.closest('[aria-hidden="true"], [inert]') || at.matches(':disabled')) return []
      at.setAttribute('data-opener', String(n))
      const name = at.getAttribute('aria-label') ?? at.getAttribute('name') ?? at.textContent ?? ''
      const kind = [at.tagName, at.className, at.getAttribute('aria-haspopup'), ...name.split(' ').slice(0, 2)].join()
      return { kind, name, selector: `[data-opener="${n}"]` }
    }),
  )
  return all.filter(({ kind }) => !seen.has(kind) && seen.add(kind))
}

type Schemes = readonly ('dark' | 'light')[]

/** Opens every popup of a page in turn, checks each in the given colour schemes, and returns the faults. */
export async function checkPopups(page: Page, seen: Set<string>, schemes: Schemes): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, selector } of await openersOn(page, seen)) {
    const at = page.locator(selector)
    if (!(await at.isVisible())) continue
    const press = () => at.click()
    const isCombobox = (await at.getAttribute('role')) === 'combobox'
    const found = await checkPopup(page, name, press, schemes, isCombobox ? () => waitUntilSettled(page) : undefined)
    // Some text fields show suggestions only for typed input.
    const isText = isCombobox && found.length === 1 && found[0]?.endsWith(NOTHING)
    if (!isText) wrong.push(...found)
  }
  return wrong
}

/** Finds controls in the popup that cannot be scrolled into view. */
const cutOff = (page: Page) =>
  page.locator(`${POPUP}:visible`).evaluateAll((popups) =>
    popups.flatMap((popup) =>
      [...popup.querySelectorAll<HTMLElement>('button, a, input, [role="option"], [role="menuitem"]')].flatMap((at) => {
        if (!at.checkVisibility({ visibilityProperty: true }) || !at.offsetWidth) return []
        at.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        const { left, right, top, bottom } = at.getBoundingClientRect()
        const fits = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1
        return fits || bottom - top > innerHeight ? [] : [`cut off: ${at.outerHTML.slice(0, 160)}`]
      }),
    ),
  )

/** Runs in the page. Returns true if fewer visible elements match the selector than before. */
const areFewer = ([selector, left]: readonly [string, number]) =>
  [...document.querySelectorAll(selector)].filter(
    (at) => at.checkVisibility({ visibilityProperty: true }) && at.getClientRects().length > 0,
  ).length < left

/** Opens one popup, checks it, closes it, and returns the faults. By default, it waits until the popup is visible. */
export async function checkPopup(
  page: Page,
  name: string,
  open: () => Promise<unknown>,
  schemes: Schemes,
  opened: () => Promise<unknown> = () => page.locator(`${POPUP}:visible`).first().waitFor({ timeout: SOON_MS }),
): Promise<string[]> {
  await page.locator(`${POPUP}:visible`).evaluateAll((all) => {
    for (const one of all) one.setAttribute('data-before', '')
  })
  const popup = page.locator(`${POPUP}:visible`)
  try {
    await open()
    await opened()
  } catch {
    return [`${name}${NOTHING}`]
  }
  if ((await popup.count()) === 0) return [`${name}${NOTHING}`]
  const wrong = [...(await findPopupViolations(page, POPUP, schemes)), ...(await cutOff(page))].map(
    (one) => `${name}: ${one}`,
  )
  for (let left = await popup.count(); left > 0; left = await popup.count()) {
    await page.keyboard.press('Escape')
    try {
      await page.waitForFunction(areFewer, [POPUP, left] as const, { timeout: SOON_MS })
    } catch {
      return [...wrong, `${name}: Escape does not close it`]
    }
  }
  return wrong
}
