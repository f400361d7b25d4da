import { date, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { AUTHORS, SEEN_WITH } from '../rights.ts'
import { document } from '../types/document.ts'

/**
 * A link by which somebody outside reads the pack of one document without signing in: whom it was made for, until when it opens, and how
 * often it was opened. Each opening is in the trail.
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
    called: text({ required: 'Please say whom the link is for', max: 200, editable: 'nobody', label: 'For whom' }),
    /** The last day on which it opens. */
    until: date({ required: 'Please say until when the link opens', editable: 'nobody', label: 'Opens until' }),
    withdrawnAt: instant({ readonly: true }),
    opened: integer({ readonly: true, notNull: true, default: 0 }),
    openedAt: instant({ readonly: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    hash: text({ readonly: true, visible: 'nobody', notNull: true }),
  },
  allow: { read: AUTHORS, rows: SEEN_WITH },
  pack: 'safety',
  actions: {
    withdraw: { path: 'withdraw', title: 'Withdraw the link', allow: AUTHORS, input: {} },
    open: { path: 'open', title: 'Somebody opens it', allow: 'nobody', input: {} },
  },
})

/** What stands in a pack, as the holder of its link is told. */
export interface SharedPaper {
  readonly number: string
  readonly title: string
  readonly notes: string
  /** A newer revision of it is in force by now. */
  readonly replaced: boolean
}

/** What the holder of a link is shown. */
export interface SharedPack {
  readonly '@id': string
  readonly '@type': 'SharedPack'
  readonly company: string
  /** The address of the company's logo. */
  readonly logo: string | null
  /** What keeps it from being read; empty where it can be. */
  readonly sentence: string
  /** Left out where it can't be read. */
  readonly pack?: {
    readonly number: string
    readonly revision: number
    readonly title: string
    /** ISO 8601 instant. */
    readonly approvedAt: string | null
    /** The last day on which the link opens: `2026-03-12`. */
    readonly until: string
    /** How many signatures stand under it; whose they are is in the file. */
    readonly signatures: number
    readonly papers: readonly SharedPaper[]
  }
}
