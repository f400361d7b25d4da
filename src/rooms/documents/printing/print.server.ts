import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { printedInk } from '#kernel/signature.ts'
import { textOf } from '#kernel/text.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/behaviour.ts'
import type { Sent } from '#server/data/plan.ts'
import type { Engine } from '#server/engine.ts'
import { storeOf } from '#server/files/store.ts'
import { type Furniture, renderDocument } from '#server/pdf/furniture.ts'
import { signature } from '../kinds/document.ts'
import type { DocumentKind, Picture } from '../kinds/kind.ts'
import { READERS } from '../kinds/rights.ts'
import { STATE_WORDS, type State } from '../kinds/states.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const ALL = { limit: 500, offset: 0 }

type Asker = Pick<RouteContext, 'actor' | 'query'>

/** A document of a kind as a PDF file, as this person may see it. */
export async function print(engine: Engine, kind: DocumentKind, c: Asker, id: number) {
  const r = kind.resource
  const record = await engine.one(r, c.actor, id)
  const [history, signatures, brand, images, more] = await Promise.all([
    engine.list(r, c.actor, { documentNumber: String(record.documentNumber), 'order[revision]': 'desc' }, ALL),
    engine.list(signature, c.actor, { document: String(id) }, ALL),
    brandOf(engine, record),
    pictures(engine, c, record),
    besides(engine, kind, c),
  ])
  const own = history.members.filter((m) => m.client === record.client)
  const name = await namesOf(engine, [record, ...own])
  const pdf = await renderDocument({
    template: join(ROOT, kind.pdf.template),
    furniture: furniture(kind, record, own, signatures.members, brand, name),
    body: kind.pdf.body(record, { ...more, images }),
  })
  const called = `${String(record.documentNumber)} rev ${String(record.revision)} ${textOf(record[kind.title.field])}`
  const fileName = `${called
    .replace(/[^\w .-]+/g, ' ')
    .slice(0, 100)
    .trim()}.pdf`
  return { pdf, record, fileName }
}

function furniture(
  kind: DocumentKind,
  record: Sent,
  history: readonly Sent[],
  signatures: readonly Sent[],
  of: Pick<Furniture, 'client' | 'brand'>,
  name: (username: unknown) => string,
): Furniture {
  const said = (name: string) => (record[name] ? { [name]: textOf(record[name]) } : {})
  const noun = kind.noun
  return {
    ...of,
    number: String(record.documentNumber),
    revision: Number(record.revision),
    state: record.retired && record.state !== 'rejected' ? 'retired' : (record.state as State),
    kindName: noun.charAt(0).toUpperCase() + noun.slice(1),
    title: textOf(record[kind.title.field]) || `Untitled ${noun}`,
    author: name(record.author),
    createdOn: String(record.createdAt),
    ...(record.completedAt ? { completedOn: textOf(record.completedAt) } : {}),
    ...(record.approvedAt ? { approvedBy: name(record.authorUsername), approvedOn: textOf(record.approvedAt) } : {}),
    ...said('reviewDue'),
    ...said('seal'),
    signatures: signatures.map(signed),
    history: history.map((h) => ({
      revision: Number(h.revision),
      state: STATE_WORDS[h.retired ? 'retired' : (h.state as State)],
      on: String(h.completedAt ?? h.createdAt),
      by: name(h.completedBy ?? h.author),
      ...(h.decisionNote ? { note: textOf(h.decisionNote) } : {}),
    })),
  }
}

function signed(s: Sent): Furniture['signatures'][number] {
  return {
    name: String(s.name),
    at: String(s.signedAt),
    method: s.method as 'finger',
    ...(s.byName ? { by: textOf(s.byName) } : {}),
    ...(s.statement ? { statement: textOf(s.statement) } : {}),
    ...printedInk(s.strokes),
  }
}

/** Whose the record is. */
const clientOf = (record: Sent | undefined) => idAtEnd(record?.client) ?? Number.NaN

/** What people are called whose usernames records carry: those of the client, and of the provider who came in. */
async function namesOf(engine: Engine, records: readonly Sent[]): Promise<(username: unknown) => string> {
  const usernames = records.flatMap((r) => [r.author, r.completedBy, r.authorUsername].filter(Boolean).map(String))
  const id = clientOf(records[0])
  const rows = await engine.db.tx('system', (tx) =>
    tx.rows<{ username: string; name: string }>(
      'SELECT username, name FROM user_account WHERE client_id IN ($1, 0) AND username = ANY($2::text[]) ORDER BY client_id',
      [id, usernames],
    ),
  )
  const names = new Map(rows.map((u) => [u.username, u.name]))
  return (username) => names.get(String(username)) || String(username)
}

/** Whose paper it is, and whose brand stands on it: the reseller's, for a client that one carries, or else the provider's. */
async function brandOf(engine: Engine, record: Sent): Promise<Pick<Furniture, 'client' | 'brand'>> {
  const id = clientOf(record)
  const [row] = await engine.db.tx('system', (tx) =>
    tx.rows<Record<'company' | 'reseller' | 'address1' | 'address2' | 'city' | 'county' | 'postcode', string | null>>(
      'SELECT c.company, c.address1, c.address2, c.city, c.county, c.postcode, r.company AS reseller FROM client c LEFT JOIN client r ON r.id = c.reseller_id WHERE c.id = $1',
      [id],
    ),
  )
  const address = [row?.address1, row?.address2, row?.city, row?.county, row?.postcode].filter(Boolean).join(', ')
  return {
    client: { name: row?.company ?? '', ...(address ? { address } : {}) },
    brand: { name: row?.reseller ?? engine.config.provider },
  }
}

/** The pictures among a record's uploads, as they are shown. One whose bytes are gone is left out. */
async function pictures(engine: Engine, c: Asker, record: Sent): Promise<Picture[]> {
  const ids = ((record.uploadedDocuments as unknown[] | null) ?? []).flatMap(
    (u) => idAtEnd(typeof u === 'string' ? u : (u as Sent | null)?.['@id']) ?? [],
  )
  if (!ids.length || !c.actor) return []
  const files = await engine.db.tx({ clientId: clientOf(record) }, (tx) =>
    tx.rows<{ key: string; name: string; label: string }>(
      `SELECT view_key AS key, name, label FROM uploaded_document WHERE id = ANY($1::bigint[]) AND view_key IS NOT NULL AND NOT retired ORDER BY id LIMIT ${MOST_PICTURES}`,
      [ids],
    ),
  )
  const store = await storeOf(engine.config)
  const read = await Promise.all(
    files.map(async ({ key, name, label }) => {
      const bytes = await store
        .get(key)
        .then(buffer)
        .catch(() => undefined)
      const caption = label || name
      return bytes ? [{ base64: bytes.toString('base64'), alt: caption, caption }] : []
    }),
  )
  return read.flat()
}

const MOST_PICTURES = 24

/** `GET {document}/pdf`: opens in the browser. */
export const pdfRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/pdf`,
  title: `A ${kind.noun} as a PDF file`,
  allow: READERS,
  bytes: true,
  handle: async (c) => {
    const id = readId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const { pdf, fileName } = await print(c.engine, kind, c, id)
    return new RouteAnswer(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': disposition(fileName, { type: 'inline' }),
    })
  },
})

/** The records that the query asks to be printed with the document. */
async function besides(engine: Engine, kind: DocumentKind, c: Asker): Promise<Record<string, Sent>> {
  const found: Record<string, Sent> = {}
  for (const [name, r] of Object.entries(kind.pdf.beside?.() ?? {})) {
    const id = readId(c.query[name])
    if (id !== undefined) found[name] = await engine.one(r, c.actor, id)
  }
  return found
}
