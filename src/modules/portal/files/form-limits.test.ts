import { readdirSync, statSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { expect, test } from 'vitest'
import { ensureTemporaryUploadFolder } from '#server/files/receive.ts'
import { makeFilePortal, uploadFile } from '#test/support/files.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const { portal, office, stored } = await makeFilePortal()

const texts = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, 'x'.repeat(length)]))

test('an upload form with too many or too long text fields is rejected', async () => {
  const { worker } = await office()
  expect((await uploadFile(worker, MINIMAL_PDF, 'a.pdf', texts(10, 9_000))).status).toBe(201)
  for (const odd of [texts(11, 10), texts(1, 10_001), texts(900, 1000)])
    expect((await uploadFile(worker, MINIMAL_PDF, 'a.pdf', odd)).status).toBe(413)
  expect(readdirSync(await ensureTemporaryUploadFolder())).toEqual([])
})

test('a label of more than 200 characters is refused when a file or version is uploaded, as when it is changed', async () => {
  const { client, worker } = await office()
  const label = `${'Only valid with a permit. '.repeat(8)}NOT ON SITE B`
  const refusal = { violations: [{ propertyPath: 'label', code: 'too_long' }] }
  const { status, body } = await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { label })
  expect([status, body]).toMatchObject([422, refusal])
  expect(stored(client)).toEqual([])
  const own = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { label: label.slice(0, 200) })).body
  expect(own.label).toBe(label.slice(0, 200).trim())
  const form = makeUploadForm(MINIMAL_PDF, 'a.pdf', { label })
  for (const { status, body } of [
    await worker.api.send('POST', `${own['@id']}/versions`, form),
    await worker.api.patch(own['@id'], { label }),
  ])
    expect([status, body]).toMatchObject([422, refusal])
})

test('an upload form with oversized text fields is rejected without being loaded into memory', async () => {
  const { worker } = await office()
  const before = process.memoryUsage.rss()
  const answers = await Promise.all([1, 2, 3].map(() => uploadFile(worker, MINIMAL_PDF, 'a.pdf', texts(60, 1_000_000))))
  expect(answers.map((a) => a.status)).toEqual([413, 413, 413])
  // The limit allows for the memory that the test itself uses: the three forms and, while they are built, two copies of
  // each.
  expect(process.memoryUsage.rss() - before).toBeLessThan(600_000_000)
})

test('a truncated upload form is rejected and leaves no temporary file', async () => {
  const { worker } = await office()
  const { headers, body } = makeUploadForm(MINIMAL_PDF, 'a.pdf', { label: 'x' })
  for (const end of [10, 60, body.length - 100, body.length - 4])
    expect(
      (
        await worker.api.send('POST', `/api/safety/uploads/${worker.user.clientId}`, {
          headers,
          body: body.subarray(0, end),
        })
      ).status,
    ).toBe(400)
  expect(readdirSync(await ensureTemporaryUploadFolder())).toEqual([])
})

test("the folder for temporary uploads belongs to the server's account, and other system users cannot access it", async () => {
  const { mode, uid } = statSync(await ensureTemporaryUploadFolder())
  expect([mode & 0o777, uid]).toEqual([0o700, process.getuid?.()])
})

test('concurrent uploads are limited for each user without delaying other users', async () => {
  const { client, worker } = await office()
  const other = await office()
  const origin = await portal.listen()
  const { token } = await portal.sessions.open(
    { clientId: client.id, userId: worker.user.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  const { headers, body } = makeUploadForm(MINIMAL_PDF, 'a.pdf')
  const begun: ClientRequest[] = []
  for (let n = 0; n < 4; n++) {
    const half = request(`${origin}/api/safety/uploads/${client.id}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-length': body.length },
    })
    half.on('error', () => {})
    half.write(body.subarray(0, body.length - 10))
    begun.push(half)
  }
  await expect.poll(async () => readdirSync(await ensureTemporaryUploadFolder()).length).toBe(4)
  const fifth = await uploadFile(worker, MINIMAL_PDF, 'b.pdf')
  expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '2'])
  expect((await uploadFile(other.worker, MINIMAL_PDF, 'b.pdf')).status).toBe(201)
  for (const half of begun) half.destroy()
  await expect.poll(async () => readdirSync(await ensureTemporaryUploadFolder())).toEqual([])
  await expect.poll(async () => (await uploadFile(worker, MINIMAL_PDF, 'b.pdf')).status).toBe(201)
})
