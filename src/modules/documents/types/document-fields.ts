import { choice, date, flag, instant, integer, json, link, longText, strings, text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import { ANY_DOCUMENT_APPROVER_ROLES, ANY_DOCUMENT_AUTHOR_ROLES, DOCUMENT_PACKS, typeAccessFields } from '../rights.ts'
import { CHANGE_CATEGORIES, document, foundField, signatureCountField, signOffCountFields } from './document.ts'
import { DOCUMENT_STATE_OPTIONS, DOCUMENT_STATUS_OPTIONS } from './transitions.ts'

/**
 * A version of a document type's form. A version never changes; each change adds a new version instead. The provider's
 * versions apply to all clients or to one industry; a client's versions apply only to that client.
 */
export const formVersion = resource({
  type: 'FormVersion',
  service: 'safety',
  path: 'form_versions',
  table: 'form_version',
  appendOnly: true,
  tenant: 'own or template',
  title: 'notes',
  order: ['-id'],
  fields: {
    kind: text({ required: true, filter: true, help: 'Document type as stored, such as risk_assessment.' }),
    number: integer({ readonly: true, notNull: true, order: true }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    /** Industry, if the form applies only to documents of that industry. */
    industry: link(() => riskIndustry, { filter: true, embed: ['name'] }),
    /** True for the declared form, which is used if there is no other version. */
    declared: flag({ readonly: true, filter: true }),
    schema: json({ required: 'The form is missing', omitFromLists: true }),
    /** SHA-256 of the form in hexadecimal; sealed with revisions. */
    digest: text({ readonly: true, notNull: true, filter: true }),
    notes: text({ default: '', label: 'What is new', max: 500 }),
    from: instant({
      column: 'used_from',
      notNull: true,
      order: true,
      help: 'Date from which new documents use this version. If empty, they use it immediately.',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: ANY_DOCUMENT_AUTHOR_ROLES, create: ANY_DOCUMENT_APPROVER_ROLES },
  pack: DOCUMENT_PACKS,
})

/** Fields of all document types, except the title and the previous revision. */
export const documentFields = {
  documentNumber: text({
    column: 'number',
    readonly: true,
    notNull: true,
    filter: true,
    order: true,
    search: true,
    label: 'Number',
  }),
  revision: integer({ readonly: true, notNull: true, filter: true, order: true }),
  client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
  industry: link(() => riskIndustry, { filter: true, embed: ['name'] }),
  isTemplate: flag({ filter: true, label: 'Template' }),
  state: choice(DOCUMENT_STATE_OPTIONS, { readonly: true, notNull: true, filter: true, count: true }),
  complete: flag({ filter: true }),
  approved: flag({ filter: true }),
  current: flag({ filter: true, readonly: true }),
  reviewed: flag({ notWhileImpersonating: true, filter: true }),
  retired: flag({ filter: true }),
  deleted: flag({
    readonly: true,
    filter: true,
    help: 'True if the document was deleted or withdrawn. A rejected document is `retired` but not `deleted`.',
  }),
  standing: choice(DOCUMENT_STATUS_OPTIONS, { readonly: true, notNull: true, label: 'Status' }),
  audience: strings({
    default: [],
    label: 'Readers',
    help: 'Roles that can read the document while it is in force. If empty, everyone in the company can.',
  }),
  origin: link((): Resource => document, {
    filter: true,
    hideUnreadable: true,
    label: 'Copied from',
    help: 'Revision from which the document was started. Copied answers must be confirmed before completion. Empty if you can’t open that revision.',
  }),
  improvedTo: link((): Resource => document, {
    hideUnreadable: true,
    readonly: true,
    omitFromLists: true,
    label: 'Template changes reviewed up to',
    help: 'Template revision up to which the author has accepted or ignored changes.',
  }),
  perClient: flag({ readonly: true, visible: 'nobody' }),
  pack: { ...typeAccessFields.pack, visible: 'nobody' },
  readerGroup: { ...typeAccessFields.readerGroup, visible: 'nobody' },
  author: text({ readonly: true, notNull: true, stamp: 'author', filter: true, order: true, search: true }),
  authorUsername: text({ person: true, readonly: true, column: 'approved_by', label: 'Approved by' }),
  createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
  updatedAt: instant({ readonly: true, notNull: true, filter: true, order: true, stamp: 'updated' }),
  lastEditBy: text({
    readonly: true,
    notNull: true,
    stamp: 'editor',
    omitFromLists: true,
    label: 'Changed by',
    help: 'Person who last changed the record; empty if it has not been changed since this was recorded.',
  }),
  completedAt: instant({ readonly: true }),
  completedBy: text({ person: true, readonly: true }),
  approvedAt: instant({ readonly: true }),
  decisionNote: text({ editable: ANY_DOCUMENT_APPROVER_ROLES, label: 'Reason' }),
  /** Person who withdrew, rejected or deleted the revision, and the time. */
  endedBy: text({ person: true, readonly: true, label: 'Withdrawn, rejected or deleted by' }),
  endedAt: instant({ readonly: true, label: 'Withdrawn, rejected or deleted on' }),
  decidedAt: instant({ readonly: true, filter: true, order: true, label: 'Approved or rejected on' }),
  change: choice(CHANGE_CATEGORIES, { readonly: true, label: 'Change category' }),
  reviewDue: date({ filter: true, order: true, label: 'Review due' }),
  reviewAsked: longText({
    editable: 'nobody',
    max: 4000,
    label: 'Reason for review',
    help: 'One reason per line, stored until the document has been reviewed.',
  }),
  reviewSetBy: text({ person: true, readonly: true, label: 'Review date set by' }),
  reviewSetAt: instant({ readonly: true, label: 'Review date set on' }),
  signatures: signatureCountField,
  ...signOffCountFields,
  seal: text({ readonly: true }),
  found: foundField,
  /** Form of the document; null for the first declared form of its type. */
  form: link((): Resource => formVersion, { readonly: true, hideUnreadable: true, omitFromLists: true }),
  formDigest: text({ readonly: true, omitFromLists: true }),
  /** Values of fields that form versions added, by name. */
  additional: json({ inJson: 'content', omitFromLists: true }),
  /**
   * Answers for which the form has no field: `[{name, label, kind, value}]`. Users can discard them, and must do so
   * before completion.
   */
  unplaced: json({ inJson: 'content', omitFromLists: true }),
} as const
