import { create as disposition } from 'content-disposition'
import { objectOf } from '#kernel/forms/rows.ts'
import { idAtEnd } from '#kernel/iri.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { uploadsOf } from '#modules/documents/types/upload-fields.ts'
import { readUserNames } from '#modules/identity/people/names.server.ts'
import { findPictures, readPictures } from '#modules/portal/files/pictures.server.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { readAnswerWithForm } from './answers.server.ts'
import { customFormAnswer, FORM_RESULTS } from './custom-form.ts'
import { completedFormPdfInput } from './pdf-body.ts'
import { scoreText } from './shown-answer.ts'

/** `GET {answer}/pdf`: opens in the browser. Not stored, since the content never changes. */
export const completedFormPdfRoute: Route = {
  method: 'GET',
  path: `${customFormAnswer.url}/{id}/pdf`,
  title: 'A completed form as a PDF file',
  allow: DOCUMENT_READERS,
  file: ['application/pdf'],
  handle: async (c) => {
    const { engine, me } = c
    const { record, version, schema } = await readAnswerWithForm(c)
    const answers = objectOf(record.answers)
    const files = uploadsOf({ schema }, answers).flatMap(({ '@id': iri, label }) => {
      const id = idAtEnd(iri)
      return id === undefined ? [] : [{ id, label }]
    })
    const letterhead = await readLetterhead(engine, me.clientId)
    const [pictures, logo, names] = await Promise.all([
      findPictures(engine, me.clientId, files).then((found) => readPictures(engine, found)),
      readLogo(engine, letterhead),
      readUserNames(engine, me.clientId, [record.author]),
    ])
    const by = names.get(record.author) ?? record.author
    const pdf = await renderControlledDocument({
      template: new URL('./custom-form-answer.typ', import.meta.url),
      client: me.clientId,
      furniture: {
        number: record.number,
        revision: version.number,
        state: 'current',
        kindName: 'Completed form',
        title: record.title,
        client: { ...letterhead.client, logo },
        brand: letterhead.brand,
        author: by,
        createdOn: record.createdAt,
        completedOn: record.createdAt,
        seal: record.digest,
        signatures: [],
        history: [],
      },
      body: {
        ...completedFormPdfInput(
          schema,
          answers,
          pictures.map((p) => ({ ...p, alt: p.caption })),
          record.createdAt,
        ),
        score: scoreText(record),
        result: FORM_RESULTS.find((r) => r.value === record.result)?.label ?? '',
        pass: schema.pass === undefined ? '' : `${schema.pass}%`,
      },
    })
    return new RouteAnswer(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(`${record.number} ${record.title}.pdf`, { type: 'inline' }),
    })
  },
}
