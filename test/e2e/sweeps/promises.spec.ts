import { expect, type Page } from '@playwright/test'
import { matchPath } from 'react-router'
import type { Page as Screen } from '#web/shell/manifest/page.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'
import { waitUntilCached } from '../support/keeper.ts'
import { isAccessibleTo, signedInScreens } from '../support/screens.ts'

// Checks every field of every screen without a connection. Text typed into a field is still there after the page is
// reloaded, unless the page promises nothing. The screens come from the modules, and their records from the links
// of the screens.

test.use({ serviceWorkers: 'allow' })

/** Users who together can open every screen with a form. */
const USERS = ['admin.brick', 'office.brick', 'manager'] as const

/**
 * Selector of fields in which a user types. Searches and filters of lists are not kept, because they are in the URL, and
 * neither is what is typed into the preview of a form.
 */
const FIELDS = [
  'input:not([type])',
  'input[type=text]',
  'input[type=email]',
  'input[type=tel]',
  'input[type=url]',
  'input[type=number]',
  'textarea',
  '[contenteditable=true]',
]
  .map((field) => `main ${field}:not([readonly], [disabled], [role=combobox], [data-dates-input], aside *)`)
  .join(', ')

/**
 * Returns the promises on the page that typed text is stored, without those about what the user saves, signs or
 * confirms.
 */
const promisesOn = async (page: Page): Promise<string[]> =>
  (await page.locator('main').allInnerTexts())
    .join('\n')
    .split(/(?<=[.!?])\s+|\n+/)
    .filter(
      (sentence) =>
        /(?:stored|saved|kept|keeps?) .*on this device|on this device .*(?:stored|saved|kept)/i.test(sentence) &&
        !/\b(?:not|was) (?:yet )?stored|that you (?:save|confirm)|you sign or submit|^your signature|waiting/i.test(
          sentence,
        ),
    )

/** Returns everything that the page shows, including the contents of its fields. */
const shownOn = async (page: Page): Promise<string> =>
  [
    ...(await page.locator('main').allInnerTexts()),
    ...(await page
      .locator('input, textarea')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))),
  ].join('\n')

interface Typed {
  readonly name: string
  readonly text: string
}

let typedBefore = 0

/** Types different text into each field of the page, and returns the texts that the fields accepted. */
async function typeIntoFields(page: Page): Promise<Typed[]> {
  const typed: Typed[] = []
  const count = await page.locator(FIELDS).count()
  for (let n = 0; n < count; n++) {
    const field = page.locator(FIELDS).nth(n)
    if (!(await field.isVisible().catch(() => false))) continue
    const { name, search, numeric, date, free } = await field.evaluate((at) => {
      const input = at as HTMLInputElement
      return {
        name: input.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.getAttribute('name') ?? at.tagName,
        search:
          at.closest('[role=search], [data-list-toolbar]') !== null || /^search|^find/i.test(input.placeholder ?? ''),
        numeric: /numeric|decimal/.test(input.inputMode) || input.type === 'number',
        date: /^DD\/MM\/YYYY/.exec(input.placeholder ?? '')?.input ?? '',
        free: input.maxLength < 0 || input.maxLength > 12,
      }
    })
    if (search || /^search/i.test(name) || !(free || date)) continue
    const number = ++typedBefore
    const text = date
      ? `${String((number % 28) + 1).padStart(2, '0')}/01/${2100 + number}${date.endsWith('mm') ? ' 09:00' : ''}`
      : numeric
        ? String(1 + (number % 9))
        : `typed ${number}`
    await field.fill(text, { timeout: 5000 }).catch(() => undefined)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    if (!numeric && (await shownOn(page)).includes(text)) typed.push({ name, text })
  }
  return typed
}

/**
 * Opens the screens that need no record, and finds one record for each other screen among their links. Returns the
 * paths of the screens that may have fields.
 */
async function findPaths(page: Page, screens: readonly Screen[]): Promise<Map<Screen, string>> {
  const found = new Map<Screen, string>()
  const without = new Set<Screen>()
  const links = new Set<string>()
  const open = async (path: string) => {
    await page.goto(path)
    await waitUntilSettled(page).catch(() => undefined)
    const all = await page.locator('a[href^="/"]').evaluateAll((at) => at.map((a) => a.getAttribute('href') ?? ''))
    for (const href of all) links.add(href.split('?')[0] ?? href)
  }
  for (const screen of screens) {
    const bare = screen.path.replace(/\/:\w+\?$/, '')
    if (bare.includes(':')) continue
    await open(bare)
    if ((await page.locator(FIELDS).count()) > 0) found.set(screen, bare)
    else without.add(screen)
    if (screens.some((other) => other.path === `${bare}/view/:slug`)) await open(`${bare}?state=draft`)
  }
  // The second time also finds the records to which other records link.
  for (const again of [false, true]) {
    for (const screen of screens) {
      const isNeeded = (screen.path.endsWith('?') && !again) || (!found.has(screen) && !without.has(screen))
      const path = isNeeded && [...links].findLast((href) => matchPath(screen.path, href))
      if (!path) continue
      found.set(screen, path)
      if (!again) await open(path)
    }
  }
  return found
}

/** Returns the names of the steps of the editor that is open; one empty name for a page without steps. */
async function stepsOn(page: Page): Promise<(number | undefined)[]> {
  const count = await page
    .getByRole('navigation', { name: /^Steps in/ })
    .getByRole('listitem')
    .count()
  return count ? [...Array(count).keys()] : [undefined]
}

const openStep = async (page: Page, step: number | undefined) => {
  if (step === undefined) return
  const steps = page.getByRole('navigation', { name: /^Steps in/ }).getByRole('listitem')
  await steps
    .nth(step)
    .getByRole('button')
    .click({ timeout: 5000 })
    .catch(() => undefined)
  await waitUntilSettled(page)
}

/** Returns the texts that are missing from the page after a reload. */
async function lostAfterReload(page: Page, step: number | undefined, typed: readonly Typed[]): Promise<Typed[]> {
  await page.reload({ timeout: 20_000, waitUntil: 'domcontentloaded' })
  await waitUntilSettled(page).catch(() => undefined)
  await openStep(page, step)
  let lost = typed
  await expect
    .poll(
      async () => {
        const shown = await shownOn(page)
        lost = typed.filter(({ text }) => !shown.includes(text))
        return lost.length
      },
      { timeout: 30_000 },
    )
    .toBe(0)
    .catch(() => undefined)
  return [...lost]
}

/** Returns the promises that a screen breaks, with the fields whose text is lost. */
async function brokenPromises(page: Page, { availableOffline }: Screen, path: string): Promise<string[]> {
  const broken: string[] = []
  const context = page.context()
  await page.goto(path)
  await waitUntilSettled(page)
  if (availableOffline) await waitUntilCached(page, '/api/safety/')
  for (const step of await stepsOn(page)) {
    await openStep(page, step)
    if ((await page.locator(FIELDS).count()) === 0) continue
    // First the connection is lost while the page is open. Then the page is opened without a connection.
    for (const reopened of availableOffline ? [false, true] : [false]) {
      await context.setOffline(true)
      if (reopened) {
        await page.reload({ timeout: 20_000, waitUntil: 'domcontentloaded' })
        await waitUntilSettled(page).catch(() => undefined)
        await openStep(page, step)
      }
      const typed = await typeIntoFields(page)
      const promises = await promisesOn(page)
      if (!availableOffline) await context.setOffline(false)
      if (typed.length && promises.length) {
        const lost = await lostAfterReload(page, step, typed)
        if (lost.length)
          broken.push(`${path}: “${promises.join(' ')}” but lost are ${lost.map(({ name }) => name).join(', ')}`)
      }
      await context.setOffline(false)
    }
  }
  return broken
}

for (const username of USERS)
  test(`text typed without a connection is stored wherever the page promises it for ${username}`, async ({ page }) => {
    test.setTimeout(1_200_000)
    page.on('dialog', (dialog) => void dialog.accept())
    await signIn(page, username, '/dashboard')
    const paths = await findPaths(
      page,
      signedInScreens()
        .filter((screen) => !screen.open)
        .filter(isAccessibleTo(username)),
    )
    expect(paths.size).toBeGreaterThan(5)
    const broken: string[] = []
    for (const [screen, path] of paths) broken.push(...(await brokenPromises(page, screen, path)))
    expect(broken).toEqual([])
  })
