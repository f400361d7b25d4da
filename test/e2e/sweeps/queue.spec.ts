import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { waitForOfflineScripts } from '../support/keeper.ts'
import { expectShortcutsActive } from '../support/lead-screen.ts'
import {
  abortWriteRequests,
  addNote,
  articlesWithText,
  openLead,
  outboxButton,
  outboxDialog,
  outboxEntries,
  peopleSection,
} from '../support/outbox.ts'
import { signOpenDialog } from '../support/signing.ts'

test.use({ serviceWorkers: 'allow' })

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

// Each test is slow, because it reloads several pages for two users.
test.beforeEach(() => test.slow())

test('controls do not move when the connection is lost or restored', async ({ page, context }) => {
  await openLead(page)
  await waitForOfflineScripts(page)
  const places = () =>
    Promise.all(['No answer', 'Add note'].map((name) => page.getByRole('button', { name }).first().boundingBox()))
  const before = await places()
  await context.setOffline(true)
  await expect(page.getByText(/^No connection\./)).toBeVisible()
  expect(await places()).toEqual(before)
  await context.setOffline(false)
  await expect(page.getByText(/^No connection\./)).toHaveCount(0)
  expect(await places()).toEqual(before)
})

test('a refused request stays in the outbox with its reason, and can be sent again or discarded', async ({
  page,
  context,
  elsewhere,
}) => {
  const lead = await openLead(page, 1)
  await waitForOfflineScripts(page)
  const other = await elsewhere()
  await signIn(other, 'staff', `/crm/contact/view/${lead}`)
  await expectShortcutsActive(other)
  await expectShortcutsActive(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: /^No answer/ }).click()
  await expect(outboxButton(page)).toBeVisible()
  await other.getByRole('button', { name: /^Not interested/ }).click()
  await expect(other.getByText(/Not interested: /).first()).toBeVisible()
  await context.setOffline(false)
  await expect(outboxButton(page)).toHaveAccessibleName(/^1 not accepted/)
  await outboxButton(page).click()
  await expect(outboxEntries(page)).toContainText(
    'This lead has had another outcome since you opened it: Not interested, by you',
  )
  await expectAccessible(page)
  await outboxEntries(page).getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).last().click()
  await expect(outboxDialog(page)).toContainText('All changes have been sent.')
})

test('signing out warns about queued requests, which only the user who queued them can later see and send', async ({
  elsewhere,
}) => {
  const page = await elsewhere(PHONE_OPTIONS)
  const lead = await openLead(page, 2)
  await waitForOfflineScripts(page)
  await abortWriteRequests(page)
  await addNote(page, 'Said on the telephone')
  await expect(outboxButton(page)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await outboxButton(page).tap()
  await expect(outboxEntries(page)).toContainText('Said on the telephone')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const signOut = async () => {
    await page.getByRole('button', { name: /^Me: / }).tap()
    await page.getByRole('button', { name: 'Sign out' }).tap()
  }
  await signOut()
  const asked = page.getByRole('dialog', { name: 'Unsent changes' })
  await expect(asked).toContainText('Note')
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Stay signed in' }).tap()
  await expect(asked).toHaveCount(0)
  await signOut()
  await asked.getByRole('button', { name: 'Sign out' }).tap()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })

  await signIn(page, 'manager', `/crm/contact/view/${lead}`)
  await waitForOfflineScripts(page)
  await expect(outboxButton(page)).toHaveCount(0)
  await expect(page.getByText('Said on the telephone')).toHaveCount(0)
  await page.context().clearCookies()

  await signIn(page, 'staff', `/crm/contact/view/${lead}`)
  await expect(articlesWithText(page, 'Said on the telephone')).toHaveCount(1)
})

test("a field edited in place offline is queued, and does not overwrite somebody else's change", async ({
  page,
  context,
  elsewhere,
}) => {
  const lead = await openLead(page, 3)
  await waitForOfflineScripts(page)
  const details = page.getByRole('region', { name: 'Details' })
  const type = async (name: RegExp, label: string, value: string) => {
    await details.getByRole('button', { name }).click()
    await details.getByLabel(label, { exact: true }).fill(value)
    await page.keyboard.press('Enter')
  }
  await context.setOffline(true)
  await type(/^(City|Add city)/i, 'City', 'Hexham')
  await expect(details.getByText('Waiting to be sent')).toHaveCount(1)
  await type(/^(County|Add county)/i, 'County', 'Northumberland')
  await expect(outboxButton(page)).toHaveAccessibleName(/2 waiting to be sent/)

  const manager = await elsewhere()
  await signIn(manager, 'manager', '/dashboard')
  const changed = await manager.request.put(`/api/crm/contacts/${lead}`, {
    data: { county: 'Cumbria' },
    ...(await signInToApi(manager, 'manager')),
  })
  expect(changed.status()).toBe(200)

  await abortWriteRequests(page)
  await context.setOffline(false)
  await page.goto(`/crm/contact/view/${lead}`)
  await expect(details.getByText('Hexham')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await expect(outboxButton(page)).toHaveAccessibleName(/^1 not accepted/)
  await expect(details.getByText('Hexham')).toBeVisible()
  await expect(details.getByText('Cumbria')).toBeVisible()
  await outboxButton(page).click()
  await expect(outboxEntries(page)).toHaveCount(1)
  await expect(outboxEntries(page)).toContainText('County: Northumberland')
  await expect(outboxEntries(page)).toContainText('Somebody else has changed this since')
})

test('a signature drawn offline on a phone is sent once, even after a reload', async ({ page, elsewhere }) => {
  const title = `Cables ${Date.now() % 10_000}`
  await signIn(page, 'admin.brick', '/dashboard')
  const view = `/safety/toolbox-talks/view/${await makeTalk(page, await signInToApi(page, 'admin.brick'), title)}`
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', view)
  await waitForOfflineScripts(phone)
  await phone.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }).tap()
  await phone.context().setOffline(true)
  await expect(phone.getByRole('dialog')).toContainText('Your signature is stored on this device')
  await signOpenDialog(phone)
  await expect(phone.getByRole('region', { name: 'Signed', exact: true })).toContainText('Waiting to be sent')
  await abortWriteRequests(phone)
  await phone.context().setOffline(false)
  await phone.reload()
  await expect(phone.getByRole('region', { name: 'Signed', exact: true })).toContainText('You signed on this device')
  await expect(phone.getByRole('list', { name: 'Signatures on this device' })).toContainText('Callum Fraser')
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(phone)
  await phone.unrouteAll({ behavior: 'wait' })
  await expect(phone.getByRole('region', { name: 'Signed', exact: true })).toContainText('You signed on ')
  await expect(outboxButton(phone)).toHaveCount(0)
  await page.goto(view)
  await expect(page.getByRole('region', { name: 'Signatures (1)' })).toContainText('Callum Fraser')
})

test('a queued signature is not applied to a row that now belongs to another person', async ({ page, elsewhere }) => {
  await signIn(page, 'admin.brick', '/dashboard')
  const author = await signInToApi(page, 'admin.brick')
  const talk = await makeTalk(page, author, `Ropes ${Date.now() % 10_000}`)
  const begun = await page.request.post('/api/safety/toolbox_talk_presenteds', {
    data: {
      talk: `/api/safety/toolbox_talks/${talk}`,
      presenter: 'Priya Shah',
      date: '2026-01-05',
      attendees: [{ name: 'Vic of Acme' }],
    },
    ...author,
  })
  const record = (await begun.json()) as { '@id': string; id: number; attendees: { name: string }[] }
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'admin.brick', `/safety/toolbox-talks/presented/${record.id}`)
  await waitForOfflineScripts(phone)
  await phone.getByRole('button', { name: 'Sign: Vic of Acme' }).tap()
  await phone.context().setOffline(true)
  await signOpenDialog(phone)
  await phone.getByRole('dialog').getByRole('button', { name: 'Done' }).tap()
  await expect(outboxButton(phone)).toHaveAccessibleName(/1 waiting to be sent/)
  const renamed = await page.request.put(record['@id'], {
    data: { attendees: [{ ...record.attendees[0], name: 'Bob of Acme' }] },
    ...author,
  })
  expect(renamed.status()).toBe(200)
  await phone.context().setOffline(false)
  await expect(outboxButton(phone)).toHaveAccessibleName(/^1 not accepted/)
  await outboxButton(phone).tap()
  await expect(outboxEntries(phone)).toContainText(
    'This signature was for Vic of Acme, but the list now shows Bob of Acme.',
  )
  await expect(peopleSection(phone)).toContainText('0 of 1 signed')
})

test('a picture queued for an assessment survives a reload, and is shown in the assessment once sent', async ({
  elsewhere,
}) => {
  const page = await elsewhere(PHONE_OPTIONS)
  await signIn(page, 'admin.brick', '/dashboard')
  const author = await signInToApi(page, 'admin.brick')
  const made = await page.request.post('/api/safety/toolbox_talks', {
    data: { title: `Pictures ${Date.now() % 10_000}`, points: [{ text: 'Look.' }] },
    ...author,
  })
  const { id } = (await made.json()) as { id: number }
  await page.goto(`/safety/toolbox-talks/update/${id}`)
  await page.getByRole('button', { name: 'Next: Linked documents and files' }).tap()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await waitForOfflineScripts(page)
  await abortWriteRequests(page)
  const files = page.locator('input[type=file][multiple]').first()
  // The page immediately rejects a file that the portal would reject later.
  await files.setInputFiles({
    name: 'plans.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(25 * 1024 * 1024 + 1),
  })
  await expect(page.getByRole('list', { name: 'Files being uploaded' })).toContainText(
    '"plans.pdf" is larger than 25 MB',
  )
  await page.getByRole('button', { name: 'Remove plans.pdf' }).tap()
  await expect(outboxButton(page)).toHaveCount(0)
  await files.setInputFiles({ name: 'scaffold.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await expect(page.getByRole('list', { name: 'Files being uploaded' })).toContainText('Waiting to be sent')
  await page.reload()
  await expect(page.getByRole('list', { name: 'Files being uploaded' })).toContainText('scaffold.png')
  await expect(outboxButton(page)).toHaveAccessibleName(/^1 waiting to be sent/)
  await expectAccessible(page)
  // The file is uploaded while another page is open, and is inserted when its assessment is opened again.
  await page.goto('/dashboard')
  await page.unrouteAll({ behavior: 'wait' })
  await outboxButton(page).tap()
  await expect(outboxDialog(page)).toContainText('Open the record to finish')
  await outboxDialog(page).getByRole('link', { name: 'Open record' }).tap()
  await expect(page.getByRole('list', { name: 'Files being uploaded' })).toHaveCount(0)
  await expect(page.getByText('scaffold.png').first()).toBeVisible()
  await expect(outboxButton(page)).toHaveCount(0)
  const kept = async () =>
    (
      (await (await page.request.get(`/api/safety/toolbox_talks/${id}`, author)).json()) as {
        uploadedDocuments: unknown[] | null
      }
    ).uploadedDocuments
  await expect.poll(async () => ((await kept()) ?? []).length).toBe(1)
  const away = await page.request.put(`/api/safety/toolbox_talks/${id}`, { data: { retired: true }, ...author })
  expect(away.status()).toBe(200)
})

test("a queued change to a contact person is not applied to the person's replacement", async ({ page }) => {
  await signIn(page, 'staff', '/dashboard')
  const staff = await signInToApi(page, 'staff')
  const made = async (url: string, data: object) =>
    (await (await page.request.post(url, { data, ...staff })).json()) as { '@id': string; id: number }
  const read = async (of: { '@id': string }) => (await page.request.get(of['@id'], staff)).json()
  const lead = await made('/api/crm/contacts', {
    name: 'Bob Main',
    companyName: `Places ${Date.now()}`,
    phone: '01632 960100',
  })
  const place = await made('/api/crm/people', { contact: lead['@id'], name: 'Grace Two', mobile: '07700 900002' })
  const askElsewhere = async (who: string) =>
    expect((await page.request.post(`${place['@id']}/ask-for`, { data: { who }, ...staff })).status()).toBe(200)
  const menu = (who: string) => page.getByRole('button', { name: `Actions for ${who}`, exact: true })
  await page.goto(`/crm/contact/view/${lead.id}`)

  // The response to the first request is lost. After a retry, the action has still taken effect only once.
  let isLost = true
  await page.route(/ask-for$/, async (route) => {
    if (!isLost) return route.continue()
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await menu('Grace Two').click()
  await page.getByRole('menuitem', { name: 'Make Grace Two the contact person' }).click()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Grace Two is now the contact person, instead of Bob Main')).toBeVisible()
  expect(await read(lead)).toMatchObject({ name: 'Grace Two', mobile: '07700 900002' })

  // An e-mail address typed for one lead is not saved for the other.
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('button', { name: /^Add e-mail/i }).click()
  const field = details.getByLabel('E-mail', { exact: true })
  await field.fill('grace@acme.example')
  await askElsewhere('Bob Main')
  await field.press('Enter')
  await expect(
    details.getByText('Somebody else has changed this since you opened it. Nothing was saved.'),
  ).toBeVisible()
  await expect(details.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await details.getByRole('button', { name: 'Cancel' }).click()
  expect(await read(lead)).toMatchObject({ name: 'Bob Main', email: null })
  expect(await read(place)).toMatchObject({ name: 'Grace Two', email: null })

  await menu('Grace Two').click()
  await askElsewhere('Grace Two')
  await page.getByRole('menuitem', { name: 'Has left the company' }).click()
  await expect(page.getByText('Somebody else has changed this since you opened it. Nothing was saved.')).toBeVisible()
  await expect(menu('Bob Main')).toBeVisible()
  expect(await read(place)).toMatchObject({ name: 'Bob Main', left: false })
})
