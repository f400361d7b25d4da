import {
  choice,
  email,
  flag,
  instant,
  integer,
  json,
  link,
  longText,
  phone,
  text,
  typedJson,
  unixSeconds,
} from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { type AccessRule, only } from '#kernel/row-rules.ts'
import { INVOICING_PACK, SELLING_ROLES } from '#modules/billing/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { suggestedCounty } from '#modules/portal/places/country.ts'
import { callOutcome, EFFECTS_WITHOUT_CALL, lastResult } from '../outcomes/outcome.ts'
import type { ReceivedMailSummary } from '../received-mail/reports.ts'
import { staff } from '../staff/staff.ts'
import { businessType, importBatch, leadSource } from './import-batch.ts'

/**
 * The customer that a lead has become, with only the fields that leads need. The fields are copied from Billing's
 * declaration, because Billing depends on leads. A test checks that the two declarations match.
 */
export const leadCustomer = resource({
  type: 'Customer',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'customers',
  table: 'customer',
  tenant: 'own',
  title: 'companyName',
  fields: { companyName: text({ readonly: true, filter: 'partial', order: true }) },
  allow: { read: SELLING_ROLES },
})

export const DO_NOT_CALL_REASON = 'This lead has asked not to be called'

/**
 * Roles that may see colleagues' leads. Users without these roles see their own leads and unassigned ones, including
 * those in trays.
 */
const SEES_ALL = ['ROLE_LEADS_ADMIN', 'scope:leads.all']

/**
 * Row rules for records that belong to a lead. Users who may see only their own leads can access a record only if they
 * can access its lead.
 */
export const VISIBLE_LEAD_ROW_RULES: readonly AccessRule[] = [
  { where: 'ownLeads', unless: SEES_ALL, only: only.ofReadable('contact') },
]

/**
 * Returns row rules for records about two leads. A user can access such a record only if they can access both leads.
 */
export const bothLeadsVisibleRowRules = (one: string, other: string): readonly AccessRule[] => [
  { where: 'ownLeads', unless: SEES_ALL, only: only.both(only.ofReadable(one), only.ofReadable(other)) },
]

/** Head-count options, worded as asked on the telephone (specification, section 3). */
const COUNTS = [
  'SELECT',
  "I didn't ask",
  "Didn't Ask",
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '10',
  '11',
  '11-20',
  '21-30',
  '31-40',
  '41-50',
  '51-100',
  '100+',
]

const ASKED_FOR = 'contact person'

/**
 * Legal forms of leads. They decide whether marketing e-mails need consent: sole traders and partnerships are individual
 * subscribers, except Scottish partnerships (PECR 2003, regulations 2 and 22).
 */
export const LEGAL_FORMS = [
  { value: 'unknown', label: 'Unknown' },
  { value: 'limited', label: 'Limited company' },
  { value: 'plc', label: 'Public limited company (PLC)' },
  { value: 'llp', label: 'Limited liability partnership (LLP)' },
  { value: 'scottish partnership', label: 'Scottish partnership' },
  { value: 'public body', label: 'Public body' },
  { value: 'other corporate', label: 'Charity or other corporate body' },
  { value: 'sole trader', label: 'Sole trader' },
  { value: 'partnership', label: 'Partnership' },
] as const
export type LegalForm = (typeof LEGAL_FORMS)[number]['value']

/**
 * Reasons for which no marketing may be e-mailed to a lead, by `marketingBar`. The rule itself is `marketing_bar()` in
 * the database, for everything that sends, lists or shows.
 */
export const MARKETING_BARS: Readonly<Record<string, string>> = {
  consent:
    'Marketing e-mails need this lead’s consent, because it is a sole trader, a partnership or of unknown legal form. Record the consent, or correct the company number or legal form. If the lead asked for the e-mail, send it as an answer',
  withdrawn:
    'This lead has withdrawn consent to marketing. Record a new consent. If the lead asked for the e-mail, send it as an answer',
}

/**
 * A lead: a company and its contact person, both before and after the company becomes a customer. `name`, `phone` and
 * `mobile` belong to the contact person.
 */
export const contact = resource({
  type: 'Contact',
  service: 'crm',
  path: 'contacts',
  table: 'contact',
  searchIn: 'contact_search',
  tenant: 'own',
  title: 'companyName',
  order: ['callbackDate'],
  bulk: ['owner', { action: 'close', input: ['result', 'date', 'notes'] }, 'businessType', 'retire'],
  fields: {
    name: text({ search: true, filter: 'partial', order: true, label: 'Contact name', partOf: ASKED_FOR }),
    companyName: text({ search: 'own', filter: 'partial', order: true }),
    companyNumber: text({ search: true, filter: true, max: 20 }),
    legalForm: choice(LEGAL_FORMS, { required: true, default: 'unknown', filter: true }),
    phone: phone({
      search: true,
      filter: true,
      partOf: ASKED_FOR,
      disabledBy: { by: 'doNotCall', why: DO_NOT_CALL_REASON },
    }),
    mobile: phone({
      search: true,
      filter: true,
      partOf: ASKED_FOR,
      disabledBy: { by: 'doNotCall', why: DO_NOT_CALL_REASON },
    }),
    email: email({ search: true, filter: true, label: 'E-mail', partOf: ASKED_FOR }),
    /** Key of `MARKETING_BARS`; null if marketing may be e-mailed. */
    marketingBar: text({
      readonly: true,
      omitFromLists: true,
      sql: 'marketing_bar(t.client_id, t.legal_form, t.company_number, t.email)',
    }),
    jobTitle: text({ partOf: ASKED_FOR }),
    personNotes: longText({ max: 2000, partOf: ASKED_FOR }),
    /** Number of other known people at the company (`contactPerson`). */
    others: integer({ readonly: true, notNull: true, default: 0, label: 'Other people' }),
    address1: text({ label: 'Address line 1' }),
    address2: text({ label: 'Address line 2' }),
    city: text({ search: true, filter: 'partial', order: true }),
    county: text(suggestedCounty),
    postcode: text({ search: true, filter: 'start', max: 12 }),
    website: text(),
    customer: link(() => leadCustomer, { filter: true, label: 'Billing customer' }),
    client: link(() => client, { column: 'account_id', filter: true }),
    owner: link(() => staff, { filter: true, order: true, embed: ['username', 'name'] }),
    expiry: unixSeconds({ filter: true, order: 'known first', label: 'Don’t call before' }),
    callbackDate: unixSeconds({ filter: true, order: 'known first', label: 'Callback' }),
    lastResult: link(() => lastResult, { filter: true, nested: { category: 'category' }, embed: ['text', 'category'] }),
    category: text({ readonly: true }),
    /** Outcome chosen for the last call. The lead's result may differ, for example after "No answer". */
    outcome: link(() => lastResult, { readonly: true }),
    /** Number of outcomes recorded for the lead, excluding undone ones. */
    outcomes: integer({ readonly: true, default: 0 }),
    lastEditBy: text({ readonly: true, stamp: 'editor' }),
    subContractors: choice(COUNTS, { default: '10' }),
    employees: choice(COUNTS, { default: '10' }),
    businessType: link(() => businessType, { filter: true, order: true, embed: ['name'] }),
    cameFrom: link(() => leadSource, { filter: true, label: 'Lead source' }),
    ir35: flag({ filter: true, label: 'IR35' }),
    doNotCall: flag({ filter: true, label: 'Do not call' }),
    /** Time at which the lead signed and became a customer. Customers are no longer called as leads. */
    wonAt: instant({ readonly: true, filter: true }),
    /** URL of the lead's timeline (specification, section 3). */
    actions: text({ readonly: true, omitFromLists: true, sql: "'/api/crm/contacts/' || t.id || '/actions'" }),
    /** Reason required to lift `doNotCall`. */
    callAgainReason: text({ max: 500, label: 'Why this lead may be called again' }),
    importBatch: link(() => importBatch, { filter: true, readonly: true }),
    retired: flag({ filter: true }),
    mergedInto: link((): Resource => contact, { readonly: true, filter: true }),
    createdAt: instant({ readonly: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, filter: true, order: true, stamp: 'updated' }),
    /** Internal data for the call queue: who has leased the lead, and who has skipped it today. */
    leaseUser: integer({ readonly: true, visible: 'nobody', column: 'lease_user_id' }),
    leaseUntil: instant({ readonly: true, visible: 'nobody' }),
    skipUsers: json({ readonly: true, visible: 'nobody' }),
    skipUntil: instant({ readonly: true, visible: 'nobody' }),
  },
  allow: {
    read: 'ROLE_STAFF',
    create: 'ROLE_STAFF',
    update: 'ROLE_STAFF',
    whileImpersonating: ['create', 'update'],
    rows: [
      {
        where: 'ownLeads',
        unless: SEES_ALL,
        only: only.either(only.nobodys('owner'), only.whose('owner', only.either(only.mine('user'), only.on('tray')))),
        verbs: ['read', 'update', 'delete'],
        mayGiveAway: true,
      },
    ],
  },
  actions: {
    outcome: {
      path: 'outcomes',
      title: 'Record the outcome of a call and get the next lead',
      allow: 'ROLE_STAFF',
      filters: true,
      input: {
        result: link(() => lastResult, { required: true, lenient: true }),
        date: unixSeconds({ lenient: true }),
        notes: longText({ default: '' }),
        minutes: integer({ min: 0, max: 1440 }),
        /** Number of outcomes that the lead had when this outcome was chosen. */
        outcomes: integer({ min: 0 }),
        /** Version of the outcome's rule when the outcome's button was shown. */
        version: integer({ min: 1 }),
      },
    },
    close: {
      path: 'close',
      title: 'Outcome',
      allow: 'ROLE_LEADS_ADMIN',
      input: {
        result: link(() => callOutcome, {
          required: 'Please choose an outcome',
          lenient: true,
          label: 'Outcome',
          offers: { effect: EFFECTS_WITHOUT_CALL },
        }),
        date: unixSeconds({ lenient: true, label: 'Callback' }),
        notes: longText({ default: '' }),
      },
    },
    undo: {
      path: 'undo',
      title: 'Undo the last outcome',
      allow: 'ROLE_STAFF',
      input: { note: integer({ required: true }) },
    },
    lease: {
      path: 'lease',
      title: 'Lease the lead for ten minutes',
      allow: 'ROLE_STAFF',
      input: { release: flag() },
    },
  },
})

export const LEASED_LEADS_URL = `${contact.url}/held`

/** Time of the last note on a lead, in Unix seconds. */
export interface LastNoteTime {
  readonly id: number
  readonly at: number
}

export interface ColleagueLeadLease {
  readonly id: number
  /** Name of the leaseholder. */
  readonly by: string
}

/**
 * Person who is credited with a note or deal, by default its author. Lead and sales managers can choose another person. The
 * author is stored separately.
 */
const recordedFor = link(() => staff, {
  filter: true,
  embed: ['username', 'name'],
  editable: ['ROLE_LEADS_ADMIN', 'ROLE_SALES_ADMIN'],
})

/** An entry in a lead's timeline. The API calls notes "actions". */
export const note = resource({
  type: 'Note',
  service: 'crm',
  path: 'actions',
  table: 'note',
  tenant: 'own',
  order: ['-sticky', '-id'],
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    user: recordedFor,
    author: text({ person: true, readonly: true }),
    /** Text as typed, together with the description of the outcome. */
    notes: longText({ default: '', filter: 'partial', max: 20_500 }),
    lastResult: link(() => lastResult, { filter: true, embed: ['text', 'category'] }),
    minutes: integer({ default: 0, min: 0, max: 1440 }),
    reason: text({ default: '' }),
    timestamp: instant({ readonly: true, notNull: true, filter: true, order: true }),
    sticky: flag({ filter: true, order: true }),
    retired: flag({ filter: true }),
    /** API URL of the record that the note is about; empty if there is none. */
    about: text({ readonly: true, default: '', filter: true }),
    /** Received e-mail that the note is about, with its files. */
    received: typedJson<ReceivedMailSummary | null>()({
      readonly: true,
      sql: String.raw`CASE WHEN t.about LIKE '/api/email/messages/%' THEN received_mail(t.client_id, substring(t.about FROM '\d+$')::bigint) END`,
    }),
    /** Whether the note was added automatically, for example after a customer's decision or a scheduled event. */
    automatic: flag({ readonly: true }),
    /** Whether the note records a call. True if the note's result is a call outcome. */
    call: flag({ readonly: true, visible: 'nobody' }),
    /** Previous values of the fields that an outcome changed, for undo. */
    before: json({ readonly: true, visible: 'nobody' }),
  },
  allow: {
    read: 'ROLE_STAFF',
    create: 'ROLE_STAFF',
    update: 'ROLE_STAFF',
    whileImpersonating: ['create'],
    rows: VISIBLE_LEAD_ROW_RULES,
  },
})

const ofContact = {
  service: 'crm',
  tenant: 'own',
  order: ['-id'] as string[],
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_STAFF', rows: VISIBLE_LEAD_ROW_RULES },
} as const

/** A deal made with a contact. */
export const sale = resource({
  ...ofContact,
  type: 'Sale',
  path: 'sales',
  table: 'sale',
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    user: recordedFor,
    author: text({ readonly: true, default: '', person: true }),
    notes: longText({ default: '' }),
    lastResult: link(() => lastResult, { filter: true, embed: ['text', 'category'] }),
    reason: text({ default: '' }),
    minutes: integer({ default: 0, min: 0, max: 1440 }),
    timestamp: instant({ readonly: true, filter: true, order: true }),
    sticky: flag({ filter: true, order: true }),
    retired: flag({ filter: true }),
  },
})

/** A company or person that a contact has recommended. */
export const referral = resource({
  ...ofContact,
  type: 'Referral',
  path: 'referrals',
  table: 'referral',
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    name: text({ required: true }),
    companyName: text({ default: '' }),
    telephone: phone({ column: 'phone', default: '' }),
    email: email({ default: '' }),
    notes: longText({ default: '' }),
    timestamp: instant({ readonly: true }),
    retired: flag({ filter: true }),
  },
})

/** Whether the support team looks after a contact. A change adds an automatic note. */
export const supportedContact = resource({
  ...ofContact,
  type: 'Supported',
  path: 'supporteds',
  table: 'supported',
  fields: { contact: link(() => contact, { required: true, filter: true }), supported: flag({ filter: true }) },
})
