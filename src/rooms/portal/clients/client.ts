import { email, flag, instant, integer, link, phone, strings, text } from '#kernel/fields.ts'
import { PACK_OPTIONS } from '#kernel/packs.ts'
import { type Resource, resource } from '#kernel/resource.ts'

/** A company that the portal is run for; client 0 is the provider itself. */
export const client = resource({
  type: 'Client',
  service: 'portal',
  path: 'clients',
  table: 'client',
  tenant: 'self',
  title: 'company',
  order: ['company'],
  bulk: ['retire'],
  asksProof: ['retired'],
  fields: {
    company: text({ required: true, filter: 'partial', order: true, label: 'Company' }),
    address1: text({ default: '', label: 'Address line 1' }),
    address2: text({ default: '', label: 'Address line 2' }),
    city: text({ default: '', filter: 'partial', order: true }),
    county: text({ default: '' }),
    postcode: text({ default: '', max: 12 }),
    country: text({ default: '' }),
    regcompno: text({ default: '', label: 'Company number', filter: true, max: 20 }),
    vatNumber: text({ default: '', label: 'VAT number', max: 20 }),
    contactname: text({ default: '', label: 'Contact name' }),
    contacttel: phone({ default: '', label: 'Contact telephone' }),
    contactemail: email({ default: '', label: 'Contact e-mail' }),
    reseller: link((): Resource => client, { filter: true, readonly: true }),
    isReseller: flag({ filter: true, readonly: true }),
    packs: strings({ default: ['safety'], editable: 'ROLE_CLIENTS_ADMIN', options: PACK_OPTIONS }),
    packsLapsed: strings({
      default: [],
      editable: 'ROLE_CLIENTS_ADMIN',
      options: PACK_OPTIONS,
      label: 'Packs that have lapsed',
    }),
    lettersPerDay: integer({
      default: 50,
      min: 0,
      max: 10_000,
      editable: 'ROLE_CLIENTS_ADMIN',
      label: 'Recipients of letters a day',
      help: 'Letters in the client’s own words, such as a document by e-mail',
    }),
    forbidSelfApproval: flag({
      editable: ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'],
      label: 'Documents are approved by another person',
      help: 'Nobody approves what they have written or completed themselves.',
    }),
    retired: flag({ filter: true, editable: 'ROLE_CLIENTS_ADMIN' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: 'member',
    create: 'ROLE_CLIENTS_ADMIN',
    update: ['ROLE_CLIENTS_ADMIN', 'ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    wide: 'ROLE_STAFF',
    resold: 'ROLE_RESELLER',
  },
})

/** The same companies as the CRM names them: blank fields are sent as empty strings (specification, section 7). */
export const crmClient = resource({
  ...client,
  type: 'CrmClient',
  service: 'crm',
  allow: { read: 'ROLE_STAFF', update: 'ROLE_STAFF', wide: 'ROLE_STAFF' },
})

const { company, address1, address2, city, county, postcode, country, regcompno } = client.fields
const { contactname, contacttel, contactemail, reseller, forbidSelfApproval, retired, updatedAt } = client.fields

/** A company as the safety suite reads it: who and where it is, and how its documents are approved. It is changed at the others' addresses. */
export const safetyClient = resource({
  type: 'SafetyClient',
  service: 'safety',
  path: 'clients',
  table: 'client',
  tenant: 'self',
  title: 'company',
  order: ['company'],
  fields: {
    company,
    address1,
    address2,
    city,
    county,
    postcode,
    country,
    regcompno,
    contactname,
    contacttel,
    contactemail,
    reseller,
    forbidSelfApproval,
    retired,
    updatedAt,
  },
  allow: { read: 'member', wide: 'ROLE_STAFF' },
  pack: 'safety',
})
