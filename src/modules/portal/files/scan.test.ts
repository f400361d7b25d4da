import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { scanFile } from '#server/files/scan.ts'
import { EICAR_TEST_FILE, startFakeClamd } from '#test/support/clamd.ts'
import {
  createFolder,
  makeFilePortal,
  type TestFileClient,
  uploadFile,
  uploadFileVersion,
} from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const scanner = await startFakeClamd({ most: 600_000 })
afterAll(() => scanner.close())
afterEach(() => scanner.be('looks'))
const { portal, person, office, stored } = await makeFilePortal({ SCAN_URL: scanner.url })
const off = await makeFilePortal()
const LEADS = 'Company,Phone\nAcme,01632 960001\n'

const nothingOf = async ({ client, admin }: TestFileClient) => {
  expect(stored(client)).toEqual([])
  expect((await admin.api.get(`/api/safety/uploaded_documents?client=${client.id}`)).body['hydra:totalItems']).toBe(0)
}
const staffIn = async () => person(await portal.client(), 'ROLE_STAFF', 'ROLE_LEADS_ADMIN')

describe('uploads with a virus scanner', () => {
  test('with a virus scanner, a clean file is scanned completely and stored', async () => {
    const { worker } = await office()
    const photo = await makePicture(40, 30).png().toBuffer()
    expect((await uploadFile(worker, photo, 'site.png')).status).toBe(201)
    expect(scanner.seen.some((bytes) => bytes.equals(photo))).toBe(true)
  })

  test.each([EICAR_TEST_FILE, `${EICAR_TEST_FILE}\n`, `Dear Ann\n${EICAR_TEST_FILE}`])(
    'with a virus scanner, the EICAR test file is rejected with a message and not stored: %#',
    async (bytes) => {
      const there = await office()
      const { status, body } = await uploadFile(there.worker, bytes, 'invoice.txt')
      expect([status, body.violations]).toEqual([
        422,
        [
          {
            propertyPath: 'file',
            message:
              '"invoice.txt" was not saved: the virus scanner found something harmful in it (Eicar-Test-Signature). Please don’t open the file, and contact your IT support.',
            code: 'invalid',
          },
        ],
      ])
      await nothingOf(there)
    },
  )

  test('with a virus scanner, infected files are rejected at every upload endpoint', async () => {
    const there = await office()
    const file = (await uploadFile(there.admin, MINIMAL_PDF, 'certificate.pdf')).body
    const before = stored(there.client)
    expect((await uploadFileVersion(there.admin, file['@id'], EICAR_TEST_FILE, 'certificate.txt')).status).toBe(422)
    const folder = await createFolder(there.admin, 'Forms')
    expect((await uploadFile(there.worker, EICAR_TEST_FILE, 'form.csv', { folder: folder['@id'] })).status).toBe(422)
    expect(stored(there.client)).toEqual(before)
    expect((await there.admin.api.get(`${file['@id']}/versions`)).body['hydra:totalItems']).toBe(1)

    const staff = await staffIn()
    const lead = (await staff.api.post('/api/crm/contacts', { companyName: 'Acme' })).body['@id']
    expect((await staff.api.send('POST', `${lead}/files`, makeUploadForm(EICAR_TEST_FILE, 'plan.txt'))).status).toBe(
      422,
    )
    expect(
      (await staff.api.send('POST', '/api/crm/imports', makeUploadForm(LEADS + EICAR_TEST_FILE, 'leads.csv'))).status,
    ).toBe(422)
    expect((await staff.api.send('POST', '/api/crm/imports', makeUploadForm(LEADS, 'leads.csv'))).status).toBe(201)
  })

  test.each(['silent', 'hangs up', 'muddled'] as const)(
    'an upload gets 503 and nothing is stored if the virus scanner fails (%s)',
    async (mood) => {
      scanner.be(mood)
      const config = readConfig({ SCAN_URL: scanner.url })
      if (mood === 'silent') {
        await expect(scanFile(config, { path: import.meta.filename, name: 'a.txt' }, 50)).rejects.toMatchObject({
          status: 503,
        })
        return
      }
      const there = await office()
      const { status, body, headers } = await uploadFile(there.worker, MINIMAL_PDF, 'a.pdf')
      expect([status, body['hydra:description'], headers['retry-after']]).toEqual([
        503,
        '"a.pdf" can’t be checked for viruses at the moment, so it was not saved. Please try again in a few minutes; if this continues, contact your provider.',
        '60',
      ])
      await nothingOf(there)
      scanner.be('looks')
      expect((await uploadFile(there.worker, MINIMAL_PDF, 'a.pdf')).status).toBe(201)
    },
  )

  test('a file that is too large for the virus scanner is not stored', async () => {
    const there = await office()
    expect((await uploadFile(there.worker, Buffer.alloc(900_000, 65), 'long.txt')).status).toBe(503)
    await nothingOf(there)
  })

  test('nothing is stored if the virus scanner is unreachable', async () => {
    const gone = await startFakeClamd()
    await gone.close()
    const config = readConfig({ SCAN_URL: gone.url })
    await expect(scanFile(config, { path: import.meta.filename, name: 'a.txt' })).rejects.toMatchObject({ status: 503 })
    const nowhere = readConfig({ SCAN_URL: 'clamd:///nowhere/clamd.sock' })
    await expect(scanFile(nowhere, { path: import.meta.filename, name: 'a.txt' })).rejects.toMatchObject({
      status: 503,
    })
  })
})

test('files are not scanned unless a virus scanner is configured', async () => {
  const { worker } = await off.office()
  expect(readConfig({}).scanner).toBeUndefined()
  expect((await uploadFile(worker, EICAR_TEST_FILE, 'eicar.txt')).status).toBe(201)
})

test("the virus scanner's address is validated at start-up", () => {
  expect(readConfig({ SCAN_URL: 'clamd://scan.example' }).scanner).toEqual({ host: 'scan.example', port: 3310 })
  expect(readConfig({ SCAN_URL: 'clamd://[::1]:99' }).scanner).toEqual({ host: '::1', port: 99 })
  expect(readConfig({ SCAN_URL: 'clamd:///run/clamav/clamd.ctl' }).scanner).toEqual({ path: '/run/clamav/clamd.ctl' })
  for (const wrong of ['clamd', 'http://scan.example', 'clamd://', 'clamd:///'])
    expect(() => readConfig({ SCAN_URL: wrong })).toThrow('The setting SCAN_URL must be a clamd URL such as clamd://')
})
