import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toPrintableSignatureDrawing } from '#kernel/signature.ts'
import { toText } from '#kernel/text.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { findPictures, type PictureReference, type StoredPicture } from '#modules/portal/files/versions.server.ts'
import { type Letterhead, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Engine } from '#server/engine/types.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'
import { employerOf } from '../signing/hand-words.ts'
import { readCarriedForwardSignatures, readSignatureDrawings } from '../signing/signing.server.ts'
import {
  CARRY_FORWARD_REASON_LABELS,
  type CarriedForwardSignature,
  canCarryForward,
  carriedForwardText,
} from '../signoff/carried-signatures.ts'
import { signature } from '../types/document.ts'
import { wasInForce } from '../types/in-force.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { DOCUMENT_STATUS_LABELS, toDocumentStatus } from '../types/transitions.ts'
import { documentUploads } from '../types/upload-fields.ts'

/**
 * Material that a print takes from outside the document. The material is stored with the first PDF of a sealed revision
 * and reused later, so that prints stay the same after a company, picture or industry is renamed.
 */
export interface PrintMaterial {
  readonly letterhead: Letterhead
  readonly pictures: readonly StoredPicture[]
  readonly industry: string
  /** People's names by username. */
  readonly names: Readonly<Record<string, string>>
}

/**
 * Returns the external material for a document's print. If stored material is given, reuses it and loads only the names
 * that it lacks. Otherwise loads the current material.
 */
export async function gatherPrintMaterial(
  engine: Engine,
  kind: DocumentKind,
  clientId: number,
  record: DocumentRecord,
  usernames: readonly string[],
  kept?: PrintMaterial,
): Promise<PrintMaterial> {
  const unknown = [...new Set(usernames)].filter((name) => kept?.names[name] === undefined)
  const found = unknown.length ? await readUserNames(engine, clientId, unknown) : new Map<string, string>()
  const names = { ...Object.fromEntries(found), ...kept?.names }
  if (kept) return { ...kept, names }
  return {
    letterhead: await readLetterhead(engine, clientId),
    pictures: await findPictures(engine, clientId, picturesOf(kind, record)),
    industry: nameIn(record.industry),
    names,
  }
}

/** Returns a record's uploads, in order and without duplicates, with the captions in the record. */
function picturesOf(kind: DocumentKind, record: DocumentRecord): PictureReference[] {
  const all = documentUploads(kind, record).flatMap(({ '@id': iri, label }) => {
    const id = idFromAnyIri(iri)
    return id === undefined ? [] : [[id, { id, label }] as const]
  })
  return [...new Map(all).values()]
}

const nameIn = (embedded: unknown): string =>
  embedded !== null && typeof embedded === 'object' && 'name' in embedded ? toText(embedded.name) : ''

type SignatureRecord = RecordOf<typeof signature>
export type NameLookup = (username: string | null) => string

/** A revision's events for the print. Edits are not printed. */
export interface PrintedHistory {
  /** The revision and the earlier revisions that were in force, newest first. */
  readonly history: readonly DocumentRecord[]
  readonly signatures: readonly SignatureRecord[]
  /** Signatures carried forward from earlier revisions; their drawings stay with the signed revision. */
  readonly carried: readonly CarriedForwardSignature[]
  /** Signature drawings by signature ID. */
  readonly ink: ReadonlyMap<number, unknown>
}

const PAGE = 500

/** Loads all events of a revision that the actor may see. */
export async function readPrintedHistory(
  engine: Engine,
  actor: Actor | undefined,
  kind: DocumentKind,
  record: DocumentRecord,
): Promise<PrintedHistory> {
  const { documentNumber, revision } = record
  const clientId = idFromAnyIri(record.client) ?? PROVIDER_CLIENT_ID
  const [revisions, signatures, carried] = await Promise.all([
    readAll((page) =>
      engine.list(kind.resource, actor, { documentNumber, 'order[revision]': 'desc' }, page).then((l) => l.members),
    ),
    readAll((page) => engine.list(signature, actor, { document: `${record.id}` }, page).then((l) => l.members)),
    canCarryForward(kind, record) ? readCarriedForwardSignatures(engine, clientId, record.id) : [],
  ])
  const history = revisions.filter(
    (h) => h.client === record.client && h.revision <= revision && (h.id === record.id || wasInForce(h)),
  )
  const ink = actor ? await readSignatureDrawings(engine, actor, clientId, signatures) : new Map<number, unknown>()
  return { history, signatures, carried, ink }
}

async function readAll<T>(read: (page: { limit: number; offset: number }) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const page = await read({ limit: PAGE, offset: all.length })
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

/** Returns the usernames of all people named in the print. */
export const usernamesInHistory = ({ history }: PrintedHistory): string[] =>
  history.flatMap((r) => [r.author, r.completedBy, r.authorUsername, r.endedBy].filter((name) => name !== null))

export const buildHistoryTemplateInput = (
  { history, signatures, carried, ink }: PrintedHistory,
  kind: DocumentKind,
  nameOf: NameLookup,
): Pick<DocumentFrame, 'signatures' | 'history'> => ({
  signatures: [
    ...signatures.map((s) => printedSignature(s, ink.get(s.id))),
    ...carried.map((s) => ({
      name: s.name,
      at: s.signedAt,
      method: s.method,
      carriedFrom: s.revision,
      carriedTo: s.carriedTo,
      carriedWhy: CARRY_FORWARD_REASON_LABELS[s.why],
      ...(s.statement ? { statement: s.statement } : {}),
    })),
  ],
  history: history.map((h) => ({
    revision: h.revision,
    state: DOCUMENT_STATUS_LABELS[toDocumentStatus(h)],
    on: h.completedAt ?? h.createdAt,
    by: nameOf(h.completedBy ?? h.author),
    ...(h.endedBy && h.endedAt ? { ended: { by: nameOf(h.endedBy), on: h.endedAt } } : {}),
    ...(h.decisionNote ? { note: h.decisionNote } : {}),
    ...(h.carried > 0 ? { carried: carriedForwardText(kind, h.carried) } : {}),
  })),
})

const printedSignature = (s: SignatureRecord, ink: unknown): DocumentFrame['signatures'][number] => ({
  name: s.name,
  at: s.signedAt,
  method: s.method,
  ...(s.byName ? { by: s.byName } : {}),
  ...(s.visitor ? { visitor: true } : {}),
  ...(s.byLink ? { byLink: true, employer: employerOf(s) } : {}),
  ...(s.statement ? { statement: s.statement } : {}),
  ...toPrintableSignatureDrawing(ink),
})
