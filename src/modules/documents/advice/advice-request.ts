import { choice, instant, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_AUTHOR_ROLES, TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'

export const ADVICE_STATES = [
  { value: 'asked', label: 'Asked' },
  { value: 'taken', label: 'In progress' },
  { value: 'answered', label: 'Answered' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

/** A question to the provider's consultant about a document. */
export const adviceRequest = resource({
  type: 'AdviceRequest',
  service: 'safety',
  path: 'advice_requests',
  table: 'advice_request',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  emails: 'id',
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    document: link(() => document, {
      required: 'Please choose the document',
      filter: true,
      embed: ['documentNumber', 'title', 'kind'],
    }),
    question: longText({ required: 'Please enter your question', max: 2000 }),
    state: choice(ADVICE_STATES, { readonly: true, default: 'asked', filter: true, count: true }),
    consultant: text({ person: true, readonly: true, default: '', filter: true }),
    consultantName: text({ readonly: true, default: '', label: 'Consultant' }),
    answer: longText({ readonly: true, default: '' }),
    answeredAt: instant({ readonly: true, label: 'Answered' }),
    user: link(() => user, { readonly: true, notNull: true, embed: ['name'], label: 'Asked by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Asked' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: DOCUMENT_AUTHOR_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
    rows: [{ unless: DOCUMENT_APPROVER_ROLES, only: only.mine('user') }],
  },
  actions: {
    // Only the provider's consultants may answer. The handler enforces this, after the check for a lapsed pack.
    take: { path: 'take', title: 'Start answering', allow: DOCUMENT_AUTHOR_ROLES, from: ['asked'], input: {} },
    answer: {
      path: 'answer',
      title: 'Answer by e-mail',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: ['asked', 'taken'],
      input: { answer: longText({ required: 'Please enter an answer', max: 5000 }) },
    },
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw question',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: ['asked', 'taken'],
      to: 'withdrawn',
      input: {},
    },
  },
  pack: 'safety',
})
