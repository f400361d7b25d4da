import { expect, type Page } from '@playwright/test'
import { modules } from '#app/modules.web.ts'
import { hasRole } from '#kernel/roles.ts'
import type { Page as Screen } from '#web/shell/manifest/page.ts'
import { violationsIn } from './support/accessibility.ts'
import { apiOf, makeTalk } from './support/api.ts'
import { goInside, PHONE, settled, signIn, test } from './support/journey.ts'
import { movedOn } from './support/moved.ts'
import { tooSmallToTap } from './support/tapped.ts'

// Every screen of every module, as every kind of person who may open it: accessible in light and dark, no error on the
// console, nothing that the security policy refuses; and a picture of each, for people to look at, where PICTURES is set.

const PICTURES = Boolean(process.env.PICTURES)

const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  manager: [
    'ROLE_STAFF',
    'ROLE_USER_ADMIN',
    'ROLE_ROLES_ADMIN',
    'ROLE_CLIENTS_ADMIN',
    'ROLE_LEADS_ADMIN',
    'ROLE_BILLING_ADMIN',
    'ROLE_FINANCE',
    'ROLE_SALES_ADMIN',
    'ROLE_SAFETY_ADMIN',
    'ROLE_MAIL_ADMIN',
  ],
  staff: ['ROLE_STAFF'],
  'admin.brick': ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'],
  'worker.brick': ['ROLE_EMPLOYEE'],
  'office.brick': ['ROLE_EMPLOYEE', 'ROLE_INVOICING'],
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

const screens = (): Screen[] => modules.flatMap((module) => module.pages).filter((p) => p.load)
const inside = () => screens().filter((s) => !s.checks?.includes('guest'))
const isFor = (username: string) => (s: Screen) => s.open || hasRole(actor(username), s.allow ?? 'member')

/** A journey that looks at all of somebody's screens would be the last to end: it goes in parts of as many. */
const PART = 12
/**
 * What looks alike to several people is looked at once: what anybody may open, as the manager and as somebody who has not signed in; what
 * staff see, as the manager; what any member sees, as one of a company. Their own dashboard is everybody's.
 */
function toLookAt(username: string): Screen[] {
  const alike: Readonly<Record<string, (s: Screen) => boolean>> = {
    manager: () => false,
    staff: () => true,
    'office.brick': (s) => s.allow !== 'ROLE_INVOICING',
    'reseller.north': (s) => s.allow === undefined,
  }
  const isAlike = alike[username] ?? ((s: Screen) => s.open === true)
  return inside()
    .filter(isFor(username))
    .filter((s) => s.path === '/dashboard' || !isAlike(s))
}

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

/** A lead that somebody of the staff may open. */
async function findLead(page: Page): Promise<number> {
  await page.goto('/crm/contact/list')
  return Number(await page.locator('[data-row-link]').first().getAttribute('data-row-link'))
}

/** What each person's documents are: nobody begins or ends one while screens are looked at. */
const documentsOf = new Map<string, readonly string[]>()

/** A document that is written and one that is read, of each kind that this person sees. */
async function findDocuments(page: Page, username: string): Promise<readonly string[]> {
  const known = documentsOf.get(username)
  if (known) return known
  const mine = inside().filter(isFor(username))
  const lists = mine.filter((s) => mine.some((o) => o.path === `${s.path}/view/:slug`)).map((s) => s.path)
  const found: string[] = []
  for (const list of lists)
    for (const state of ['current', 'draft']) {
      await page.goto(`${list}?state=${state}`)
      await settled(page)
      const [first] = await page.locator('a[data-row-link]').all()
      const href = await first?.getAttribute('href')
      if (href) found.push(href)
    }
  documentsOf.set(username, found)
  return found
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

const name = (address: string) => address.replaceAll('/', '-').slice(1) || 'start'

/** Opens an address and says what is inaccessible, in light and, if asked, in the dark. */
async function look(page: Page, address: string, dark: boolean, picture: (name: string) => string): Promise<string[]> {
  const found: string[] = []
  await page.goto(address)
  await settled(page)
  const moved = await movedOn(page)
  if (moved) found.push(`${address} moves ${moved} as it comes`)
  for (const scheme of dark ? (['light', 'dark'] as const) : (['light'] as const)) {
    found.push(...(await violationsIn(page, scheme)).map((line) => `${address} in ${scheme}: ${line}`))
    if (PICTURES) await page.screenshot({ path: picture(`${name(address)}-${scheme}.png`) })
  }
  return found
}

for (const username of Object.keys(PEOPLE)) {
  const mine = toLookAt(username)
  for (let from = 0; from < mine.length; from += PART) {
    const part = mine.slice(from, from + PART)
    test(`every screen of ${username}, from ${part[0]?.path}`, async ({ page }, info) => {
      test.slow()
      const wrong = listen(page)
      await signIn(page, username, '/dashboard')
      const lead = part.some((s) => s.path.startsWith('/crm/contact/view')) ? await findLead(page) : undefined
      const documents = part.some((s) => s.path.endsWith('/:slug')) ? await findDocuments(page, username) : []
      const found: string[] = []
      // Colours are everybody's: the manager, who sees most, sees them all in the dark too.
      for (const address of part.flatMap((s) => addresses(s, lead, documents)))
        found.push(
          ...(await look(page, address, username === 'manager' || address === '/dashboard', (n) => info.outputPath(n))),
        )
      expect(found).toEqual([])
      expect(wrong).toEqual([])
    })
  }

  test(`a screen that is not for ${username} says so`, async ({ page }) => {
    test.slow()
    await signIn(page, username, '/dashboard')
    expect(inside().filter(isFor(username)).length).toBeGreaterThan(4)
    const theirs = inside().filter((s) => !isFor(username)(s))
    for (const address of theirs.flatMap((s) => addresses(s, 1))) {
      // From a page that they may open, without loading everything anew.
      await goInside(page, '/about')
      await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible()
      await goInside(page, address)
      await expect(page.getByText(/do(es)? not have (access|permission)|No access|not allowed/i).first()).toBeVisible()
    }
  })
}

test('every screen of somebody who has not signed in', async ({ page }, info) => {
  test.slow()
  const wrong = listen(page)
  const found: string[] = []
  for (const address of screens()
    .filter((s) => s.open)
    .flatMap((s) => addresses(s, undefined)))
    found.push(...(await look(page, address, true, (n) => info.outputPath(n))))
  expect(found).toEqual([])
  expect(wrong).toEqual([])
})

test('on a telephone nothing is cut off, and nothing moves', async ({ page }, info) => {
  test.slow()
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, 'manager', '/dashboard')
  const wide: string[] = []
  const moving: string[] = []
  for (const address of screens()
    .filter((s) => !s.open)
    .flatMap((s) => addresses(s, undefined))) {
    await page.goto(address)
    await settled(page)
    const moved = await movedOn(page)
    if (moved) moving.push(`${address} ${moved}`)
    if (PICTURES) await page.screenshot({ path: info.outputPath(`${name(address)}-telephone.png`) })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (over > 0) wide.push(`${address} by ${over}`)
  }
  expect(wide).toEqual([])
  expect(moving).toEqual([])
})

/** The form of a draft that follows a rejected revision, and the check before it is completed. */
async function rejectedAndBegunAgain(page: Page): Promise<readonly string[]> {
  const author = await apiOf(page, 'admin.brick')
  const talk = `/api/safety/toolbox_talks/${await makeTalk(page, author, 'Slings and hooks', {})}`
  const approver = await apiOf(page, 'approver.brick')
  const decided = await page.request.post(`${talk}/reject`, { data: { note: 'Which hooks?' }, ...approver })
  expect(decided.status()).toBe(200)
  const begun = await page.request.post(`${talk}/revise`, author)
  expect(begun.status()).toBe(200)
  const { id } = (await begun.json()) as { id: number }
  return ['', '/check'].map((more) => `/safety/toolbox-talks/update/${id}${more}`)
}

for (const [device, options] of [
  ['desk', {}],
  ['telephone', PHONE],
] as const)
  test(`a document stands still on a ${device}, however late each of its parts comes`, async ({ elsewhere }) => {
    test.slow()
    const page = await elsewhere(options)
    await signIn(page, 'admin.brick', '/dashboard')
    const documents = await findDocuments(page, 'admin.brick')
    expect(documents.length).toBeGreaterThan(2)
    const rejected = await rejectedAndBegunAgain(page)
    let asked = 0
    await page.route('**/api/**', async (route) => {
      // What is told of earlier revisions comes last of all.
      const last = route.request().url().includes('/revision/') ? 500 : 0
      await new Promise((later) => setTimeout(later, last + (asked++ % 5) * 40))
      await route.continue()
    })
    // So does the file that compares them.
    await page.route('**/assets/what-changes-*.js', async (route) => {
      await new Promise((later) => setTimeout(later, 800))
      await route.continue()
    })
    const moving: string[] = []
    for (const address of [...documents, ...rejected]) {
      await page.goto(address)
      await settled(page)
      if (address.endsWith('/check')) await expect(page.getByText('Nothing has changed since.')).toBeVisible()
      const moved = await movedOn(page)
      if (moved) moving.push(`${address} ${moved}`)
    }
    expect(moving).toEqual([])
  })

test('what is tapped on a telephone is as large as a finger', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE)
  for (const path of ['/dashboard', '/sfp/file-manager', '/profile/long-work']) {
    await signIn(page, 'admin.brick', path)
    await settled(page)
    expect([path, await tooSmallToTap(page)]).toEqual([path, []])
  }
})
