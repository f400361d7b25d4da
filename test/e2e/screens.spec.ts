import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { pages } from '#app/pages.ts'
import { holds } from '#kernel/roles.ts'
import type { Page as Screen } from '#web/shell/pages/page.ts'

// Every screen of every room, as every kind of person who may open it: accessible in light and dark, no error on the
// console, nothing that the security policy refuses, and a picture of each.

const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  manager: [
    'ROLE_STAFF',
    'ROLE_USER_ADMIN',
    'ROLE_ROLES_ADMIN',
    'ROLE_CLIENTS_ADMIN',
    'ROLE_LEADS_ADMIN',
    'ROLE_BILLING_ADMIN',
    'ROLE_SAFETY_ADMIN',
    'ROLE_MAIL_ADMIN',
  ],
  staff: ['ROLE_STAFF'],
  'admin.brick': ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'],
  'worker.brick': ['ROLE_EMPLOYEE'],
  'reseller.north': ['ROLE_RESELLER'],
}
const actor = (username: string) => ({
  userId: 1,
  clientId: 1,
  username,
  name: username,
  roles: PEOPLE[username] ?? [],
  scopes: [],
})

const SCHEMES = ['light', 'dark'] as const

const screens = (): Screen[] => pages.filter((p) => p.load)

/** The addresses to look at: without what may be left out, and with something in it. */
function addresses({ path }: Screen, lead: number | undefined, documents: readonly string[] = []): string[] {
  const bare = path.replace(/\/:\w+\?/, '') || '/'
  const one = documents.find((d) => d.replace(/\d+$/, ':slug') === bare)
  if (one) return [one]
  if (bare === '/crm/contact/view') return lead ? [`${bare}/${lead}`] : []
  if (bare === '/staff') return [bare, `${bare}/manager`]
  if (bare === '/example') return [bare, `${bare}/list`, `${bare}/dialog`, `${bare}/date`]
  return bare.includes(':') ? [] : [bare]
}

/** A document that is written and one that is read, of each kind that this person sees. */
async function documentsOf(page: Page, mine: readonly Screen[]): Promise<string[]> {
  const lists = mine.filter((s) => mine.some((o) => o.path === `${s.path}/view/:slug`)).map((s) => s.path)
  const found: string[] = []
  for (const list of lists)
    for (const state of ['current', 'draft']) {
      await page.goto(`${list}?state=${state}`)
      await page.waitForLoadState('networkidle')
      const href = await page
        .locator('a[data-row-link]')
        .first()
        .getAttribute('href', { timeout: 2000 })
        .catch(() => null)
      if (href) found.push(href)
    }
  return found
}

async function signIn(page: Page, username: string) {
  await page.goto('/?next=/dashboard')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('Portal-demo-2026')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/dashboard')
}

/** What goes wrong behind a page's back. */
function listen(page: Page): string[] {
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

async function look(page: Page, address: string, scheme: 'light' | 'dark', picture: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  if (new URL(page.url()).pathname !== address) await page.goto(address)
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  expect((await page.screenshot({ path: picture })).length).toBeGreaterThan(5000)
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map((v) => `${address} in ${scheme}: ${v.id} ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)
}

const name = (address: string) => address.replaceAll('/', '-').slice(1) || 'start'

test.describe.configure({ mode: 'parallel' })

for (const username of Object.keys(PEOPLE))
  test(`every screen of ${username}`, async ({ page }, info) => {
    test.setTimeout(360_000)
    const wrong = listen(page)
    await signIn(page, username)
    const all = screens().filter((s) => !s.checks?.includes('guest'))
    const mine = all.filter((s) => s.open || holds(actor(username), s.allow ?? 'member'))
    expect(mine.length).toBeGreaterThan(4)
    await page.goto('/crm/contact/list')
    const link = page.locator('[data-lead]').first()
    const lead = PEOPLE[username]?.includes('ROLE_STAFF') ? Number(await link.getAttribute('data-lead')) : undefined
    const documents = await documentsOf(page, mine)
    const found: string[] = []
    // Colours are everybody's: the manager, who sees most, sees them all in the dark too.
    // What staff see, the manager sees alike: for staff, the dashboard is their own.
    const here = mine.filter((s) => username !== 'staff' || s.path === '/dashboard')
    for (const address of here.flatMap((s) => addresses(s, lead, documents)))
      for (const scheme of username === 'manager' || address === '/dashboard' ? SCHEMES : (['light'] as const))
        found.push(...(await look(page, address, scheme, info.outputPath(`${name(address)}-${scheme}.png`))))
    expect(found).toEqual([])
    expect(wrong).toEqual([])

    // And none of the others.
    const theirs = all.filter((s) => !mine.includes(s)).flatMap((s) => addresses(s, 1))
    for (const address of theirs) {
      await page.goto(address)
      await expect(page.getByText(/do(es)? not have (access|permission)|No access|not allowed/i).first()).toBeVisible()
    }
  })

test('every screen of somebody who has not signed in', async ({ page }, info) => {
  const wrong = listen(page)
  const open = screens().filter((s) => s.open)
  const found: string[] = []
  for (const address of open.flatMap((s) => addresses(s, undefined)))
    for (const scheme of SCHEMES)
      found.push(...(await look(page, address, scheme, info.outputPath(`${name(address)}-${scheme}.png`))))
  expect(found).toEqual([])
  expect(wrong).toEqual([])
})

test('on a telephone nothing is cut off', async ({ page }, info) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, 'manager')
  const wide: string[] = []
  for (const address of screens()
    .filter((s) => !s.open)
    .flatMap((s) => addresses(s, undefined))) {
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: info.outputPath(`${name(address)}-telephone.png`) })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (over > 0) wide.push(`${address} by ${over}`)
  }
  expect(wide).toEqual([])
})
