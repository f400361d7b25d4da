import { describe, expect, test } from 'vitest'
import { createFolder, makeFilePortal, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
/** File name that mail programs show as "invoicefdp.jpg", because U+202E reverses the text after it. */
const TURNED = 'invoice\u202egpj.pdf'
const EVERY =
  '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u2800\u180e'

describe('text-direction marks and other invisible characters', () => {
  test('text-direction marks and other invisible characters are removed from names and labels of uploads and new versions', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, MINIMAL_PDF, TURNED, { label: `Lift \u202etfil ${EVERY}` })
    expect([body.name, body.label]).toEqual(['invoicegpj.pdf', 'Lift tfil'])
    const next = await uploadFileVersion(worker, body['@id'], MINIMAL_PDF, `new${EVERY} one.pdf`, {
      label: 'Ho\u200bist',
    })
    expect([next.body.name, next.body.label]).toEqual(['new one.pdf', 'Hoist'])
  })

  test("text-direction marks in a file name can't disguise an executable as a picture", async () => {
    const { worker } = await office()
    const { status, body } = await uploadFile(
      worker,
      Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)]),
      'invoice\u202egpj.exe',
    )
    expect([status, body['hydra:description']]).toEqual([422, expect.stringMatching(/^"invoicegpj\.exe" is a program/)])
  })

  test('a file name that consists only of invisible characters is replaced by a default name', async () => {
    const { worker } = await office()
    expect((await uploadFile(worker, 'hello', `${EVERY}.txt`)).body.name).toBe('.txt')
    expect((await uploadFile(worker, MINIMAL_PDF, EVERY)).body.name).toBe('file')
    expect((await uploadFile(worker, MINIMAL_PDF, '../..\\a\tb   c.pdf')).body.name).toBe('a b c.pdf')
  })

  test("PUT and PATCH remove text-direction marks and other invisible characters from a file's label", async () => {
    const { worker } = await office()
    const at = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf')).body['@id']
    expect((await worker.api.put(at, { label: `Cert\u202eificate${EVERY}` })).body.label).toBe('Certificate')
    expect((await worker.api.patch(at, { label: '\u2066Lift\u2069 7' })).body.label).toBe('Lift 7')
    expect((await worker.api.patch(at, { label: EVERY })).body.label).toBe('')
  })

  test("POST, PUT and PATCH remove text-direction marks and other invisible characters from a folder's name", async () => {
    const { admin } = await office()
    const folder = await createFolder(admin, `For\u202ems${EVERY}`)
    expect(folder.name).toBe('Forms')
    expect((await admin.api.put(folder['@id'], { name: 'Cards\u200f' })).body.name).toBe('Cards')
    expect((await admin.api.patch(folder['@id'], { name: 'Per\u200bmits' })).body.name).toBe('Permits')
    expect((await admin.api.put(folder['@id'], { name: EVERY })).status).toBe(422)
    expect((await admin.api.post('/api/safety/document_folders', { name: EVERY })).status).toBe(422)
  })

  test("text-direction marks and other invisible characters are removed from the names of a lead's files on upload, renaming and import", async () => {
    const staff = await person(await portal.client(), 'ROLE_STAFF', 'ROLE_LEADS_ADMIN')
    const lead = (await staff.api.post('/api/crm/contacts', { companyName: 'Acme' })).body['@id']
    const { body } = await staff.api.send('POST', `${lead}/files`, makeUploadForm(MINIMAL_PDF, TURNED))
    expect(body.name).toBe('invoicegpj.pdf')
    expect((await staff.api.put(body['@id'], { name: 'plan\u202efdp.exe' })).body.name).toBe('planfdp.exe')
    expect((await staff.api.patch(body['@id'], { name: `pl\u200ban${EVERY}.pdf` })).body.name).toBe('plan.pdf')
    const leads = await staff.api.send('POST', '/api/crm/imports', makeUploadForm('Company\nAcme\n', 'le\u202eads.csv'))
    expect([leads.status, leads.body.fileName]).toEqual([201, 'leads.csv'])
  })

  test('text-direction marks in file names stored before the rule existed are removed on download', async () => {
    const { client, worker } = await office()
    const { body } = await uploadFile(worker, MINIMAL_PDF, 'a.pdf')
    await portal.db.tx('owner', (tx) =>
      tx.rows('UPDATE uploaded_document SET name = $3 WHERE client_id = $1 AND id = $2', [client.id, body.id, TURNED]),
    )
    const { headers } = await worker.bytes(`${body.url}?original=true`)
    expect(headers['content-disposition']).toBe('attachment; filename=invoicegpj.pdf')
  })
})
