import { date, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_PART_ACCESS_RULES } from '../rights.ts'
import { document } from '../types/document.ts'

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
    withdrawnAt: instant({ readonly: true }),
    opened: integer({ readonly: true, notNull: true, default: 0 }),
    openedAt: instant({ readonly: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    hash: text({ readonly: true, visible: 'nobody', notNull: true }),
  },
  allow: { read: DOCUMENT_AUTHOR_ROLES, rows: DOCUMENT_PART_ACCESS_RULES },
  pack: 'safety',
  actions: {
    withdraw: { path: 'withdraw', title: 'Withdraw link', allow: DOCUMENT_AUTHOR_ROLES, input: {} },
    open: { path: 'open', title: 'Open link', allow: 'nobody', input: {} },
  },
})

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
  }
}
