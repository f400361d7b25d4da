import { choice, date, flag, instant, integer, json, link, longText, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { POINTS } from '#kernel/signature.ts'
import { client } from '#modules/portal/clients/client.ts'
import { AUTHORS, INK, KEEPERS, READERS, SEEN, SEEN_IN_CHAIN, SEEN_WITH, SIGNS } from '../rights.ts'
import { askedFields } from './asked-fields.ts'
import { CHANGE_OPTIONS } from './changes.ts'
import { NUMBER_HELD } from './number-held.ts'
import { STATE_OPTIONS } from './states.ts'

/** How many have signed a revision. */
export const signatures = integer({
  readonly: true,
  notNull: true,
  countOf: { of: (): Resource => signature, by: 'document', place: 'place' },
})

/** A controlled document of any kind: what signatures and the chain refer to. */
export const document = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  lockFirst: NUMBER_HELD,
  tenant: 'own or template',
  title: 'title',
  order: ['-id'],
  fields: {
    kind: text({ readonly: true, notNull: true, filter: true }),
    documentNumber: text({ column: 'number', readonly: true, notNull: true, filter: true, order: true, search: true }),
    revision: integer({ readonly: true, notNull: true, filter: true }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    title: text({ readonly: true, filter: 'partial', order: true, search: true }),
    state: choice(STATE_OPTIONS, { readonly: true, notNull: true, filter: true }),
    current: flag({ readonly: true, filter: true }),
    retired: flag({ readonly: true, filter: true }),
    deleted: flag({ readonly: true, filter: true }),
    approved: flag({ readonly: true }),
    isTemplate: flag({ readonly: true, filter: true }),
    audience: strings({ readonly: true, notNull: true }),
    /** Where the work is, of the kinds that say it. */
    location: text({ inJson: 'content', readonly: true, label: 'Site' }),
    author: text({ readonly: true, notNull: true, filter: true, search: true }),
    updatedAt: instant({ readonly: true, notNull: true, order: true, filter: true }),
    completedAt: instant({ readonly: true }),
    completedBy: text({ person: true, readonly: true }),
    approvedAt: instant({ readonly: true }),
    authorUsername: text({ person: true, readonly: true, column: 'approved_by', label: 'Approved by' }),
    endedBy: text({ person: true, readonly: true }),
    endedAt: instant({ readonly: true }),
    reviewDue: date({ readonly: true, order: true, filter: true }),
    reviewAsked: longText({ readonly: true, label: 'Why its review is asked for' }),
    decisionNote: text({ readonly: true }),
    change: choice(CHANGE_OPTIONS, { readonly: true }),
    signatures,
    ...askedFields,
    seal: text({ readonly: true }),
  },
  allow: { read: READERS, allTenants: KEEPERS, resellerCounts: 'ROLE_RESELLER', rows: SEEN },
  pack: 'safety',
})

/** How somebody signed: by finger, by typing the name, or by another's hand. */
export const METHODS = ['finger', 'typed', 'on behalf'] as const

/**
 * How somebody signed, as it stands under a revision and in an attendance: whose it is, and whose hand it was. The drawing is for
 * those who write and approve, and for whoever drew it.
 */
export const handFields = {
  /** `{width, height, strokes: [[[x, y], …], …]}` with x and y from 0 to 1. */
  strokes: json({ max: POINTS, confidential: INK, owner: 'signer', editable: READERS }),
  /** The account whose signature it is; nobody's for a visitor. */
  user: integer({ editable: 'nobody', column: 'user_id', filter: true }),
  /** The account of the hand that signed: the same, or another on behalf. */
  signer: integer({ editable: 'nobody', column: 'signer_id' }),
  /** Who signed on behalf; on whose device a visitor signed. */
  byName: text({ editable: 'nobody', label: 'Signed by' }),
} as const

/** A person's signature under the exact revision. It is never changed; a new revision is signed anew. */
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
    /** Which of the signatures under its revision it is, from 1. */
    place: integer({ readonly: true, notNull: true }),
    name: text({ default: '', help: 'The signer’s own where it is left out.' }),
    method: choice(METHODS, { required: true }),
    ...handFields,
    /** Somebody without an account, on the device of somebody who has one. */
    visitor: flag(),
    statement: text({ default: '', max: 500 }),
    /** Signed by the account whose signature it is. */
    mine: flag({ readonly: true }),
    /** A second one of the same account, from the days when each could sign as often as it liked. */
    again: flag({ readonly: true, visible: 'nobody' }),
    author: text({ readonly: true, stamp: 'author' }),
    seal: text({ readonly: true }),
    signedAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: READERS, create: [...READERS], notWhileImpersonating: ['create'], rows: [...SEEN_WITH, SIGNS] },
  pack: 'safety',
})

/** One link of the client's chain. */
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
    /** What it is about: the type of a resource, and the record. */
    subjectType: text({ readonly: true, filter: true }),
    subjectId: integer({ readonly: true, filter: true }),
    /** The same, where it is about a document. */
    document: link(() => document, { readonly: true, filter: true }),
    digest: text({ readonly: true }),
    previous: text({ readonly: true }),
    hash: text({ readonly: true }),
    createdAt: instant({ column: 'at', readonly: true }),
    author: text({ column: 'by', readonly: true }),
  },
  allow: { read: AUTHORS, rows: SEEN_IN_CHAIN },
  pack: 'safety',
})
