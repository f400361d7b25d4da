import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { type ApiRequestOptions, makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { cachedQueryKeys, waitUntilCached } from '../support/keeper.ts'
import { signOpenDialog } from '../support/signing.ts'

test.use({ serviceWorkers: 'allow' })

const band = (page: Page) => page.getByText(/^No connection\. This page was stored on this device at \d\d:\d\d\./)
const back = (page: Page) => page.getByText('The connection is back. This page is up to date again.')
const mark = (page: Page) => page.getByRole('button', { name: /: show the list$/ })
const entry = (title: string) => `${title} ${Date.now() % 100_000}`

/** Crashes the page, then opens a URL in another page of the same browser. Returns the new page. */
async function killedAndOpened(page: Page, address: string): Promise<Page> {
  const gone = page.waitForEvent('crash')
  const devtools = await page.context().newCDPSession(page)
  void devtools.send('Page.crash').catch(() => undefined)
  await gone
  await page.close().catch(() => undefined)
  const next = await page.context().newPage()
  await next.goto(address)
  return next
}

// Each test loads all of the portal's scripts and opens several new pages.
test.beforeEach(() => test.setTimeout(180_000))

test('an assessment drafted offline on a phone survives a page crash and is saved once', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.brick', '/dashboard')
  const author = await signInToApi(page, 'admin.brick')
  const title = entry('Roof of the store')
  const made = await page.request.post('/api/safety/risk_assessments', { data: { title }, ...author })
  expect(made.status()).toBe(201)
  const { '@id': address, id } = (await made.json()) as { '@id': string; id: number }
  const draft = `/sfp/risk-assessment/update/${id}?step=details`
  const place = (of: Page) => of.getByLabel(/^(Location|Where is it done)/)

  const first = await elsewhere(PHONE_OPTIONS)
  const puts: string[] = []
  first.context().on('request', (r) => {
    if (r.method() === 'PUT' && r.url().endsWith(address)) puts.push(r.postData() ?? '')
  })
  await signIn(first, 'admin.brick', draft)
  await expect(place(first)).toBeVisible()
  await waitUntilCached(first, `editing","${address}`)
  await first.context().setOffline(true)
  await place(first).fill('Hull')
  await expect(first.getByText('Offline: stored on this device')).toBeVisible()

  const second = await killedAndOpened(first, draft)
  await expect(band(second)).toBeVisible()
  await expect(place(second)).toHaveValue('Hull')
  await place(second).fill('Hull, dock 4')
  await expect(second.getByText('Offline: stored on this device')).toBeVisible()
  expect(await second.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(second)
  const third = await killedAndOpened(second, draft)
  await expect(place(third)).toHaveValue('Hull, dock 4')
  // After a reload, the page includes the changes that another user made in the meantime.
  const changed = await page.request.put(address, { data: { description: 'All of the roof' }, ...author })
  expect(changed.status()).toBe(200)

  await third.context().setOffline(false)
  await expect(back(third)).toBeVisible()
  await expect(third.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await expect(third.getByRole('textbox', { name: /^What is being assessed/ })).toHaveValue('All of the roof')
  const there = (await (await page.request.get(address, author)).json()) as Record<string, unknown>
  expect(there).toMatchObject({ description: 'All of the roof' })
  expect(JSON.stringify(there)).toContain('Hull, dock 4')
  const done = puts.filter((body) => body.includes('Hull, dock 4'))
  expect(done.length).toBeGreaterThan(0)
  await third.reload()
  await expect(place(third)).toHaveValue('Hull, dock 4')
  await expect(third.getByText('Your unsaved changes have been restored')).toHaveCount(0)
})

test('a signature given offline survives a page crash and is sent once', async ({ page, elsewhere }) => {
  await signIn(page, 'admin.brick', '/dashboard')
  const author = await signInToApi(page, 'admin.brick')
  const talk = await makeTalk(page, author, entry('Slings'))
  const view = `/safety/toolbox-talks/view/${talk}`
  const signed = (of: Page) => of.getByRole('region', { name: 'Signed', exact: true })

  const first = await elsewhere(PHONE_OPTIONS)
  await signIn(first, 'worker.brick', view)
  await waitUntilCached(first, `toolbox_talks","one","${talk}`)
  // The page was opened online once; the user now opens it offline and signs.
  await first.context().setOffline(true)
  const second = await killedAndOpened(first, view)
  await expect(band(second)).toBeVisible()
  await second.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }).tap()
  await signOpenDialog(second)
  await expect(signed(second)).toContainText('Waiting to be sent')
  await expectAccessible(second)
  const third = await killedAndOpened(second, view)
  await expect(signed(third)).toContainText('You signed on this device')
  await expect(mark(third)).toHaveAccessibleName(/^Offline, 1 waiting to be sent/)

  await third.context().setOffline(false)
  await expect(signed(third)).toContainText('You signed on ')
  await expect(mark(third)).toHaveCount(0)
  await page.goto(view)
  await expect(page.getByRole('region', { name: 'Signatures (1)' })).toContainText('Callum Fraser')
})

test('a pack stored on a device is read to the end and signed without a connection', async ({ elsewhere }) => {
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'admin.brick', '/safety/rams?state=current')
  const address = await phone.locator('a[data-row-link]').first().getAttribute('href')
  await signIn(phone, 'worker.brick', address ?? '')
  const parts = phone.getByRole('region', { name: 'Documents in this pack' })
  await expect(parts).toContainText(
    /Without a connection, .* can’t be opened\. If you are going where there is no signal/,
  )
  await parts.getByRole('button', { name: 'Store on this device' }).tap()
  await expect(parts).toContainText('Stored on this device: you can read the whole pack without a connection until', {
    timeout: 60_000,
  })
  await expectAccessible(phone)

  await phone.context().setOffline(true)
  const reopened = await killedAndOpened(phone, address ?? '')
  await expect(band(reopened)).toBeVisible()
  const kept = reopened.getByRole('region', { name: 'Documents in this pack' })
  await kept.getByRole('button', { name: 'Open the whole pack' }).tap()
  const ends = kept.getByText(/^End of /)
  const count = await kept
    .getByRole('listitem')
    .filter({ has: reopened.getByRole('heading', { level: 3 }) })
    .count()
  for (let n = 0; n < count; n++) {
    await ends.nth(n).scrollIntoViewIfNeeded()
    await expect(kept.getByText('Read to the end', { exact: true })).toHaveCount(n + 1)
  }
  await reopened.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }).tap()
  await signOpenDialog(reopened)
  const signed = reopened.getByRole('region', { name: 'Signed', exact: true })
  await expect(signed).toContainText('Waiting to be sent')
  await reopened.context().setOffline(false)
  await expect(signed).toContainText('You signed on ')
})

test('the previous answers are proposed without a connection', async ({ elsewhere }) => {
  const worker = await elsewhere(PHONE_OPTIONS)
  await signIn(worker, 'worker.brick', '/dashboard')
  await worker
    .getByRole('link', { name: /^Weekly vehicle check/ })
    .first()
    .tap()
  await expect(worker.getByText('Last time: YN23 KHW')).toBeVisible()
  await waitUntilCached(worker, 'custom_form_answers')
  const form = new URL(worker.url()).pathname
  await worker.context().setOffline(true)
  const phone = await killedAndOpened(worker, form)
  await phone.getByRole('button', { name: 'Use last time’s answer to Registration' }).tap()
  await phone.getByRole('button', { name: 'Next: Outside' }).tap()
  await expect(phone.getByText('Last time: OK').first()).toBeVisible()
})

const FORM = {
  steps: [
    {
      name: 'check',
      title: 'Check',
      groups: [{ fields: [{ name: 'found', kind: 'text', label: 'What did you find?', required: true }] }],
    },
  ],
}

async function publishForm(
  page: Page,
  author: ApiRequestOptions,
  title: string,
): Promise<{ '@id': string; id: number }> {
  const made = await page.request.post('/api/safety/custom_forms', { data: { title, schema: FORM }, ...author })
  expect(made.status()).toBe(201)
  const form = (await made.json()) as { '@id': string; id: number }
  const published = await page.request.post(`${form['@id']}/publish`, { data: {}, ...author })
  expect(published.ok()).toBe(true)
  return form
}

test('a form filled in offline survives a page crash, is sent once, and is hidden from other users', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.brick', '/dashboard')
  const author = await signInToApi(page, 'admin.brick')
  const title = entry('Hoist')
  const form = await publishForm(page, author, title)
  const found = (of: Page) => of.getByLabel(/^What did you find/)
  const forms = (of: Page) => of.getByRole('region', { name: /^Forms to complete/ })

  const first = await elsewhere(PHONE_OPTIONS)
  await signIn(first, 'worker.brick', '/dashboard')
  await forms(first)
    .getByRole('link', { name: new RegExp(title) })
    .tap()
  await expect(found(first)).toBeVisible()
  await waitUntilCached(first, 'custom_form_versions')
  await first.context().setOffline(true)
  await found(first).fill('The limit switch sticks')
  await expect
    .poll(() =>
      first.evaluate(
        () =>
          new Promise((done) => {
            const opening = indexedDB.open('stanchion-drafts')
            opening.onsuccess = () => {
              const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
              all.onsuccess = () => done(JSON.stringify(all.result).includes('The limit switch sticks'))
            }
          }),
      ),
    )
    .toBe(true)

  const second = await killedAndOpened(first, '/')
  await expect(band(second)).toBeVisible()
  await expectAccessible(second)
  await forms(second)
    .getByRole('link', { name: new RegExp(title) })
    .tap()
  await expect(found(second)).toHaveValue('The limit switch sticks')
  await second.getByRole('button', { name: 'Send', exact: true }).tap()
  // The offline banner also says “stored on this device”, so only this title shows that the form is queued.
  await expect(second.getByText('Waiting to be sent', { exact: true }).first()).toBeVisible()
  const third = await killedAndOpened(second, '/dashboard')
  await expect(mark(third)).toHaveAccessibleName(/^Offline, 1 waiting to be sent/)
  await third.context().setOffline(false)
  await expect(back(third)).toBeVisible()
  await expect(mark(third)).toHaveCount(0)
  const answers = await page.request.get(`/api/safety/custom_form_answers?form=${form.id}`, author)
  const { 'hydra:member': all } = (await answers.json()) as { 'hydra:member': readonly object[] }
  expect(all).toHaveLength(1)

  await test.step('another user of the same device does not see the queued form', async () => {
    expect((await cachedQueryKeys(third)).join()).toContain('form_schedules')
    await signIn(third, 'manager', '/dashboard')
    await expect.poll(async () => (await cachedQueryKeys(third)).filter((key) => key.startsWith('1/'))).toEqual([])
    await third.context().setOffline(true)
    await third.goto(`/safety/custom-form/fill/${form.id}`)
    await expect(third.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(third.getByText(title)).toHaveCount(0)
  })
})

test('signing out leaves no data in the browser, so nothing can be opened offline', async ({ page, elsewhere }) => {
  await signIn(page, 'admin.brick', '/dashboard')
  const talk = await makeTalk(page, await signInToApi(page, 'admin.brick'), entry('Nets'))
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', `/safety/toolbox-talks/view/${talk}`)
  await waitUntilCached(phone, `toolbox_talks","one","${talk}`)
  await phone.getByRole('button', { name: /^Me: / }).tap()
  await phone.getByRole('button', { name: 'Sign out' }).tap()
  await expect(phone.getByLabel('Password', { exact: true })).toBeVisible()
  await expect.poll(() => cachedQueryKeys(phone)).toEqual([])
  await phone.context().setOffline(true)
  await phone.goto(`/safety/toolbox-talks/view/${talk}`)
  await expect(phone.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(phone.getByText('Nets')).toHaveCount(0)
})

test('an open talk record that was seen only in a list can be opened offline, with its attendees and points', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'admin.brick', '/dashboard')
  const author = await signInToApi(page, 'admin.brick')
  const talk = await makeTalk(page, author, entry('Hoists'))
  const made = await page.request.post('/api/safety/toolbox_talk_presenteds', {
    data: {
      talk: `/api/safety/toolbox_talks/${talk}`,
      presenter: 'Dana Brick',
      date: new Date().toISOString().slice(0, 10),
      attendees: [{ name: 'Vic Vance' }],
    },
    ...author,
  })
  expect(made.status(), await made.text()).toBe(201)
  const { '@id': record } = (await made.json()) as { '@id': string }
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'admin.brick', '/safety/toolbox-talks/presented')
  await waitUntilCached(phone, record)
  await waitUntilCached(phone, `toolbox_talks","one","${talk}`)
  await phone.context().setOffline(true)
  await phone.goto('/safety/toolbox-talks/presented')
  await phone
    .getByRole('link', { name: /^Hoists/ })
    .first()
    .tap()
  await expect(phone.getByRole('heading', { level: 1 }).first()).toContainText('Hoists')
  await expect(phone.getByRole('listitem').filter({ hasText: 'Vic Vance' })).toBeVisible()
  await expect(phone.getByRole('region', { name: 'Points to make' })).toContainText('Look up before you lift.')
})
