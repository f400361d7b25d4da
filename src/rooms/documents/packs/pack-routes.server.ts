import { create as disposition } from 'content-disposition'
import { problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { document } from '../kinds/document.ts'
import { type DocumentKind, titleIn } from '../kinds/kind.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import { AUTHORS } from '../rights.ts'
import { type Contents, gather } from './gather.server.ts'
import { packOf } from './kept-pack.server.ts'

/** Packs: a document with everything it refers to, and chosen documents of a list. */
export const packRoutes = (kinds: readonly DocumentKind[]): Route[] => [
  {
    method: 'GET',
    path: `${document.url}/{id}/pack`,
    title: 'A document with everything it refers to, as one PDF file',
    allow: AUTHORS,
    file: ['application/pdf'],
    refuses: [409, 422],
    handle: async (c) => {
      const id = readId(c.params.id)
      if (id === undefined) throw problem.notFound()
      return answerPack(c, await gather(c.engine, kinds, c.me, { ids: [id], deep: true }))
    },
  },
  {
    method: 'GET',
    path: `${document.url}/pack`,
    title: 'Chosen documents as one PDF file',
    allow: AUTHORS,
    file: ['application/pdf'],
    refuses: [409, 422],
    query: { documents: text({ help: 'The ids of the documents in their order, with commas between them.' }) },
    handle: async (c) => {
      const ids = String(c.query.documents ?? '')
        .split(',')
        .map((id) => readId(id.trim()))
      if (ids.includes(undefined))
        throw problem.invalid([violation('documents', 'Please choose the documents to put together')])
      return answerPack(c, await gather(c.engine, kinds, c.me, { ids: ids as number[], deep: false }))
    },
  },
]

async function answerPack(c: RouteContext, contents: Contents): Promise<RouteAnswer> {
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const owners = new Set(contents.documents.map((d) => d.clientId).filter((id) => id !== PROVIDER))
  if (owners.size > 1) throw problem.conflict('A pack is of one client’s documents.')
  const { record, kind } = first
  const others = contents.documents.length - 1
  const and = others ? ` and ${others} more` : ''
  const title = `${record.documentNumber} ${titleIn(kind, record)}${and}`
  const pdf = await packOf(c.engine, c.me, contents, { title, clientId: [...owners][0] ?? PROVIDER })
  return new RouteAnswer(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(pdfNameOf(`Pack ${title}`), { type: 'inline' }),
  })
}
