import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { TRAINING as AT, createTrainingCompany } from '#test/support/training.ts'
import { MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const w = await createTrainingCompany(portal)
const upload = async (content: Buffer | string, name: string) =>
  expectSuccess(await w.trainer.send('POST', `${AT.proofs}/files`, makeUploadForm(content, name)))
const propose = async (content: Buffer | string, name: string) =>
  expectSuccess(await w.trainer.get(`${(await upload(content, name))['@id']}/proposals`))

test('the text of a certificate proposes the person, course and dates, and records nothing', async () => {
  const [worker, course] = [
    await w.person({ forename: 'Callum', surname: 'Fraser' }),
    await w.course({ name: 'Manual handling' }),
  ]
  const text = 'This certifies that Callum Fraser completed Manual Handling on 2 March 2026.\nValid until 01/03/2029'
  expect(await propose(text, 'certificate.txt')).toMatchObject({
    unreadable: '',
    people: [{ id: worker.id, name: 'Callum Fraser' }],
    courses: [{ id: course.id, name: 'Manual handling' }],
    dates: [{ date: '2026-03-02' }, { date: '2029-03-01', words: expect.stringContaining('Valid until') }],
  })
  expect(expectSuccess(await w.trainer.get(AT.records))['hydra:totalItems']).toBe(0)
})

test('a picture, a scan and a locked PDF state that their text can’t be read', async () => {
  const picture = await propose(await makePicture(20, 20).png().toBuffer(), 'photo.png')
  expect([picture.unreadable, picture.people]).toEqual([expect.stringContaining('picture'), []])
  expect((await propose(MINIMAL_PDF, 'scan.pdf')).unreadable).toContain('no text')
})

test('only people who record training read proposals, and only from files of their company', async () => {
  const { '@id': proof } = await upload('Text', 'certificate.txt')
  const [worker, stranger] = [await w.person(), await createTrainingCompany(portal)]
  expect((await worker.api.get(`${proof}/proposals`)).status).toBe(403)
  expect((await stranger.trainer.get(`${proof}/proposals`)).status).toBe(404)
})
