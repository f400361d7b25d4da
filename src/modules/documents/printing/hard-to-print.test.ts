import { expect, test } from 'vitest'
import { extractPageTexts, extractText } from '#test/pdf/words.ts'
import {
  ASSESSMENTS_URL,
  type CreatedDocument,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'
import { HEIC_PICTURE, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const made = await makeAssessments(portal)
const { author, client, draft, act } = made

const printOf = async (one: CreatedDocument) => {
  const answer = await author.get(`${one['@id']}/pdf`)
  expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true])
  return answer.raw ?? Buffer.alloc(0)
}

test('a 500-character title, emoji and Arabic are printed, but Amharic is rejected because no print font contains it', async () => {
  const arabic = 'أعمال السقف'
  const long = `${arabic} 👷 ${'Roof repairs over the loading bay '.repeat(20)}`.slice(0, 499).padEnd(500, 'x')
  const sealed = await act(await draft({ description: long }), 'complete')
  expect([sealed.description, [...sealed.description].length >= 499]).toEqual([long, true])
  const [first] = await extractPageTexts(await printOf(sealed))
  for (const word of ['Roof repairs', '👷', 'السقف']) expect(first).toContain(word)
  expect(first).not.toContain('\uFFFD')
  const tooLong = await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ description: `${long}y` }))
  expect([tooLong.status, tooLong.body.violations[0].propertyPath]).toEqual([422, 'description'])

  const amharic = await draft({ description: 'የጣራ ጥገና', project: 'ግንባታ' })
  const refused = await author.post(`${amharic['@id']}/complete`)
  expect([refused.status, refused.body.violations]).toEqual([
    422,
    [
      expect.objectContaining({
        propertyPath: 'description',
        message: expect.stringContaining('can’t show የ ጣ ራ ጥ ገ'),
      }),
      expect.objectContaining({ propertyPath: 'project', message: expect.stringContaining('can’t show ግ ን ባ ታ') }),
    ],
  ])
  // A draft is printed anyway and lists the unsupported characters.
  expect(await extractText(await printOf(amharic))).toContain('[U+12E8]')
})

const add = async (bytes: Buffer, name: string) => {
  const sent = makeUploadForm(bytes, name)
  const answer = await author.send('POST', `/api/safety/uploads/${client.id}`, sent)
  expect([answer.status, answer.text]).toEqual([201, expect.anything()])
  return answer.body['@id'] as string
}

test('all 30 pictures of a sealed document are printed in order', async () => {
  const bytes = await makePicture(40, 30).png().toBuffer()
  const uploadedDocuments: object[] = []
  for (let n = 1; n <= 30; n++)
    uploadedDocuments.push({ '@id': await add(bytes, `${n}.png`), label: `Seen from ${n} m` })
  const words = await extractText(await printOf(await act(await draft({ uploadedDocuments }), 'complete')))
  const printed = [...words.matchAll(/Seen from (\d+) m/g)].map(([, n]) => Number(n))
  expect(printed).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
})

test('Chinese, Japanese, Korean, Hindi and Thai are sealed and printed with fonts that are read for them', async () => {
  const words = ['屋顶维修', '屋根の修理', '지붕 수리', 'छत की मरम्मत', 'ซ่อมหลังคา']
  const sealed = await act(await draft({ description: words.join(' · '), project: words.join(' · ') }), 'complete')
  const pdf = await printOf(sealed)
  expect(pdf.toString('latin1')).toContain('pdfuaid')
  const text = (await extractText(pdf)).normalize('NFKC')
  for (const word of ['屋顶维修', '屋根の修理', '지붕', 'ซ']) expect(text).toContain(word)
  expect(text).not.toMatch(/U[+]|\uFFFD/)
})

test('a HEIC picture and a 40-megapixel picture can be sealed and printed', async () => {
  const uploadedDocuments = [
    { '@id': await add(HEIC_PICTURE, 'IMG_0001.HEIC'), label: 'The gable' },
    { '@id': await add(await makePicture(8000, 5000).jpeg().toBuffer(), 'big.jpg'), label: 'The whole yard' },
  ]
  const sealed = await act(await draft({ uploadedDocuments }), 'complete')
  const pdf = await printOf(sealed)
  const words = await extractText(pdf)
  for (const { label } of uploadedDocuments) expect(words).toContain(label)
  // The picture is embedded at its display size, not at its original size.
  expect(pdf.length).toBeLessThan(3_000_000)
})

test("a document's PDF and its signature list contain all 505 signatures", async () => {
  const signed = await made.current()
  await portal.db.tx({ clientId: client.id }, (tx) =>
    tx.rows(
      `INSERT INTO signature (client_id, document_id, place, name, method, visitor, author)
       SELECT $1, $2, i, 'Visitor number ' || i, 'typed', true, 'ada' FROM generate_series(1, 505) i`,
      [client.id, signed.id],
    ),
  )
  const words = await extractText(await printOf(signed))
  const missing = Array.from({ length: 505 }, (_, i) => `Visitor number ${i + 1} `).filter((n) => !words.includes(n))
  expect(missing).toEqual([])
  const page = await author.get(`/api/safety/signatures?document=/api/safety/documents/${signed.id}&pagination=false`)
  expect(page.body['hydra:totalItems']).toBe(505)
})
