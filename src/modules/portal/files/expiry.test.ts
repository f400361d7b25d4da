import { afterEach, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeFilePortal, type TestFileUser, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { MINIMAL_PDF } from '#test/support/uploads.ts'
import { INBOX_PATH, MARK_ALL_READ_PATH } from '../notices/notice.ts'
import { fileExpiryStatus } from './uploaded-document.ts'

const { portal, person, office } = await makeFilePortal()
const FILES = '/api/safety/uploaded_documents'
afterEach(() => moveClock(portal.engine, 0))

const today = () => portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
const inDays = (days: number) => today().add({ days }).toString()
type NoticeBody = { kind: string; words: string; read: boolean; path: string; about: string }
const told = async ({ api }: TestFileUser): Promise<NoticeBody[]> =>
  (await api.get(INBOX_PATH)).body['hydra:member'].filter((n: NoticeBody) => n.kind === 'file.expires')
const unread = async (who: TestFileUser) => (await told(who)).filter((n) => !n.read).length
const readAll = ({ api }: TestFileUser) => api.post(MARK_ALL_READ_PATH)
const morning = () => portal.runSchedule('file.expires')

test.each([
  [null, 'never', undefined],
  ['2026-03-31', 'soon', 'Expires in 30 days'],
  ['2026-04-01', 'holds', 'Expires 01/04/2026'],
  ['2026-03-02', 'soon', 'Expires tomorrow'],
  ['2026-03-01', 'soon', 'Expires today'],
  ['2026-02-28', 'expired', 'Expired'],
])('the expiry status of a file that expires on %s is %s', (expires, stands, words) => {
  const expiry = fileExpiryStatus({ expires, remindDays: 30 }, '2026-03-01')
  expect([expiry.stands, 'words' in expiry ? expiry.words : undefined]).toEqual([stands, words])
})

describe("a file's expiry date", () => {
  test("a file's expiry date can be set on upload or later, and cleared, and a value that is not a date is rejected", async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { expires: '2030-02-28' })
    expect(body).toMatchObject({ expires: '2030-02-28', remindDays: 30 })
    expect((await worker.api.put(body['@id'], { expires: null, remindDays: 7 })).body).toMatchObject({
      expires: null,
      remindDays: 7,
    })
    expect((await worker.api.put(body['@id'], { expires: '2030-02-30' })).status).toBe(400)
    for (const remindDays of [-1, 366]) expect((await worker.api.put(body['@id'], { remindDays })).status).toBe(422)
    expect((await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { expires: '30/02/2030' })).status).toBe(400)
  })

  test("a file's expiry date can be changed only by users who may change the file", async () => {
    const { client, admin, worker } = await office()
    const colleague = await person(client, 'ROLE_EMPLOYEE')
    const file = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf')).body['@id']
    expect((await colleague.api.put(file, { expires: '2030-01-01' })).status).toBe(404)
    expect((await admin.api.put(file, { expires: '2030-01-01' })).status).toBe(200)
  })

  test('files can be filtered and sorted by expiry date', async () => {
    const { client, admin } = await office()
    for (const [name, expires] of [
      ['c.pdf', inDays(40)],
      ['b.pdf', inDays(5)],
      ['a.pdf', inDays(-1)],
      ['d.pdf', ''],
    ] as const)
      await uploadFile(admin, MINIMAL_PDF, name, { expires })
    const named = async (query: string) =>
      ((await admin.api.get(`${FILES}?client=${client.id}&${query}`)).body['hydra:member'] as { name: string }[]).map(
        ({ name }) => name,
      )
    expect(await named(`expires[strictly_before]=${today().toString()}`)).toEqual(['a.pdf'])
    expect(await named(`expires[after]=${today().toString()}&expires[before]=${inDays(30)}`)).toEqual(['b.pdf'])
    expect(await named('exists[expires]=true&order[expires]=asc')).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
  })
})

describe('notifications about expiring files', () => {
  test("a file's owner is notified once, the set number of days before expiry, and again after the date changes", async () => {
    const { admin, worker } = await office()
    const file = (await uploadFile(worker, MINIMAL_PDF, 'lift.pdf', { label: 'Lift certificate', expires: inDays(32) }))
      .body
    await morning()
    expect(await told(worker)).toEqual([])
    await moveClock(portal.engine, 2)
    await morning()
    const day = today().add({ days: 30 }).toString().split('-').reverse().join('/')
    expect(await told(worker)).toMatchObject([
      {
        words: `Lift certificate expires on ${day}`,
        read: false,
        about: file['@id'],
        path: `/sfp/file-manager?file=${file.id}`,
      },
    ])
    expect(await told(admin)).toEqual([])
    await readAll(worker)
    for (const days of [3, 20, 40]) {
      await moveClock(portal.engine, days)
      await morning()
    }
    expect(await unread(worker)).toBe(0)

    await moveClock(portal.engine, 41)
    await admin.api.put(file['@id'], { expires: inDays(20) })
    await morning()
    expect(await unread(worker)).toBe(1)
    await morning()
    expect(await told(worker)).toHaveLength(1)
  })

  test("a file's owner is notified as many days in advance as the file states, or once after expiry if the notification was missed", async () => {
    const { worker } = await office()
    const early = (await uploadFile(worker, MINIMAL_PDF, 'early.pdf', { expires: inDays(90) })).body['@id']
    await worker.api.put(early, { remindDays: 90 })
    const short = (await uploadFile(worker, MINIMAL_PDF, 'short.pdf', { expires: inDays(5) })).body['@id']
    await worker.api.put(short, { remindDays: 3 })
    await uploadFile(worker, MINIMAL_PDF, 'past.pdf', { expires: inDays(-3) })
    await morning()
    expect((await told(worker)).map(({ words }) => words.split(' ')[0]).sort()).toEqual(['early.pdf', 'past.pdf'])
  })

  test('the notification about an expiring file ends, and is not sent again, once the file is renewed or retired or its expiry date is removed', async () => {
    const { worker } = await office()
    const files = await Promise.all(
      ['new', 'retired', 'never'].map(
        async (name) => (await uploadFile(worker, MINIMAL_PDF, `${name}.pdf`, { expires: inDays(10) })).body['@id'],
      ),
    )
    await morning()
    expect(await unread(worker)).toBe(3)
    const [renewed, retired, never] = files as [string, string, string]
    const next = (await uploadFileVersion(worker, renewed, MINIMAL_PDF, 'new.pdf')).body
    expect(next.expires).toBeNull()
    await worker.api.put(retired, { retired: true })
    await worker.api.put(never, { expires: null })
    expect(await unread(worker)).toBe(0)
    await moveClock(portal.engine, 11)
    await morning()
    expect(await unread(worker)).toBe(0)
  })

  test("the company's file administrators are notified about an expiring file if its owner is retired", async () => {
    const { admin, worker } = await office()
    const file = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { expires: inDays(10) })).body
    await portal.db.tx('owner', (tx) =>
      tx.rows('UPDATE user_account SET is_retired = true WHERE client_id = $1 AND id = $2', [
        worker.user.clientId,
        worker.user.id,
      ]),
    )
    await morning()
    expect(await told(admin)).toMatchObject([{ about: file['@id'] }])
  })
})
