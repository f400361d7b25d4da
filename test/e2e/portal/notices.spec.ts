import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { bellButton, readUnreadCount, requestSignature, SIGNATORY_USERNAME, safetyAreaLink } from '../support/bell.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { signAtDocumentEnd } from '../support/signing.ts'

test('a request to sign appears immediately in every tab and on the phone, and disappears once the document is signed in any of them', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  const worker = await signInToApi(page, SIGNATORY_USERNAME)
  const get = async (path: string) => (await page.request.get(path, worker)).json()
  await signIn(page, SIGNATORY_USERNAME, '/about')
  await waitUntilSettled(page)
  const second = await page.context().newPage()
  await second.goto('/help')
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, SIGNATORY_USERNAME, '/about')
  /** Expects every tab to show the current count without a reload. */
  const inStep = () =>
    expect
      .poll(async () => {
        const { unread: there } = (await get('/api/portal/notices/summary')) as { unread: number }
        return (await Promise.all([page, second, phone].map(readUnreadCount))).map((said) => said - there)
      })
      .toEqual([0, 0, 0])
  await inStep()

  const title = await requestSignature(page)
  const known = async () => {
    const { 'hydra:member': all } = (await get('/api/portal/notices/inbox')) as {
      'hydra:member': { words: string; read: boolean; ended: boolean }[]
    }
    const one = all.find(({ words }) => words.includes(title))
    return one && [one.read, one.ended]
  }
  await expect.poll(known).toEqual([false, false])
  await inStep()
  await expect(safetyAreaLink(page)).toHaveAccessibleName(/\d+ to (sign|approve)/)
  await expectAccessible(page)

  await test.step('the bell shows the request to sign and opens it', async () => {
    await bellButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    const one = dialog.getByRole('listitem').filter({ hasText: title })
    await expect(one).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(bellButton(page)).toBeFocused()
    await bellButton(page).click()
    await one.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    // The notification is read, but still open.
    await expect.poll(known).toEqual([true, false])
    await inStep()
  })

  await test.step('a request to sign disappears from the desktop once the document is signed on the phone', async () => {
    await page.goto('/notices')
    const one = page.getByRole('main').getByRole('listitem').filter({ hasText: title })
    await expect(one).not.toContainText('done')
    await bellButton(phone).tap()
    await expectAccessible(phone)
    const box = await bellButton(phone).boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await phone
      .getByRole('dialog', { name: 'Notifications' })
      .getByRole('link', { name: new RegExp(title) })
      .tap()
    await signAtDocumentEnd(phone)
    await expect.poll(known).toEqual([true, true])
    await expect(one).toContainText('done')
    await expectAccessible(page)
  })

  await test.step('notifications can be marked as read, singly or all together, and the types of notification can be chosen', async () => {
    const main = page.getByRole('main')
    const one = main.getByRole('listitem').filter({ hasText: title })
    await one.getByRole('button', { name: /^Mark as unread/ }).click()
    await expect.poll(known).toEqual([false, true])
    await inStep()
    await main.getByRole('button', { name: 'Mark all as read' }).click()
    for (const tab of [page, second, phone]) await expect.poll(() => readUnreadCount(tab)).toBe(0)
    await main.getByRole('link', { name: 'My notifications' }).click()
    await expectAccessible(page)
    // Other tests may have signed the other requests by now.
    await requestSignature(page)
    const choice = page.getByRole('checkbox', { name: 'Bell: Documents to sign' })
    await choice.click()
    await expect(safetyAreaLink(page)).not.toHaveAccessibleName(/to (sign|approve)/)
    await page.reload()
    await expect(choice).not.toBeChecked()
    await choice.click()
    await expect(safetyAreaLink(page)).toHaveAccessibleName(/to (sign|approve)/)
  })
})
