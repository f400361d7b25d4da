import { choice, instant, json, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { contact, ofBothVisibleLeads } from '../contacts/contact.ts'

/** Days within which a merge can be undone. */
export const MERGE_UNDO_DAYS = 30

/** A merge of two leads, with all data needed for undo. Creating the record performs the merge. */
export const leadMerge = resource({
  type: 'LeadMerge',
  service: 'crm',
  path: 'merges',
  table: 'lead_merge',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    survivor: link(() => contact, {
      required: true,
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Lead',
    }),
    merged: link(() => contact, {
      required: true,
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Merged lead',
    }),
    take: strings({ default: [], label: 'Fields whose value is taken from the merged lead' }),
    /** Fingerprint of both leads from the preview, so that only what has been seen is merged. */
    fingerprint: text({ required: 'Please check the preview of the merge first', writeOnly: true, max: 40 }),
    author: link(() => user, { readonly: true, filter: true, embed: ['name'], label: 'Merged by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Merged' }),
    until: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Can be undone until' }),
    state: choice(
      [
        { value: 'merged', label: 'Merged' },
        { value: 'undone', label: 'Undone' },
      ],
      { readonly: true, default: 'merged', filter: true, count: true },
    ),
    undoneAt: instant({ readonly: true, label: 'Undone' }),
    undoneBy: text({ readonly: true, person: true, label: 'Undone by' }),
    kept: json({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', rows: ofBothVisibleLeads('survivor', 'merged') },
  actions: {
    undo: {
      path: 'undo',
      title: 'Undo merge',
      allow: 'ROLE_STAFF',
      from: ['merged'],
      to: 'undone',
      input: {},
      rows: [{ unless: 'ROLE_LEADS_ADMIN', only: only.mine('author') }],
    },
  },
})
