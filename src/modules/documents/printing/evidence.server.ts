import { idAtEnd } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { printableDrawing } from '#kernel/signature.ts'
import type { Engine } from '#server/engine/types.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'
import { readSignatureDrawings } from '../signing/ink.server.ts'
import { readCarriedSignatures } from '../signing/signing.server.ts'
import {
  CARRIED_REASON_LABELS,
  type CarriedSignature,
  canCarryForward,
  carriedForwardText,
} from '../signoff/carried.ts'
import { signature } from '../types/document.ts'
import { wasInForce } from '../types/in-force.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { DOCUMENT_STATUS_LABELS, documentStatusOf } from '../types/transitions.ts'

type SignatureRecord = RecordOf<typeof signature>
export type NameLookup = (username: string | null) => string

/** A revision's printed events, which exclude editing. */
export interface PrintedHistory {
  /** The revision and those previously in force, newest first. */
  readonly history: readonly DocumentRecord[]
  readonly signatures: readonly SignatureRecord[]
  /** Signatures carried forward from earlier revisions; their drawings stay with the signed revision. */
  readonly carried: readonly CarriedSignature[]
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
  const clientId = idAtEnd(record.client) ?? PROVIDER
  const [revisions, signatures, carried] = await Promise.all([
    readAll((page) =>
      engine.list(kind.resource, actor, { documentNumber, 'order[revision]': 'desc' }, page).then((l) => l.members),
    ),
    readAll((page) => engine.list(signature, actor, { document: `${record.id}` }, page).then((l) => l.members)),
    canCarryForward(kind, record) ? readCarriedSignatures(engine, clientId, record.id) : [],
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

/** Usernames of all people named in the print. */
export const usernamesIn = ({ history }: PrintedHistory): string[] =>
  history.flatMap((r) => [r.author, r.completedBy, r.authorUsername, r.endedBy].filter((name) => name !== null))

export const historyTemplateInput = (
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
      carriedWhy: CARRIED_REASON_LABELS[s.why],
      ...(s.statement ? { statement: s.statement } : {}),
    })),
  ],
  history: history.map((h) => ({
    revision: h.revision,
    state: DOCUMENT_STATUS_LABELS[documentStatusOf(h)],
    on: h.completedAt ?? h.createdAt,
    by: withUsername(h.completedBy ?? h.author, nameOf),
    ...(h.endedBy && h.endedAt ? { ended: { by: withUsername(h.endedBy, nameOf), on: h.endedAt } } : {}),
    ...(h.decisionNote ? { note: h.decisionNote } : {}),
    ...(h.carried > 0 ? { carried: carriedForwardText(kind, h.carried) } : {}),
  })),
})

/** A name with the username that the audit chain contains: names change, usernames don't. */
function withUsername(username: string, nameOf: NameLookup): string {
  const name = nameOf(username)
  return name === username ? name : `${name} (${username})`
}

const printedSignature = (s: SignatureRecord, ink: unknown): DocumentFrame['signatures'][number] => ({
  name: s.name,
  at: s.signedAt,
  method: s.method,
  ...(s.byName ? { by: s.byName } : {}),
  ...(s.visitor ? { visitor: true } : {}),
  ...(s.statement ? { statement: s.statement } : {}),
  ...printableDrawing(ink),
})
