import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFolder, makeFilePortal, type TestFileUser, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { makeSheetPdf, makeSlowPdf } from '#test/support/sheet-pdfs.ts'
import { UK_SHEET } from '#test/support/sheet-texts.ts'
import { LOCKED_PDF, makePicture } from '#test/support/uploads.ts'
import { isLockedPdf } from './contents.server.ts'

const { portal, person, office } = await makeFilePortal()

/** Packs XML files as a Word, Excel, PowerPoint or OpenDocument file. */
function makeOfficeFile(type: string, files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, xml]) => [name, strToU8(xml)] as const)
  const content = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${Object.keys(files)[0]}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`
  return Buffer.from(zipSync({ '[Content_Types].xml': strToU8(content), ...Object.fromEntries(entries) }))
}

const WORD = makeOfficeFile('wordprocessingml.document', {
  'word/document.xml': `<w:document><w:body><w:p><w:r><w:t>Temporary works </w:t></w:r><w:r><w:t>register</w:t></w:r></w:p>
    <w:p><w:r><w:instrText>HYPERLINK secretfield</w:instrText><w:t>Falsework at the Calder viaduct &amp; its caf&#233;</w:t></w:r></w:p></w:body></w:document>`,
  'word/footer1.xml': '<w:ftr><w:p><w:r><w:t>Controlled copy Zennor</w:t></w:r></w:p></w:ftr>',
})
const EXCEL = makeOfficeFile('spreadsheetml.sheet', {
  'xl/workbook.xml': '<workbook/>',
  'xl/sharedStrings.xml': '<sst><si><t>Harness</t></si><si><t>Penwith</t></si></sst>',
})
const SLIDES = makeOfficeFile('presentationml.presentation', {
  'ppt/presentation.xml': '<p:presentation/>',
  'ppt/slides/slide2.xml': '<p:sld><a:p><a:r><a:t>Slinger signals Lelant</a:t></a:r></a:p></p:sld>',
})

async function search(by: TestFileUser, q: string) {
  await portal.drain()
  const { body } = await by.api.get(`/api/safety/uploaded_documents?q=${encodeURIComponent(q)}`)
  return body['hydra:member'] as {
    name: string
    found: { label: string; pieces: { text: string; found: boolean }[] } | null
  }[]
}
const namesOf = async (by: TestFileUser, q: string) => (await search(by, q)).map(({ name }) => name)

test('a PDF of one client is checked for a password while the slow file of another client is being read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'locked-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [slow, locked] = [join(folder, 'slow.pdf'), join(folder, 'locked.pdf')]
  writeFileSync(slow, makeSlowPdf())
  writeFileSync(locked, LOCKED_PDF)
  let isSlowRead = false
  void isLockedPdf(slow, 1).then(() => {
    isSlowRead = true
  })
  expect([await isLockedPdf(locked, 2), isSlowRead]).toEqual([true, false])
})

describe('searching the text of a file', () => {
  test('a search finds PDF, Word, Excel, PowerPoint and text files by their text, and marks the matching words', async () => {
    const { worker } = await office()
    await uploadFile(worker, await makeSheetPdf(UK_SHEET), 'sheet.pdf')
    await uploadFile(worker, WORD, 'register.docx')
    await uploadFile(worker, EXCEL, 'kit.xlsx')
    await uploadFile(worker, SLIDES, 'lifting.pptx')
    await uploadFile(worker, Buffer.from('\ufeffNancledra quarry\r\nblasting times', 'utf16le'), 'times.txt')
    expect(await namesOf(worker, 'Kelham')).toEqual(['sheet.pdf'])
    expect(await namesOf(worker, 'zennor')).toEqual(['register.docx'])
    expect(await namesOf(worker, 'penwith')).toEqual(['kit.xlsx'])
    expect(await namesOf(worker, 'signal lelant')).toEqual(['lifting.pptx'])
    expect(await namesOf(worker, 'secretfield')).toEqual([])
    const [word] = await search(worker, 'cafe viaducts')
    expect(word?.found?.label).toBe('Content')
    expect(word?.found?.pieces.filter((p) => p.found).map((p) => p.text)).toEqual(['viaduct', 'café'])
  })

  test('a file can be found by its name and label at once, and by a changed label', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, await makePicture(10, 10).png().toBuffer(), 'IMG 0042.png', {
      label: 'Loading bay',
    })
    expect(await namesOf(worker, '0042 load')).toEqual(['IMG 0042.png'])
    await worker.api.patch(body['@id'], { label: 'Gatehouse' })
    expect(await namesOf(worker, 'loading')).toEqual([])
    const [named] = await search(worker, 'gatehouse')
    expect(named).toMatchObject({ name: 'IMG 0042.png', found: null })
  })

  test('changing a label before the text has been read does not lose the text', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, WORD, 'a.docx')
    await portal.drain()
    await worker.api.patch(body['@id'], { label: 'Gatehouse' })
    expect(await namesOf(worker, 'gatehouse falsework')).toEqual(['a.docx'])
  })

  test('a damaged file can be uploaded, but found only by its name', async () => {
    const { worker } = await office()
    const torn = Buffer.concat([WORD.subarray(0, WORD.length - 200), Buffer.alloc(200)])
    expect((await uploadFile(worker, torn, 'torn.docx')).status).toBe(201)
    expect(await namesOf(worker, 'torn')).toEqual(['torn.docx'])
    expect(await namesOf(worker, 'falsework')).toEqual([])
  })

  test('a file that unpacks to more than the limit is not read, and the portal continues to run', async () => {
    const { worker } = await office()
    const bomb = makeOfficeFile('wordprocessingml.document', {
      'word/document.xml': `<w:p>${' '.repeat(60_000_000)}</w:p>`,
    })
    expect((await uploadFile(worker, bomb, 'bomb.docx')).status).toBe(201)
    expect(await namesOf(worker, 'bomb')).toEqual(['bomb.docx'])
  })

  test('a restored version and a new version are found by their own text', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, 'alpha falsework', 'a.txt')
    const next = await uploadFileVersion(worker, body['@id'], 'beta scaffold', 'a.txt')
    expect(next.status).toBe(201)
    expect(await namesOf(worker, 'scaffold')).toEqual(['a.txt'])
    expect(await namesOf(worker, 'falsework')).toEqual([])
    expect((await worker.api.post(`${body['@id']}/restore_version`, {})).status).toBeLessThan(300)
    expect(await namesOf(worker, 'falsework')).toEqual(['a.txt'])
    expect(await namesOf(worker, 'scaffold')).toEqual([])
  })

  test('only users who can read a file can find it by its text', async () => {
    const { client, admin, worker } = await office()
    const folder = await createFolder(admin, 'Board')
    await admin.api.patch(folder['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })
    await uploadFile(admin, 'redundancy plan', 'plan.txt', { folder: folder['@id'] })
    expect(await namesOf(admin, 'redundancy')).toEqual(['plan.txt'])
    expect(await namesOf(worker, 'redundancy')).toEqual([])
    expect(await namesOf(await person(client, 'ROLE_SAFETY_AUTHOR'), 'redundancy')).toEqual([])
    expect(await namesOf((await office()).admin, 'redundancy')).toEqual([])
  })
})
