import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender, makeTalk, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { waitUntilCached } from '../support/keeper.ts'
import { signOpenDialog } from '../support/signing.ts'
import { attendeeRow, signedCount } from '../support/talk-record.ts'

// The company requires a signing PIN, so the portal is not shared.
test.use({ serviceWorkers: 'allow', ownPortal: {} })

const EMPLOYEES = ['Callum Fraser', 'Ewa Kowalska', 'Liam Young', 'Rhys Ellis']
const VISITORS = ['Vic Vance', 'Zoë Sharp', 'Pat Moss', 'Noor Khan']
const EVERYONE = [...EMPLOYEES, ...VISITORS]
const PIN = '482915'

/**
 * Each person signs in turn and passes the device on. The visitors state a company and a trade, and Rhys Ellis enters
 * his signing PIN. The other employees have none.
 */
async function passRound(page: Page, names: readonly string[]) {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: `Sign: ${names[0]}` }).tap()
  for (const [i, name] of names.entries()) {
    await expect(dialog).toContainText(`${name}: sign for the talk`)
    if (VISITORS.includes(name)) {
      await dialog.getByLabel('Company').fill('Apex Access Ltd')
      await dialog.getByLabel('Trade').fill('Scaffolder')
    }
    if (name === 'Rhys Ellis') {
      await expectAccessible(page)
      await dialog.getByLabel('Signing PIN of Rhys Ellis').fill(PIN)
    }
    await signOpenDialog(page)
    await expect(dialog).toContainText('The signature is stored on this device')
    const next = names[i + 1]
    await dialog.getByRole('button', { name: next ? `Next: ${next}` : 'Done' }).tap()
  }
}

test('a talk is started, signed by hand by eight people and closed without a signal, and arrives once and in order', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  await signIn(page, 'admin.brick', '/dashboard')
  const title = `Slings ${Date.now() % 100_000}`
  const talk = await makeTalk(page, await signInToApi(page, 'admin.brick'), title)
  const approver = await signInToApi(page, 'approver.brick')
  for (const [path, data] of [
    ['/api/safety/settings/1', { deviceSignatures: 'pin' }],
    ['/api/security/signing_pin', { pin: PIN }],
  ] as const)
    expect((await page.request.put(path, { data, ...approver })).ok()).toBe(true)
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', `/safety/toolbox-talks/view/${talk}`)
  await expect(phone.getByRole('button', { name: 'Present', exact: true })).toBeVisible()
  await waitUntilCached(phone, `documents","one","${talk}`)
  await waitUntilCached(phone, 'signing_pins')

  // The talk is started without a signal. Its page opens after a reload too.
  await phone.context().setOffline(true)
  await phone.getByRole('button', { name: 'Present', exact: true }).tap()
  await phone.getByRole('dialog').getByLabel('Place').fill('Gate 3')
  await phone.getByRole('dialog').getByRole('button', { name: 'Start' }).tap()
  await phone.waitForURL(/\/presented\/parcel/)
  await phone.getByLabel('Who is attending?').fill(EVERYONE.join('\n'))
  await phone.getByRole('button', { name: 'Add', exact: true }).tap()
  await expect(signedCount(phone)).toHaveText('0 of 8 signed')
  await expect(attendeeRow(phone, 'Vic Vance')).toContainText('Waiting to be sent')
  await expectAccessible(phone)
  await passRound(phone, EVERYONE.slice(0, 5))
  await expect(phone.getByText('Signed on this device and waiting to be sent: 5.')).toBeVisible()

  await phone.reload()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(signedCount(phone)).toHaveText('0 of 8 signed')
  await expect(phone.getByText('Signed on this device and waiting to be sent: 5.')).toBeVisible()
  await expect(attendeeRow(phone, 'Vic Vance')).toContainText('Scaffolder, Apex Access Ltd')
  await expectAccessible(phone)
  await passRound(phone, EVERYONE.slice(5))
  await phone.getByRole('button', { name: 'Close record' }).tap()
  await expect(phone.getByRole('dialog')).toContainText('Still to be sent from this device: 8.')
  await phone.getByRole('dialog').getByRole('button', { name: 'Close record' }).tap()
  await expect(phone.getByText('Closed on this device. Waiting to be sent.')).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Add', exact: true })).toHaveCount(0)
  await expectAccessible(phone)

  // The signal returns: the page of the record opens, closed and signed.
  const drawn: string[] = []
  phone.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/sign')) drawn.push(request.postDataJSON().drawnAt)
  })
  const online = new Date().toISOString()
  await phone.context().setOffline(false)
  await phone.waitForURL(/\/presented\/\d+$/)
  await expect(signedCount(phone)).toHaveText('8 of 8 signed')
  await expect(phone.getByText('Waiting to be sent')).toHaveCount(0)
  await expect(phone.getByText('Closed', { exact: true })).toBeVisible()
  await expectAccessible(phone)

  const send = await createApiSender(page, 'admin.brick')
  const found = await send('get', `/api/safety/toolbox_talk_presenteds?talk=${talk}`)
  expect(found['hydra:member']).toMatchObject([{ complete: true, signed: 8, place: 'Gate 3', lateSignatures: false }])
  const record = found['hydra:member'][0]['@id']
  const { 'hydra:member': people } = await send('get', `/api/safety/toolbox_talk_attendees?presented=${record}`)
  const stated = people.map((p: Record<string, unknown>) => [p.name, p.method, p.late, p.company])
  expect(stated).toEqual(
    EVERYONE.map((name) => [name, 'finger', false, VISITORS.includes(name) ? 'Apex Access Ltd' : '']),
  )
  expect(people.map((p: Record<string, unknown>) => p.pinCheck)).toEqual(
    EVERYONE.map((name) => (name === 'Rhys Ellis' ? 'checked' : EMPLOYEES.indexOf(name) > 0 ? 'none' : null)),
  )
  // Each signature is sent with the time at which it was drawn.
  expect(drawn).toEqual(drawn.toSorted())
  expect(drawn.filter((at) => at < online)).toHaveLength(EVERYONE.length)
  const times = people.map((p: Record<string, unknown>) => String(p.signedAt))
  expect(times).toEqual(times.toSorted())
})
