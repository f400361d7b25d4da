import { expect, type Page, type Request } from '@playwright/test'
import { type ApiRequestOptions, makeTalk, signInToApi } from '../support/api.ts'
import { signIn, statusRegion, test, waitUntilSettled } from '../support/journey.ts'
import { drawSignature } from '../support/signing.ts'

// The page shows approvals, signatures and deletions before the server responds, and reverts them with a message if the
// server rejects them.

const AUTHOR = 'admin.brick'
const APPROVER = 'approver.brick'
const TALKS = '/api/safety/toolbox_talks'

/** Delays matching requests. The returned functions release these requests and count them. */
async function hold(page: Page, is: (asked: Request) => boolean) {
  let asked = 0
  let go = () => {}
  const gone = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/api/**', async (route) => {
    if (!is(route.request())) return route.fallback()
    asked++
    await gone
    await route.fallback()
  })
  return { asked: () => asked, go: () => go() }
}

const act = async (page: Page, by: ApiRequestOptions, id: number, action: string, data: object) =>
  expect((await page.request.post(`${TALKS}/${id}/${action}`, { data, ...by })).ok()).toBe(true)

const dialog = (page: Page) => page.getByRole('dialog')
const titled = (words: string) => `${words} ${Date.now() % 10_000}`

test('an approval is shown immediately, and reverted if somebody else has decided first', async ({ page }) => {
  const [author, approver] = [await signInToApi(page, AUTHOR), await signInToApi(page, APPROVER)]
  const first = await makeTalk(page, author, titled('Shown at once'), { approved: false })
  const second = await makeTalk(page, author, titled('Undone'), { approved: false })
  const approve = async (id: number) => {
    await signIn(page, APPROVER, `/safety/toolbox-talks/view/${id}`)
    await waitUntilSettled(page)
    const held = await hold(page, (r) => r.method() === 'POST' && r.url().endsWith(`/${id}/approve`))
    await statusRegion(page).getByRole('button', { name: 'Accept', exact: true }).click()
    await dialog(page).getByLabel('Note').fill('Read on site.')
    await dialog(page).getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(statusRegion(page)).toContainText('and in force')
    await expect(statusRegion(page)).toContainText('Read on site.')
    await expect(dialog(page)).toBeHidden()
    // No further action is available while the approval is pending.
    await expect(page.getByRole('main').getByRole('button', { name: /^(Accept|Reject|Sign|Replace)$/ })).toHaveCount(0)
    expect(held.asked()).toBe(1)
    return held
  }
  const held = await approve(first)
  held.go()
  await expect(page.getByText(/is approved and in force/)).toBeVisible()
  // Each action shows a single toast.
  await expect(page.getByText(/^Data saved/)).toHaveCount(0)
  await expect(statusRegion(page).getByRole('button', { name: 'Replace' })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)

  const late = await approve(second)
  await act(page, approver, second, 'reject', { note: 'The crane is another.' })
  late.go()
  await expect(dialog(page)).toContainText('This can’t be done while the record is rejected.')
  await expect(dialog(page).getByLabel('Note')).toHaveValue('Read on site.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(statusRegion(page)).toContainText('The crane is another.')
})

test('a signature is shown immediately and saved once, and a refused signature keeps its drawing', async ({ page }) => {
  const [author, approver] = [await signInToApi(page, AUTHOR), await signInToApi(page, APPROVER)]
  const signed = page.getByRole('region', { name: 'Signed', exact: true })
  const sign = async (id: number) => {
    await signIn(page, 'worker.brick', `/safety/toolbox-talks/view/${id}`)
    await waitUntilSettled(page)
    const held = await hold(page, (r) => r.method() === 'POST' && r.url().endsWith('/signatures'))
    const card = page.getByRole('region', { name: 'Sign', exact: true })
    await card.getByRole('button', { name: 'Sign' }).click()
    await drawSignature(page)
    await dialog(page).getByRole('button', { name: 'Sign', exact: true }).click()
    await expect(signed).toContainText('You signed on')
    await expect(page.getByRole('region', { name: 'Signatures (1)' }).getByRole('img')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    return held
  }
  const first = await makeTalk(page, author, titled('Signed at once'))
  const held = await sign(first)
  held.go()
  await expect(page.getByText(/has signed TT-/)).toBeVisible()
  await expect(signed).toContainText('You signed on')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Signatures (1)' })).toContainText('Callum Fraser')

  const second = await makeTalk(page, author, titled('Out of force'))
  const late = await sign(second)
  await act(page, approver, second, 'withdraw', { note: 'The site is closed.' })
  late.go()
  await expect(signed).toHaveCount(0)
  await expect(dialog(page).getByLabel('Your signature as drawn')).toBeVisible()
  await expect(dialog(page)).toContainText('no longer exists')
  await expect(page).toHaveURL(new RegExp(`/view/${second}$`))
})

test('a deleted record is removed from its list immediately, and returns if the deletion is refused', async ({
  page,
}) => {
  const [author, approver] = [await signInToApi(page, AUTHOR), await signInToApi(page, APPROVER)]
  const title = titled('Deleted at once')
  const id = await makeTalk(page, author, title, { approved: false })
  await signIn(page, AUTHOR, `/safety/toolbox-talks?search=${encodeURIComponent(title)}`)
  const row = page.getByRole('row').filter({ hasText: title })
  await expect(row).toBeVisible()
  await waitUntilSettled(page)
  const held = await hold(page, (r) => r.method() === 'PUT' && r.url().endsWith(`/${id}`))
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  expect(held.asked()).toBe(1)
  await act(page, approver, id, 'approve', {})
  held.go()
  await expect(page.getByText('Please enter a reason for the withdrawal')).toBeVisible()
  await expect(row).toBeVisible()
})

test('an approval lost by leaving the page is reported on return, but a saved approval is not', async ({ page }) => {
  const [author, approver] = [await signInToApi(page, AUTHOR), await signInToApi(page, APPROVER)]
  const lost = await makeTalk(page, author, titled('Lost on the way'), { approved: false })
  const arrived = await makeTalk(page, author, titled('Arrived all the same'), { approved: false })
  const told = page.getByText(/^The approval of TT-\d+ revision 1 was not saved: you left the page/)
  const leave = async (id: number) => {
    await signIn(page, APPROVER, `/safety/toolbox-talks/view/${id}`)
    await waitUntilSettled(page)
    await hold(page, (r) => r.method() === 'POST' && r.url().endsWith(`/${id}/approve`))
    await statusRegion(page).getByRole('button', { name: 'Accept', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(statusRegion(page)).toContainText('and in force')
  }
  await leave(lost)
  const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((k) => k.endsWith(' decisions')).length)
  expect(await kept()).toBe(1)
  await page.goto('/dashboard')
  await expect(told).toBeVisible({ timeout: 30_000 })
  expect(await kept()).toBe(0)
  await page.getByRole('button', { name: 'Open record' }).click()
  await expect(page).toHaveURL(new RegExp(`/view/${lost}$`))
  await expect(statusRegion(page).getByRole('button', { name: 'Accept', exact: true })).toBeVisible()
  await page.reload()
  await waitUntilSettled(page)
  await expect(told).toHaveCount(0)

  await leave(arrived)
  await act(page, approver, arrived, 'approve', {})
  const looked = page.waitForResponse((r) => r.url().endsWith(`${TALKS}/${arrived}`) && r.request().method() === 'GET')
  await page.goto('/dashboard')
  await looked
  await waitUntilSettled(page)
  await expect.poll(kept).toBe(0)
  await expect(page.getByText(/^The approval of TT-/)).toHaveCount(0)
})
