import { expect, type Page, type TestInfo } from '@playwright/test'
import type { Page as Screen } from '#web/shell/manifest/page.ts'
import { DEMO_USER_ROLES } from '../../support/demo-people.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findLayoutShift } from '../support/moved.ts'
import {
  allScreens,
  checkScreen,
  collectPageErrors,
  findDocumentPaths,
  findLeadId,
  isAccessibleTo,
  measureOverflow,
  pathsOf,
  signedInScreens,
} from '../support/screens.ts'
import { findSmallTouchTargets } from '../support/tapped.ts'

// Checks every screen of every module for every role that may open it. The screens are accessible in light and dark
// mode, and cause no console errors or violations of the content security policy. If PICTURES is set, a screenshot of
// each screen is saved.

const PICTURES = Boolean(process.env.PICTURES)

const name = (address: string) => address.replaceAll('/', '-').slice(1) || 'start'

const pictureOf = (page: Page, address: string, info: TestInfo) => async (scheme: string) => {
  if (PICTURES) await page.screenshot({ path: info.outputPath(`${name(address)}-${scheme}.png`) })
}

/** Number of screens per test. A single test for all of a user's screens would finish long after the others. */
const PART = 12
/**
 * Returns a user's screens to check. Screens that look alike for several users are checked once: public screens as the
 * manager and signed out, staff screens as the manager, and member screens as one company's member. Dashboards are
 * checked for every user.
 */
function toLookAt(username: string): Screen[] {
  const alike: Readonly<Record<string, (s: Screen) => boolean>> = {
    manager: () => false,
    staff: () => true,
    'office.brick': (s) => !String(s.allow).includes('ROLE_INVOICING'),
    'reseller.north': (s) => s.allow === undefined,
  }
  const isAlike = alike[username] ?? ((s: Screen) => s.open === true)
  return signedInScreens()
    .filter(isAccessibleTo(username))
    .filter((s) => s.path === '/dashboard' || !isAlike(s))
}

for (const username of Object.keys(DEMO_USER_ROLES)) {
  const mine = toLookAt(username)
  for (let from = 0; from < mine.length; from += PART) {
    const part = mine.slice(from, from + PART)
    test(`the screens for ${username}, starting with ${part[0]?.path}, are accessible and have no errors`, async ({
      page,
    }, info) => {
      test.slow()
      const wrong = collectPageErrors(page)
      await signIn(page, username, '/dashboard')
      const lead = part.some((s) => s.path.startsWith('/crm/contact/view')) ? await findLeadId(page) : undefined
      const documents = part.some((s) => s.path.endsWith('/:slug')) ? await findDocumentPaths(page, username) : []
      const found: string[] = []
      // Dark mode is checked only as the manager, who sees most screens, and on dashboards.
      for (const address of part.flatMap((s) => pathsOf(s, lead, documents)))
        found.push(
          ...(await checkScreen(
            page,
            address,
            username === 'manager' || address === '/dashboard' ? ['light', 'dark'] : ['light'],
            pictureOf(page, address, info),
          )),
        )
      expect(found).toEqual([])
      expect(wrong).toEqual([])
    })
  }
}

test('every public screen is accessible and has no errors for a signed-out visitor', async ({ page }, info) => {
  test.slow()
  const wrong = collectPageErrors(page)
  const found: string[] = []
  for (const address of allScreens()
    .filter((s) => s.open)
    .flatMap((s) => pathsOf(s, undefined)))
    found.push(...(await checkScreen(page, address, ['light', 'dark'], pictureOf(page, address, info))))
  expect(found).toEqual([])
  expect(wrong).toEqual([])
})

test('screens on a phone are not cut off and have no layout shifts', async ({ page }, info) => {
  test.slow()
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, 'manager', '/dashboard')
  const wide: string[] = []
  const moving: string[] = []
  for (const address of allScreens()
    .filter((s) => !s.open)
    .flatMap((s) => pathsOf(s, undefined))) {
    await page.goto(address)
    await waitUntilSettled(page)
    const moved = await findLayoutShift(page)
    if (moved) moving.push(`${address} ${moved}`)
    if (PICTURES) await page.screenshot({ path: info.outputPath(`${name(address)}-telephone.png`) })
    const over = await measureOverflow(page)
    if (over > 0) wide.push(`${address} by ${over}`)
  }
  expect(wide).toEqual([])
  expect(moving).toEqual([])
})

/**
 * Creates a talk, rejects it and starts a new draft of it. Returns the paths of the draft's form and of its check page.
 */
async function rejectedAndBegunAgain(page: Page): Promise<readonly string[]> {
  const author = await signInToApi(page, 'admin.brick')
  const talk = `/api/safety/toolbox_talks/${await makeTalk(page, author, 'Slings and hooks', {})}`
  const approver = await signInToApi(page, 'approver.brick')
  const decided = await page.request.post(`${talk}/reject`, { data: { note: 'Which hooks?' }, ...approver })
  expect(decided.status()).toBe(200)
  const begun = await page.request.post(`${talk}/revise`, author)
  expect(begun.status()).toBe(200)
  const { id } = (await begun.json()) as { id: number }
  return ['', '/check'].map((more) => `/safety/toolbox-talks/update/${id}${more}`)
}

for (const [device, options] of [
  ['desk', {}],
  ['telephone', PHONE_OPTIONS],
] as const)
  test(`a document does not shift on a ${device}, even if some sections load late`, async ({ elsewhere }) => {
    test.slow()
    const page = await elsewhere(options)
    await signIn(page, 'admin.brick', '/dashboard')
    const documents = await findDocumentPaths(page, 'admin.brick')
    expect(documents.length).toBeGreaterThan(2)
    const rejected = await rejectedAndBegunAgain(page)
    let asked = 0
    await page.route('**/api/**', async (route) => {
      // Requests for earlier revisions receive their responses last.
      const last = route.request().url().includes('/revision/') ? 500 : 0
      await new Promise((later) => setTimeout(later, last + (asked++ % 5) * 40))
      await route.continue()
    })
    await page.route('**/assets/what-changes-*.js', async (route) => {
      await new Promise((later) => setTimeout(later, 800))
      await route.continue()
    })
    const moving: string[] = []
    for (const address of [...documents, ...rejected]) {
      await page.goto(address)
      await waitUntilSettled(page)
      if (address.endsWith('/check'))
        await expect(page.getByText('No changes since the rejected revision.')).toBeVisible()
      const moved = await findLayoutShift(page)
      if (moved) moving.push(`${address} ${moved}`)
    }
    expect(moving).toEqual([])
  })

test('touch targets on a phone are large enough for a finger', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE_OPTIONS)
  for (const path of ['/dashboard', '/sfp/file-manager', '/profile/long-work']) {
    await signIn(page, 'admin.brick', path)
    await waitUntilSettled(page)
    expect([path, await findSmallTouchTargets(page)]).toEqual([path, []])
  }
})
