import { choice, date, email, flag, instant, integer, link, phone, text, typedJson } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { country as countryList, phoneFormatHint, suggestedCountry, suggestedCounty } from '../places/country.ts'

interface ContactOfClient {
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly salutation: string
}
interface ActivityOfClient {
  readonly '@id': string
  readonly applicationName: string
  readonly lastActivityAt: string
}

/** Parts of the United Kingdom in which a company can be registered. */
const REGISTERED_IN = [
  { value: 'england-wales', label: 'England and Wales' },
  { value: 'wales', label: 'Wales' },
  { value: 'scotland', label: 'Scotland' },
  { value: 'northern-ireland', label: 'Northern Ireland' },
] as const

/** Returns the name of the place of registration; empty if it is not known. */
export const placeOfRegistration = (value: string | null | undefined): string =>
  REGISTERED_IN.find((one) => one.value === value)?.label ?? ''

/** A company with its own tenant. Client 0 is the provider. */
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
    county: text({ default: '', ...suggestedCounty }),
    postcode: text({ default: '', max: 12 }),
    country: text({ default: '', ...suggestedCountry }),
    regcompno: text({ default: '', label: 'Company number', filter: true, max: 20 }),
    /** Trading disclosures (SI 2015/17, regulation 25), printed with the company number. */
    registeredIn: choice(REGISTERED_IN, { omitFromLists: true, label: 'Registered in' }),
    registeredOffice: text({
      default: '',
      omitFromLists: true,
      max: 300,
      label: 'Registered office',
      help: 'Printed on e-mails, quotes and invoices. A company must state it, even if it is the same as the address above.',
    }),
    vatNumber: text({
      default: '',
      label: 'VAT number',
      max: 20,
      help: 'Only the format and the check digits are checked, not the registration with HMRC.',
    }),
    vatNumberCheckedOn: date({ readonly: true, omitFromLists: true, label: 'VAT number format checked' }),
    contactname: text({ default: '', label: 'Contact name' }),
    salutation: text({
      default: '',
      max: 60,
      help: 'Form of address in e-mails and letters, such as Ms Shah or Priya.',
    }),
    contacttel: phone({
      default: '',
      label: 'Contact telephone',
      formatHint: { from: () => countryList, words: phoneFormatHint },
    }),
    contactemail: email({ default: '', label: 'Contact e-mail' }),
    reseller: link((): Resource => client, { filter: true, readonly: true, hideUnreadable: true }),
    isReseller: flag({ filter: true, readonly: true }),
    lettersPerDay: integer({
      default: 50,
      min: 0,
      max: 10_000,
      editable: 'ROLE_CLIENTS_ADMIN',
      label: 'E-mail recipients per day',
      help: 'Applies to e-mails that the client writes, such as a document sent by e-mail.',
    }),
    forbidSelfApproval: flag({
      notWhileImpersonating: true,
      editable: ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'],
      label: 'Require a second person to approve',
      help: 'Authors can’t approve documents that they wrote or completed.',
    }),
    ownLeads: flag({
      visible: 'ROLE_STAFF',
      editable: 'ROLE_LEADS_ADMIN',
      label: 'Callers see only their own and unassigned leads',
      help: 'Colleagues’ leads, with their notes, contacts, files and sales, are then visible only to lead administrators.',
    }),
    retired: flag({ filter: true, editable: 'ROLE_CLIENTS_ADMIN' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
    /** The contact as one object, including data about the client from other systems (specification, section 3). */
    contact: typedJson<ContactOfClient>()({
      readonly: true,
      omitFromLists: true,
      sql: "jsonb_build_object('name', t.contactname, 'phone', t.contacttel, 'email', t.contactemail, 'salutation', t.salutation)",
    }),
    resellerClient: text({
      readonly: true,
      omitFromLists: true,
      sql: "(SELECT '/api/portal/reseller_clients/' || r.id FROM reseller_client r WHERE r.client_id = t.id)",
    }),
    applicationActivity: typedJson<readonly ActivityOfClient[]>()({
      readonly: true,
      omitFromLists: true,
      sql: `(SELECT coalesce(jsonb_agg(jsonb_build_object('@id', '/api/portal/application_activities/' || a.id, 'applicationName', a.application_name,
        'lastActivityAt', a.last_activity_at) ORDER BY a.id), '[]') FROM application_activity a WHERE a.client_id = t.id)`,
    }),
  },
  allow: {
    read: 'member',
    create: 'ROLE_CLIENTS_ADMIN',
    update: ['ROLE_CLIENTS_ADMIN', 'ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    whileImpersonating: ['update'],
    allTenants: 'ROLE_STAFF',
    resellerScope: 'ROLE_RESELLER',
  },
})

const { company, address1, address2, city, county, postcode, country, regcompno } = client.fields
const { contactname, contacttel, contactemail, reseller, forbidSelfApproval, retired, updatedAt } = client.fields

/** A company as returned to the safety suite: identity, address and approval setting. Read-only under this URL. */
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
  allow: { read: 'member', allTenants: 'ROLE_STAFF' },
  pack: 'safety',
})
