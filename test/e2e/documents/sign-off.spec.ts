import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { sealDraft, signAtDocumentEnd } from '../support/signing.ts'

// This test has a separate portal, because it advances the clock by several days.
test.use({ ownPortal: {} })

const AUTHOR = 'admin.brick'
const WORKER = 'worker.brick'

test('a worker is asked to sign, is reminded, signs on a phone, and is asked again after a material change', async ({
  page,
  elsewhere,
  portal,
}) => {
  test.slow()
  const title = `Lifting near cables ${Date.now() % 10_000}`
  await signIn(page, AUTHOR, '/dashboard')
  const author = await signInToApi(page, AUTHOR)
  const view = `/safety/toolbox-talks/view/${await makeTalk(page, author, title)}`
  const toWorker = (words: string) =>
    portal.letters.filter(
      (l) => l.to === `${WORKER}@portal.example` && l.text.includes(words) && l.text.includes(title),
    ).length

  await test.step('the worker is asked to sign', async () => {
    await page.goto(view)
    const card = page.getByRole('region', { name: 'Requested signatures' })
    await card.getByRole('button', { name: 'Request signatures' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search by name').fill('callum')
    await dialog.getByRole('checkbox', { name: 'Callum Fraser' }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Send 1 request' }).click()
    await expect(card).toContainText('0 of 1 signed')
    await expect(card.getByRole('list', { name: 'Outstanding signatures' })).toContainText('Callum Fraser')
    await expectAccessible(page)
    await expect.poll(() => toWorker('Please sign')).toBe(1)
  })

  await test.step('the worker is reminded shortly before the due date', async () => {
    const manager = await signInToApi(page, 'manager')
    const moved = await page.request.post('/api/portal/clock', { data: { days: 12 }, ...manager })
    expect(moved.status()).toBe(200)
    await expect.poll(() => toWorker('Please sign by')).toBe(1)
  })

  const phone = await elsewhere(PHONE_OPTIONS)
  await test.step('the worker signs on a phone, and continues from the dashboard to the next documents to sign', async () => {
    await signIn(phone, WORKER, '/dashboard')
    await phone.getByRole('link', { name: new RegExp(title) }).tap()
    await expect(phone.getByRole('article')).toContainText('Look up before you lift.')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await signAtDocumentEnd(phone)
    await expect(phone.getByText(/^\d+ more to sign\./)).toBeVisible()
    const next = phone.getByRole('link', { name: /^Next: / })
    expect(Math.round((await next.boundingBox())?.height ?? 0)).toBeGreaterThanOrEqual(44)
    // Goes from each talk to the next, and from the last talk to another type of document.
    while ((await next.getAttribute('href'))?.includes('/toolbox-talks/')) {
      const called = (await next.textContent())?.replace('Next: ', '') ?? ''
      await next.tap()
      await expect(phone.getByRole('heading', { level: 1 })).toHaveText(called)
      await signAtDocumentEnd(phone)
    }
    await expect(next).toBeVisible()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectAccessible(phone)
    await page.reload()
    await expect(page.getByRole('region', { name: 'Requested signatures' })).toContainText('1 of 1 signed')
  })

  await test.step('a material change requires a new signature and shows only the differences', async () => {
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await page.waitForURL(/\/update\/\d+/)
    const id = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])
    const talk = `/api/safety/toolbox_talks/${id}`
    const points = [{ text: 'Look up before you lift.' }, { text: 'Ask for the power to be switched off.' }]
    expect((await page.request.put(talk, { data: { points }, ...author })).status()).toBe(200)
    await page.goto(`/safety/toolbox-talks/update/${id}/check`)
    await expect(page.getByRole('region', { name: 'Content to be sealed' })).toContainText('2 points')
    await sealDraft(page)
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('combobox', { name: /Change category/ })).toHaveValue(/^Material/)
    await dialog.getByText(/^Changes since revision 1/).click()
    await expect(dialog).toContainText('Ask for the power to be switched off.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByRole('region', { name: 'Requested signatures' })).toContainText('0 of 1 signed')

    await phone.goto('/dashboard')
    await phone.getByRole('link', { name: new RegExp(title) }).tap()
    const changed = phone.getByRole('region', { name: 'Changes since you signed revision 1' })
    await expect(changed).toContainText('Ask for the power to be switched off.')
    await expect(changed).not.toContainText('Look up before you lift.')
    await expectAccessible(phone)
    await changed.getByRole('button', { name: /^View the whole/ }).tap()
    await expect(phone.getByRole('article')).toContainText('Look up before you lift.')
    await signAtDocumentEnd(phone)
  })
})
