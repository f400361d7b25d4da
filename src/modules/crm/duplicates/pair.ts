import { choice, instant, integer, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { bothLeadsVisibleRowRules, contact } from '../contacts/contact.ts'

/** Reasons why two leads may be duplicates, with labels, most certain first. */
export const DUPLICATE_REASON_LABELS: Readonly<Record<string, string>> = {
  companyNumber: 'company number',
  phone: 'telephone number',
  mobile: 'mobile',
  email: 'e-mail address',
  companyName: 'company name',
  nearName: 'similar company name',
  place: 'town or postcode',
}

/** Two leads that may be duplicates, and the decision about them. `first` is the older lead. */
export const duplicatePair = resource({
  type: 'DuplicatePair',
  service: 'crm',
  path: 'duplicate_pairs',
  table: 'lead_pair',
  tenant: 'own',
  order: ['-strength'],
  state: 'state',
  bulk: ['keepSeparate', 'reconsider'],
  fields: {
    first: link(() => contact, {
      readonly: true,
      notNull: true,
      filter: true,
      embed: ['companyName', 'name', 'city', 'phone'],
      label: 'Lead',
    }),
    second: link(() => contact, {
      readonly: true,
      notNull: true,
      filter: true,
      embed: ['companyName', 'name', 'city', 'phone'],
      label: 'Possible duplicate of',
    }),
    reasons: strings({ readonly: true, default: [], label: 'Matching details' }),
    /** Likelihood that the two leads are duplicates, from 0 to 100. */
    strength: integer({ readonly: true, default: 0, filter: true, order: true, label: 'Likelihood' }),
    state: choice(
      [
        { value: 'suspect', label: 'To review' },
        { value: 'separate', label: 'Kept separate' },
        { value: 'merged', label: 'Merged' },
      ],
      { readonly: true, default: 'suspect', filter: true, count: true },
    ),
    foundAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Found' }),
    decidedAt: instant({ readonly: true, filter: true, order: true, label: 'Decided' }),
    decidedBy: text({ readonly: true, person: true }),
  },
  allow: { read: 'ROLE_STAFF', rows: bothLeadsVisibleRowRules('first', 'second') },
  actions: {
    keepSeparate: {
      path: 'keep-separate',
      title: 'Keep separate',
      allow: 'ROLE_STAFF',
      from: ['suspect'],
      to: 'separate',
      input: {},
      undo: 'reconsider',
    },
    reconsider: {
      path: 'reconsider',
      title: 'Review again',
      allow: 'ROLE_STAFF',
      from: ['separate'],
      to: 'suspect',
      input: {},
    },
  },
})
