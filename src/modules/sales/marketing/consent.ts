import { choice, date, email, flag, instant, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'

/**
 * Consent to marketing by e-mail, or the soft opt-in (PECR 2003, regulation 22(3)): its date, how it was given and its
 * wording. The record is retained as evidence after the consent is withdrawn. A consent that is withdrawn without
 * `withdrawnAt` is void: its import has been undone, so it counts as never given, and nobody withdrew it.
 */
export const marketingConsent = resource({
  type: 'MarketingConsent',
  service: 'crm',
  path: 'marketing_consents',
  table: 'marketing_consent',
  tenant: 'own',
  title: 'address',
  order: ['-id'],
  fields: {
    address: email({
      required: 'Please enter the e-mail address',
      filter: 'partial',
      order: true,
      label: 'E-mail',
      help: 'The e-mail address can’t be changed, because each address needs its own consent.',
    }),
    contact: link(() => contact, { filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    how: choice(
      [
        { value: 'form', label: 'On a form' },
        { value: 'telephone', label: 'On the telephone' },
        { value: 'written', label: 'In writing' },
        { value: 'customer', label: 'Soft opt-in: customer who was offered an opt-out' },
        { value: 'negotiation', label: 'Soft opt-in: asked about our services and was offered an opt-out' },
      ],
      { required: 'Please choose how consent was given', filter: true, label: 'How consent was given' },
    ),
    givenOn: date({
      required: 'Please enter the date of consent',
      filter: true,
      order: true,
      label: 'Given on',
    }),
    evidence: longText({
      required: 'Please enter what they agreed to, and where to find it',
      default: '',
      max: 2000,
      label: 'Wording and evidence',
      help: 'What they agreed to, in the words of the form, call or letter, and where to find it. For a soft opt-in: the service that they bought or asked about.',
    }),
    withdrawn: flag({ readonly: true, filter: true }),
    withdrawnAt: instant({ readonly: true }),
    reason: text({ readonly: true, default: '', max: 1000, label: 'Reason for withdrawal' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', person: true, label: 'Entered by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: MAILING_LIST_ROLES },
  actions: {
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw consent',
      allow: 'ROLE_STAFF',
      input: { reason: longText({ required: 'Please enter a reason', max: 1000 }) },
    },
  },
})
