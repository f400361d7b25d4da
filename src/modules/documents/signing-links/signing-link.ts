import { date, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_PACKS } from '../rights.ts'
import { document } from '../types/document.ts'

const hidden = { readonly: true, visible: 'nobody', notNull: true } as const

/** Fields of every link whose QR code can be shown again, so that people without an account sign or answer with it. */
export const posterLinkFields = {
  hash: text(hidden),
  /** The encrypted secret, so that the QR code can be shown again. */
  sealed: text(hidden),
  /** Last day of validity. */
  until: date({ readonly: true, notNull: true }),
  withdrawnAt: instant({ readonly: true }),
  opened: integer({ readonly: true, notNull: true, default: 0 }),
  author: text({ readonly: true, stamp: 'author' }),
  createdAt: instant({ readonly: true }),
} as const

/**
 * Link by which people without an account read the revision in force of a document and sign it on their own device.
 * Internal to the portal.
 */
export const signingLink = resource({
  type: 'SigningLink',
  service: 'safety',
  path: 'signing_links',
  table: 'signing_link',
  tenant: 'own',
  order: ['-id'],
  fields: {
    /** Revision in force when the link was created. */
    document: link(() => document, { readonly: true, notNull: true }),
    kind: text({ readonly: true, notNull: true, filter: true }),
    documentNumber: text({ column: 'number', readonly: true, notNull: true, filter: true }),
    ...posterLinkFields,
    /** Number of signatures given with the link. */
    signed: integer({ readonly: true, notNull: true, default: 0 }),
  },
  allow: { read: 'nobody' },
  pack: DOCUMENT_PACKS,
  actions: {
    open: { path: 'open', title: 'Open link', allow: 'nobody', input: {} },
  },
})

/** Maximum number of signatures with one link. */
export const MAX_LINK_SIGNATURES = 100
/** Number of days after its day of creation on which a link to a document still works: by default, and at most. */
export const SIGNING_LINK_DAYS = { usual: 7, most: 30 } as const

/** Link as the person who manages it sees it. */
export interface SigningLinkState {
  readonly '@id': string
  readonly '@type': string
  /** Null if there is no link that works. */
  readonly link: {
    readonly address: string
    /** Last day of validity, such as `2026-03-12`. */
    readonly until: string
    /** Number of signatures or answers given with the link. */
    readonly signed: number
    /** Null if the link doesn't end by number. */
    readonly maxSignatures: number | null
  } | null
}

/** Returns the number of signatures given with a link. */
export const signaturesByLink = ({ signed, maxSignatures }: NonNullable<SigningLinkState['link']>): string =>
  `Signatures with this link: ${signed} of ${maxSignatures}.`

/** Document as the holder of its signing link sees it. */
export interface SharedDocument {
  readonly '@id': string
  readonly '@type': 'SharedDocument'
  readonly company: string
  readonly logo: string | null
  /** Reason why the document can't be signed with this link; empty if it can. */
  readonly sentence: string
  /** Undefined if the document can't be signed with this link. */
  readonly document?: {
    readonly id: number
    readonly kind: string
    readonly number: string
    readonly revision: number
    readonly title: string
    readonly until: string
  }
}
