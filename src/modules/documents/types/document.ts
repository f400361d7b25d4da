import { choice, date, flag, instant, integer, json, link, longText, strings, text, typedJson } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { MAX_SIGNATURE_POINTS } from '#kernel/signature.ts'
import type { FoundPart } from '#kernel/text.ts'
import { client } from '#modules/portal/clients/client.ts'
import {
  ANY_DOCUMENT_AUTHOR_ROLES,
  ANY_DOCUMENT_READER_ROLES,
  AUDIT_CHAIN_ACCESS_RULES,
  AUTHORED_DOCUMENT_PART_ACCESS_RULES,
  DOCUMENT_ACCESS_RULES,
  DOCUMENT_PACKS,
  DOCUMENT_PART_ACCESS_RULES,
  SIGNATURE_DRAWING_READER_ROLES,
  SIGNING_ACCESS_RULE,
  TEMPLATE_MANAGER_ROLES,
  typeAccessFields,
} from '../rights.ts'

import { DOCUMENT_STATE_OPTIONS } from './transitions.ts'

/**
 * Change category of a revision, set by author and approver: after a material change everyone signs again; a minor
 * change (spelling, phone number) carries signatures forward.
 */
export type ChangeCategory = 'material' | 'minor'

export const CHANGE_CATEGORIES = [
  { value: 'material', label: 'Material: everyone signs again' },
  { value: 'minor', label: 'Minor: signatures are carried forward' },
] as const

/** Change categories for a bundle that is signed document by document. */
const BY_PAPER_OPTIONS = [
  { value: 'material', label: 'Material: everyone signs again if the pack’s own text has changed' },
  { value: 'minor', label: 'Minor: only readers of changed documents sign again' },
] as const

export const getChangeCategories = ({ byPaper }: { readonly byPaper?: true }) =>
  byPaper ? BY_PAPER_OPTIONS : CHANGE_CATEGORIES

/**
 * For the revision in force: the number of people asked to sign, the number of those who have not signed, the number of
 * signatures carried forward, and whether signatures are awaited.
 */
export const signOffCountFields = {
  asked: integer({ readonly: true, notNull: true, column: 'asked_count' }),
  missing: integer({ readonly: true, notNull: true, column: 'missing_count' }),
  carried: integer({ readonly: true, notNull: true, column: 'carried_count' }),
  waiting: flag({ readonly: true, filter: true, column: 'waits_for_signatures', label: 'Awaiting signatures' }),
} as const

/**
 * Lock on a document's number (or on its type, if a client has only one document in force). It is taken before any
 * revision is locked, because a change to the revision in force affects other revisions with the same number.
 */
export const DOCUMENT_NUMBER_LOCK = { call: 'number_held', of: ['client_id', 'kind', 'number', 'per_client'] } as const

export const signatureCountField = integer({
  readonly: true,
  notNull: true,
  countOf: { of: (): Resource => signature, by: 'document', place: 'place' },
})

export const foundField = typedJson<FoundPart | null>()({
  readonly: true,
  label: 'Found in',
  help: 'Where the text of `q` occurs, if not in the number or title alone. Only in lists.',
  sql: 'document_found(t.client_id, t.id, {search}, {reader})',
})

/** A controlled document of any type, as used by signatures and the audit chain. */
export const document = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  wordsIn: 'document_words',
  lockFirst: DOCUMENT_NUMBER_LOCK,
  tenant: 'own or template',
  title: 'title',
  order: ['-id'],
  fields: {
    kind: text({ readonly: true, notNull: true, filter: true }),
    ...typeAccessFields,
    documentNumber: text({ column: 'number', readonly: true, notNull: true, filter: true, order: true, search: true }),
    revision: integer({ readonly: true, notNull: true, filter: true }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    title: text({ readonly: true, filter: 'partial', order: true, search: true }),
    state: choice(DOCUMENT_STATE_OPTIONS, { readonly: true, notNull: true, filter: true }),
    current: flag({ readonly: true, filter: true }),
    retired: flag({ readonly: true, filter: true }),
    deleted: flag({ readonly: true, filter: true }),
    approved: flag({ readonly: true }),
    isTemplate: flag({ readonly: true, filter: true }),
    audience: strings({ readonly: true, notNull: true }),
    /** Site; empty in types that have none. */
    location: text({ inJson: 'content', readonly: true, label: 'Site' }),
    author: text({ person: true, readonly: true, notNull: true, filter: true, search: true }),
    updatedAt: instant({ readonly: true, notNull: true, order: true, filter: true }),
    completedAt: instant({ readonly: true }),
    completedBy: text({ person: true, readonly: true }),
    approvedAt: instant({ readonly: true }),
    authorUsername: text({ person: true, readonly: true, column: 'approved_by', label: 'Approved by' }),
    endedBy: text({ person: true, readonly: true }),
    endedAt: instant({ readonly: true }),
    reviewDue: date({ readonly: true, order: true, filter: true }),
    reviewAsked: longText({ readonly: true, label: 'Reason for review' }),
    decisionNote: text({ readonly: true }),
    change: choice(CHANGE_CATEGORIES, { readonly: true }),
    signatures: signatureCountField,
    ...signOffCountFields,
    seal: text({ readonly: true }),
    found: foundField,
  },
  allow: {
    read: ANY_DOCUMENT_READER_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
    resellerCounts: 'ROLE_RESELLER',
    rows: DOCUMENT_ACCESS_RULES,
  },
  pack: DOCUMENT_PACKS,
})

/** Signing methods: drawn by finger, typed, or on behalf. */
export const SIGNING_METHODS = ['finger', 'typed', 'on behalf'] as const

/**
 * Fields of a signature on a revision or an attendance list: the signatory and the person who gave the signature. The
 * drawing is visible to authors, approvers and the person who drew it.
 */
export const signingFields = {
  /** `{width, height, strokes: [[[x, y], …], …]}` with x and y from 0 to 1. */
  strokes: json({
    max: MAX_SIGNATURE_POINTS,
    confidential: SIGNATURE_DRAWING_READER_ROLES,
    owner: 'signer',
    editable: ANY_DOCUMENT_READER_ROLES,
    label: 'Drawn signature',
  }),
  /** Account of the signatory; null for a visitor. */
  user: integer({ editable: 'nobody', column: 'user_id', filter: true }),
  /**
   * Account with which the signature was given: the signatory's own or, for a signature on behalf or on another person's
   * device, that person's.
   */
  signer: integer({ editable: 'nobody', column: 'signer_id' }),
  /** Name of the person who signed on behalf, or on whose device another person signed. */
  byName: text({ editable: 'nobody', label: 'Signed by' }),
} as const

/** Question about a document that was answered before signing. */
export interface AnsweredQuestion {
  readonly question: string
  readonly options: readonly string[]
  /** Options in the order in which they were chosen. The last one is right, all others are wrong. */
  readonly chosen: readonly string[]
}

/** Part that was opened to its end on the device before signing. */
export interface OpenedPart {
  /** IRI of the document or file. */
  readonly part: string
  readonly name: string
  /**
   * Seconds for which the part was on the screen, as reported by the device: at most the time since the document was
   * completed or, by link, since the link was created.
   */
  readonly seconds: number
}

/** A person's signature of an exact revision. It never changes; a new revision needs a new signature. */
export const signature = resource({
  type: 'Signature',
  service: 'safety',
  path: 'signatures',
  table: 'signature',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  unpaginated: true,
  fields: {
    document: link((): Resource => document, { required: true, filter: true }),
    /** Position among the revision's signatures, starting at 1. */
    place: integer({ readonly: true, notNull: true }),
    name: text({ default: '', help: 'Defaults to the signatory’s own name.' }),
    method: choice(SIGNING_METHODS, { required: true }),
    ...signingFields,
    /** True for a person without an account who signed on another person's device. */
    visitor: flag(),
    /** True if the signatory used a link, without signing in. Such a signature is never that of an account. */
    byLink: flag({ editable: 'nobody', filter: true }),
    /** Company and trade of a person who signed by link; empty for anybody else. */
    company: text({ editable: 'nobody', default: '', max: 100 }),
    trade: text({ editable: 'nobody', default: '', max: 100 }),
    statement: text({ default: '', max: 500 }),
    /** Documents and files that were opened to their end on the device before signing. */
    opened: typedJson<readonly OpenedPart[]>()({ default: [] }),
    /** Questions about the document that were answered before signing, if a request asked for proof of reading. */
    questions: typedJson<readonly AnsweredQuestion[]>()({ default: [] }),
    /** True if the signatory's own account gave the signature. */
    mine: flag({ readonly: true }),
    /** True for an account's repeated signature from before repeated signatures were prevented. */
    again: flag({ readonly: true, visible: 'nobody' }),
    author: text({ readonly: true, stamp: 'author' }),
    seal: text({ readonly: true }),
    signedAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: {
    read: ANY_DOCUMENT_READER_ROLES,
    create: ANY_DOCUMENT_READER_ROLES,
    rows: [...DOCUMENT_PART_ACCESS_RULES, SIGNING_ACCESS_RULE],
  },
  pack: DOCUMENT_PACKS,
})

/** An entry of the client's audit chain. */
export const seal = resource({
  type: 'Seal',
  service: 'safety',
  path: 'seals',
  table: 'seal',
  appendOnly: true,
  tenant: 'own',
  order: ['-place'],
  fields: {
    place: integer({ readonly: true, order: true }),
    event: text({ readonly: true, filter: true }),
    /** Resource type and ID of the subject. */
    subjectType: text({ readonly: true, filter: true }),
    subjectId: integer({ readonly: true, filter: true }),
    /** The subject, if it is a document. */
    document: link(() => document, { readonly: true, filter: true }),
    digest: text({ readonly: true }),
    previous: text({ readonly: true }),
    hash: text({ readonly: true }),
    createdAt: instant({ column: 'at', readonly: true }),
    author: text({ column: 'by', readonly: true }),
  },
  allow: { read: ANY_DOCUMENT_AUTHOR_ROLES, rows: AUDIT_CHAIN_ACCESS_RULES },
  pack: DOCUMENT_PACKS,
})

const inside = { readonly: true, visible: 'nobody' } as const

/**
 * A stored PDF of a sealed revision, with its checksum in the client's audit chain. Each event of the revision has its
 * own PDF.
 */
export const documentPrint = resource({
  type: 'DocumentPrint',
  service: 'safety',
  path: 'document_prints',
  table: 'document_print',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    document: link(() => document, { readonly: true, filter: true }),
    /** SHA-256 of the file in hexadecimal. */
    checksum: text({ readonly: true, filter: true }),
    bytes: integer({ readonly: true }),
    createdAt: instant({ column: 'at', readonly: true }),
    stands: integer(inside),
    material: json(inside),
    fileKey: text(inside),
  },
  allow: { read: ANY_DOCUMENT_AUTHOR_ROLES, rows: AUTHORED_DOCUMENT_PART_ACCESS_RULES },
  pack: DOCUMENT_PACKS,
})

/** Subject of the e-mails with a PDF: the log entries of everything sent in it. */
export const documentSendingMailSubject = (checksum: string): string =>
  `/api/safety/document_sendings?checksum=${checksum}`

/**
 * Log entry for a sent document, with the sender and time. The document was sent either by e-mail or in response to a
 * company's request; for a request, the company's name is stored. Each entry is also added to the audit chain.
 */
export const documentSending = resource({
  type: 'DocumentSending',
  service: 'safety',
  path: 'document_sendings',
  table: 'document_sending',
  tenant: 'own',
  appendOnly: true,
  order: ['-id'],
  emails: 'checksum',
  fields: {
    document: link(() => document, { readonly: true, notNull: true, filter: true }),
    addresses: strings({ readonly: true, notNull: true }),
    message: longText({ readonly: true, notNull: true }),
    /** SHA-256 of the sent PDF in hexadecimal. */
    checksum: text({ readonly: true, notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    sentAt: instant({ readonly: true, notNull: true, order: true }),
    /** Latest e-mail to each address, with its delivery status; empty for the answer to a request. */
    emails: typedJson<
      readonly { readonly recipient: string; readonly state: string; readonly error: string | null }[]
    >()({
      readonly: true,
      notNull: true,
      sql: `(SELECT coalesce(jsonb_agg(jsonb_build_object('recipient', l.recipient, 'state', l.state, 'error', l.error) ORDER BY l.id), '[]')
        FROM (SELECT DISTINCT ON (m.recipient) m.id, m.recipient, m.state, m.error FROM message m
          WHERE m.client_id = t.client_id AND m.about = '${documentSendingMailSubject('')}' || t.checksum AND m.about <> '' AND NOT m.incoming AND m.recipient = ANY (t.addresses)
          ORDER BY m.recipient, m.id DESC) l)`,
    }),
  },
  allow: { read: ANY_DOCUMENT_AUTHOR_ROLES, rows: AUTHORED_DOCUMENT_PART_ACCESS_RULES },
  pack: DOCUMENT_PACKS,
})
