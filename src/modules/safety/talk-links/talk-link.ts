import { integer, link } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { posterLinkFields } from '#modules/documents/signing-links/signing-link.ts'
import { presentedTalk } from '../talks/toolbox-talk.ts'

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
    ...posterLinkFields,
    /** Number of signatures given with the link. */
    signed: integer({ readonly: true, notNull: true, default: 0 }),
  },
  allow: { read: 'nobody' },
  pack: 'safety',
  actions: {
    open: { path: 'open', title: 'Open link', allow: 'nobody', input: {} },
  },
})

/** Number of days after its day of creation on which a link still works. */
export const TALK_LINK_DAYS = 1

/** Talk as shown to the holder of its link. */
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
    /** Key for which a listed person with an account seals their signing PIN, in hexadecimal; null if none is required. */
    readonly pinKey: string | null
  }
}
