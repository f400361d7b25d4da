import { date, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { presentedTalk } from '../talks/toolbox-talk.ts'

const hidden = { readonly: true, visible: 'nobody', notNull: true } as const

/**
 * Link by which people without an account read a presented talk and sign for it on their own device. Internal to the
 * portal.
 */
export const talkLink = resource({
  type: 'TalkLink',
  service: 'safety',
  path: 'talk_links',
  table: 'talk_link',
  tenant: 'own',
  order: ['-id'],
  fields: {
    presented: link(() => presentedTalk, { readonly: true, notNull: true, filter: true }),
    hash: text(hidden),
    /** The encrypted secret, so that the QR code can be shown again. */
    sealed: text(hidden),
    /** Last day of validity. */
    until: date({ readonly: true, notNull: true }),
    withdrawnAt: instant({ readonly: true }),
    opened: integer({ readonly: true, notNull: true, default: 0 }),
    /** Number of signatures given with the link. */
    signed: integer({ readonly: true, notNull: true, default: 0 }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
  },
  allow: { read: 'nobody' },
  pack: 'safety',
  actions: {
    open: { path: 'open', title: 'Open link', allow: 'nobody', input: {} },
  },
})

/** Maximum number of signatures with one link. */
export const MAX_LINK_SIGNATURES = 100
/** Number of days after its day of creation on which a link still works. */
export const TALK_LINK_DAYS = 1

/** Link as the person who manages the record sees it. */
export interface TalkLinkState {
  readonly '@id': string
  readonly '@type': 'TalkLink'
  /** Null if there is no link that works. */
  readonly link: {
    readonly address: string
    /** Last day of validity, such as `2026-03-12`. */
    readonly until: string
    readonly signed: number
    readonly maxSignatures: number
  } | null
}

/** Talk as the holder of its link sees it. */
export interface SharedTalk {
  readonly '@id': string
  readonly '@type': 'SharedTalk'
  readonly company: string
  readonly logo: string | null
  /** Reason why the talk can't be signed with this link; empty if it can. */
  readonly sentence: string
  /** Undefined if the talk can't be signed with this link. */
  readonly talk?: {
    /** ID of the talk's document. */
    readonly id: number
    readonly title: string
    readonly presenter: string
    readonly date: string
    readonly until: string
    /** People on the list who have neither signed nor been marked absent. */
    readonly people: readonly { readonly id: number; readonly name: string }[]
  }
}
