import { choice, date, email, instant, integer, link, longText, strings, text, typedJson } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_PART_ACCESS_RULES } from '../rights.ts'
import { document, type OpenedPart } from '../types/document.ts'

/** Latest e-mail with a link, with its delivery status as in `EmailDelivery`. */
interface LinkDelivery {
  readonly recipient: string
  readonly state: string
  readonly error: string | null
}

/** Subject of the e-mails with a link, without the ID of the link. */
const MAIL_SUBJECT = '/api/safety/pack_links/'

export const PACK_DECISIONS = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'accepted with comments', label: 'Accepted with comments' },
  { value: 'rejected', label: 'Rejected' },
] as const

export type PackDecision = (typeof PACK_DECISIONS)[number]['value']

/** Answer of the holder of a link, with the documents that were opened to their end. */
export interface GivenPackAnswer {
  readonly decision: PackDecision
  readonly name: string
  readonly company: string
  readonly position: string
  readonly comment: string
  readonly opened: readonly OpenedPart[]
}

const hidden = { readonly: true, visible: 'nobody', notNull: true } as const

/**
 * A link that lets someone outside the company read the pack of one document without signing in. Stores the recipient,
 * expiry and number of openings. Each opening is recorded in the audit trail.
 */
export const packLink = resource({
  type: 'PackLink',
  service: 'safety',
  path: 'pack_links',
  table: 'pack_link',
  tenant: 'own',
  title: 'called',
  order: ['-id'],
  emails: 'id',
  fields: {
    document: link(() => document, { readonly: true, notNull: true, filter: true }),
    called: text({
      required: 'Please enter the recipient',
      max: 200,
      editable: 'nobody',
      label: 'Recipient',
    }),
    /** Last day of validity. */
    until: date({ required: 'Please enter the expiry date', editable: 'nobody', label: 'Expires on' }),
    /** Recipient of the e-mail with the link: name, company and address. Empty if the author passes the link on. */
    person: text({ readonly: true, notNull: true, default: '' }),
    company: text({ readonly: true, notNull: true, default: '' }),
    email: email({ readonly: true, notNull: true, default: '' }),
    message: longText({ readonly: true, notNull: true, default: '' }),
    /** Time at which the e-mail was last requested. */
    emailedAt: instant({ readonly: true }),
    /** Latest e-mail with this link; null if none has been queued yet. */
    delivery: typedJson<LinkDelivery | null>()({
      readonly: true,
      sql: `(SELECT jsonb_build_object('recipient', m.recipient, 'state', m.state, 'error', m.error) FROM message m
        WHERE m.client_id = t.client_id AND m.about = '${MAIL_SUBJECT}' || t.id AND t.email <> '' AND NOT m.incoming ORDER BY m.id DESC LIMIT 1)`,
    }),
    withdrawnAt: instant({ readonly: true }),
    opened: integer({ readonly: true, notNull: true, default: 0 }),
    openedAt: instant({ readonly: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    hash: text(hidden),
    /** Hashes of the secrets in the latest e-mails; each e-mail has its own. */
    hashes: strings(hidden),
  },
  allow: { read: DOCUMENT_AUTHOR_ROLES, rows: DOCUMENT_PART_ACCESS_RULES },
  pack: 'safety',
  actions: {
    withdraw: { path: 'withdraw', title: 'Withdraw link', allow: DOCUMENT_AUTHOR_ROLES, input: {} },
    emailAgain: { path: 'send-again', title: 'E-mail the link again', allow: DOCUMENT_AUTHOR_ROLES, input: {} },
    open: { path: 'open', title: 'Open link', allow: 'nobody', input: {} },
    answer: {
      path: 'answer',
      title: 'Answer with the link',
      allow: 'nobody',
      input: { given: typedJson<GivenPackAnswer>()({ required: true }) },
    },
  },
})

/**
 * Answer of a recipient who has read a pack by its link, sealed in the audit chain. An answer never changes; a later
 * answer by the same link replaces it.
 */
export const packAnswer = resource({
  type: 'PackAnswer',
  service: 'safety',
  path: 'pack_answers',
  table: 'pack_answer',
  appendOnly: true,
  tenant: 'own',
  title: 'company',
  order: ['-place'],
  fields: {
    document: link(() => document, {
      readonly: true,
      notNull: true,
      filter: true,
      embed: ['documentNumber', 'title', 'kind'],
    }),
    link: link(() => packLink, { column: 'link_id', readonly: true, notNull: true, filter: true }),
    /** Position among the revision's answers, starting at 1. */
    place: integer({ readonly: true, notNull: true, order: true }),
    decision: choice(PACK_DECISIONS, { readonly: true, notNull: true }),
    name: text({ readonly: true, notNull: true }),
    company: text({ readonly: true, notNull: true }),
    position: text({ readonly: true, notNull: true }),
    comment: longText({ readonly: true, notNull: true }),
    /** Revision that was read, and the SHA-256 of its sealed content in hexadecimal. */
    revision: integer({ readonly: true, notNull: true }),
    digest: text({ readonly: true, notNull: true }),
    /** Documents and files that were opened to their end before answering. */
    opened: typedJson<readonly OpenedPart[]>()({ readonly: true, notNull: true, default: [] }),
    answeredAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_AUTHOR_ROLES, rows: DOCUMENT_PART_ACCESS_RULES },
  pack: 'safety',
})

/** Answer as shown to the holder of the link by which it was given. */
export type OwnPackAnswer = Pick<
  RecordOf<typeof packAnswer>,
  'decision' | 'name' | 'company' | 'position' | 'comment' | 'revision' | 'answeredAt'
>

export const MAX_ANSWER_COMMENT_LENGTH = 2000

/** Recipient of an e-mailed pack. */
export interface PackRecipient {
  readonly name: string
  readonly company: string
  readonly email: string
}

/** Number of days for which a link is valid unless its author chooses another date. */
export const LINK_DAYS = 30
export const MAX_PACK_RECIPIENTS = 20
/** Maximum lengths in characters of what people are called beside a link. */
export const MAX_LINK_TEXT_LENGTHS = { name: 90, company: 100, position: 100 } as const

/** A part of a pack, as shown to the holder of a link to the pack. */
export interface SharedPackPart {
  readonly number: string
  readonly title: string
  readonly notes: string
  /** True if a newer revision is in force. */
  readonly replaced: boolean
}

export interface SharedPack {
  readonly '@id': string
  readonly '@type': 'SharedPack'
  readonly company: string
  readonly logo: string | null
  /** Reason why the pack can't be read; empty if it can. */
  readonly sentence: string
  /** Number and revision that replaced the pack, if it is shared with the same recipient. */
  readonly newer?: { readonly number: string; readonly revision: number }
  /** Undefined if the pack can't be read. */
  readonly pack?: {
    readonly number: string
    readonly revision: number
    readonly title: string
    /** ISO 8601 instant. */
    readonly approvedAt: string | null
    /** Last day of validity, such as `2026-03-12`. */
    readonly until: string
    /** Number of signatures; the names are in the file. */
    readonly signatures: number
    readonly papers: readonly SharedPackPart[]
    /** Type and ID of the pack's own document. */
    readonly kind: string
    readonly id: number
    /** Recipient as entered by the company; empty if the link was not e-mailed. */
    readonly recipient: { readonly name: string; readonly company: string }
    /** Answers given by this link, latest first. */
    readonly answers: readonly OwnPackAnswer[]
  }
}
