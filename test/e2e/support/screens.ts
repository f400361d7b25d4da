import type { Page } from '@playwright/test'
import { modules } from '#app/modules.web.ts'
import { hasRole } from '#kernel/roles.ts'
import type { Page as Screen } from '#web/shell/manifest/page.ts'
import { DEMO_USER_ROLES } from '../../support/demo-people.ts'
import { findViolations } from './accessibility.ts'
import { waitUntilSettled } from './journey.ts'
import { findLayoutShift } from './moved.ts'

const actor = (username: string) => ({
  userId: 1,
  clientId: 1,
  username,
  name: username,
  roles: DEMO_USER_ROLES[username] ?? [],
  scopes: [],
})

export const allScreens = (): Screen[] => modules.flatMap((module) => module.pages).filter((p) => p.load)
export const signedInScreens = () => allScreens().filter((s) => !s.checks?.includes('guest'))
export const isAccessibleTo = (username: string) => (s: Screen) =>
  s.open || hasRole(actor(username), s.allow ?? 'member')

/** Returns the paths to check for a screen, both without its optional parameters and with them filled in. */
export function pathsOf({ path }: Screen, lead: number | undefined, documents: readonly string[] = []): string[] {
  const bare = path.replace(/\/:\w+\?/, '') || '/'
  const one = documents.find((d) => d.replace(/\d+$/, ':slug') === bare)
  if (one) return [one]
  if (bare === '/crm/contact/view') return lead ? [`${bare}/${lead}`] : []
  if (bare === '/staff') return [bare, `${bare}/manager`]
  if (bare === '/example') return [bare, `${bare}/list`, `${bare}/dialog`, `${bare}/date`]
  return bare.includes(':') ? [] : [bare]
}

/** Returns the ID of a lead that staff can open. */
export async function findLeadId(page: Page): Promise<number> {
  await page.goto('/crm/contact/list')
  return Number(await page.locator('[data-row-link]').first().getAttribute('data-row-link'))
}

/** Documents found for each user. The cache stays valid, because the screen checks create and retire none. */
const documentsOf = new Map<string, readonly string[]>()

/** Returns the paths of a draft and a document in force of each type that this user can see. */
export async function findDocumentPaths(page: Page, username: string): Promise<readonly string[]> {
  const known = documentsOf.get(username)
  if (known) return known
  const mine = signedInScreens().filter(isAccessibleTo(username))
  const lists = mine.filter((s) => mine.some((o) => o.path === `${s.path}/view/:slug`)).map((s) => s.path)
  const found: string[] = []
  for (const list of lists)
    for (const state of ['current', 'draft']) {
      await page.goto(`${list}?state=${state}`)
      await waitUntilSettled(page)
      const [first] = await page.locator('a[data-row-link]').all()
      const href = await first?.getAttribute('href')
      if (href) found.push(href)
    }
  documentsOf.set(username, found)
  return found
}

export function collectPageErrors(page: Page): string[] {
  const wrong: string[] = []
  page.on('console', (m) => {
    if (m.type() === 'error') wrong.push(`${new URL(page.url()).pathname}: ${m.text()}`)
  })
  page.on('pageerror', (e) => wrong.push(`${new URL(page.url()).pathname}: ${e.message}`))
  page.on('response', (r) => {
    if (r.status() >= 500) wrong.push(`${r.status()} ${r.url()}`)
  })
  return wrong
}

/** Returns the number of pixels by which the page is wider than the window. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Loads a screen and returns its faults: layout shifts, and accessibility violations in the given colour schemes. */
export async function checkScreen(
  page: Page,
  address: string,
  schemes: readonly ('light' | 'dark')[],
  picture?: (scheme: string) => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = []
  await page.goto(address)
  await waitUntilSettled(page)
  const moved = await findLayoutShift(page)
  if (moved) found.push(`${address} moves ${moved} as it comes`)
  for (const scheme of schemes) {
    found.push(...(await findViolations(page, scheme)).map((line) => `${address} in ${scheme}: ${line}`))
    await picture?.(scheme)
  }
  return found
}
