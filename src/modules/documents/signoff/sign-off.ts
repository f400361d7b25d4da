import { choice, date, flag, instant, integer, link, strings, text, typedJson } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import {
  ANY_DOCUMENT_AUTHOR_ROLES,
  ANY_DOCUMENT_READER_ROLES,
  AUTHORED_DOCUMENT_PART_ACCESS_RULES,
  DOCUMENT_PACKS,
  DOCUMENT_PART_ACCESS_RULES,
  SIGN_OFF_ACCESS_RULE,
} from '../rights.ts'
import { document } from '../types/document.ts'

/** Returns the label of a role, such as "Site manager" for `ROLE_SITE_MANAGER`. */
export function roleLabel(role: string): string {
  const words = role
    .replace(/^ROLE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const inside = { readonly: true, visible: 'nobody' } as const
/** People by user ID or IRI. */
const people = typedJson<readonly unknown[]>()
const whom = people({ required: 'Please choose at least one person' })

/**
 * A request for signatures under a document number, for the revision in force and later revisions. It asks named
 * accounts, everyone, or holders of a role; groups include people who join later.
 */
export const signOff = resource({
  type: 'SignOff',
  service: 'safety',
  path: 'sign_offs',
  table: 'sign_off',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    /** Revision in force at the time of the request. */
    document: link(() => document, { required: 'Please choose the document', filter: true }),
    people: people({ default: [] }),
    everybody: flag({ label: 'Everyone' }),
    role: text({
      pattern: { regex: /^ROLE_[A-Z_]+$/, message: 'Please choose a role' },
      label: 'Everyone with the role',
    }),
    due: date({ required: 'Please enter a date', order: true, filter: true, label: 'Sign by' }),
    notes: text({ default: '', max: 500, label: 'Note' }),
    /** True if people answer questions about the document before they sign it. */
    proof: flag({ label: 'Proof of reading' }),
    state: choice(['open', 'cancelled'], { readonly: true, default: 'open', filter: true }),
    author: text({ readonly: true, stamp: 'author', filter: true, label: 'Requested by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    /** Number of days in which to sign. People asked later have the same number of days. */
    days: integer({ ...inside, default: 14 }),
    readers: strings({ ...inside, default: [] }),
  },
  allow: {
    read: ANY_DOCUMENT_AUTHOR_ROLES,
    create: ANY_DOCUMENT_AUTHOR_ROLES,
    update: ANY_DOCUMENT_AUTHOR_ROLES,
    rows: AUTHORED_DOCUMENT_PART_ACCESS_RULES,
  },
  pack: DOCUMENT_PACKS,
  actions: {
    remind: {
      path: 'remind',
      title: 'Remind now',
      allow: ANY_DOCUMENT_AUTHOR_ROLES,
      from: ['open'],
      input: { people: whom },
    },
    excuse: {
      path: 'excuse',
      title: 'Excuse',
      allow: ANY_DOCUMENT_AUTHOR_ROLES,
      from: ['open'],
      input: { people: whom, reason: text({ required: 'Please enter a reason', max: 500 }) },
    },
    askAgain: {
      path: 'ask-again',
      title: 'Ask again',
      allow: ANY_DOCUMENT_AUTHOR_ROLES,
      from: ['open'],
      input: { people: whom },
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel request',
      allow: ANY_DOCUMENT_AUTHOR_ROLES,
      from: ['open'],
      to: 'cancelled',
      input: {},
    },
  },
})

const STANDINGS = [
  { value: 'asked', label: 'Not signed' },
  { value: 'signed', label: 'Signed' },
  { value: 'excused', label: 'Excused' },
  { value: 'left', label: 'No longer with the company' },
  { value: 'out', label: 'No longer asked' },
] as const

/** A person's signature status under a document number, maintained by the database from the signatures. */
export const signOffPerson = resource({
  type: 'SignOffPerson',
  service: 'safety',
  path: 'sign_off_people',
  table: 'sign_off_person',
  tenant: 'own',
  order: ['due', 'id'],
  unpaginated: true,
  fields: {
    request: link((): Resource => signOff, { column: 'request_id', readonly: true, filter: true }),
    /** The revision in force. */
    document: link(() => document, {
      readonly: true,
      filter: true,
      embed: ['title', 'documentNumber', 'kind', 'revision', 'author', 'state'],
    }),
    user: link(() => user, { readonly: true, filter: true, embed: ['name'] }),
    state: choice(STANDINGS, { readonly: true, notNull: true, filter: true }),
    due: date({ readonly: true, notNull: true, order: true, filter: true }),
    askedAt: instant({ readonly: true, notNull: true }),
    remindedAt: instant({ readonly: true }),
    reminders: integer({ readonly: true, notNull: true }),
    /**
     * Last revision that the person signed; null if none. It is earlier than the revision in force if the person must
     * sign again or their signature was carried forward.
     */
    revision: integer({ readonly: true }),
    signedAt: instant({ readonly: true }),
    excusedAt: instant({ readonly: true }),
    excusedBy: text({ person: true, readonly: true }),
    excusedWhy: text({ readonly: true, max: 500 }),
  },
  allow: {
    read: ANY_DOCUMENT_READER_ROLES,
    rows: [SIGN_OFF_ACCESS_RULE, ...DOCUMENT_PART_ACCESS_RULES],
  },
  pack: DOCUMENT_PACKS,
})
