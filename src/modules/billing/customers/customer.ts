import { type Violation, violation } from '#kernel/errors.ts'
import { choice, date, email, flag, instant, integer, link, phone, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { client } from '#modules/portal/clients/client.ts'
import { suggestedCounty } from '#modules/portal/places/country.ts'
import { coupon } from '../catalogue/coupon.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES, STAFF_ROLE } from '../rights.ts'

/**
 * Metadata of a customer. The specification's clients send all values as strings (section 3), but IDs may also be
 * numbers.
 */
export interface CustomerMetadata {
  owner?: string
  createdBy?: string
  contact_uri?: string
  contact_id?: string | number
  client_id?: string | number
  telephone?: string
  company_name?: string
  contact_name?: string
  [other: string]: unknown
}

const MAX_METADATA_KEYS = 50
const MAX_METADATA_CHARACTERS = 500

/** Validates metadata from a request: a flat object of short strings, numbers, booleans and nulls. */
export function validateCustomerMetadata(value: unknown): Violation[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [violation('metadata', 'The metadata must be an object such as {"company_name": "Acme Ltd"}')]
  const entries = Object.entries(value)
  if (entries.length > MAX_METADATA_KEYS)
    return [violation('metadata', `The metadata can have at most ${MAX_METADATA_KEYS} entries`)]
  return entries.flatMap(([key, v]) =>
    v === null ||
    ['number', 'boolean'].includes(typeof v) ||
    (typeof v === 'string' && v.length <= MAX_METADATA_CHARACTERS)
      ? []
      : [
          violation(
            `metadata.${key.slice(0, 40)}`,
            `Each metadata value must be a number or text of at most ${MAX_METADATA_CHARACTERS} characters`,
          ),
        ],
  )
}

/** Returns whether both have the same keys and values, in any order. */
export const isSameMetadata = (a: unknown, b: unknown): boolean => inOrder(a) === inOrder(b)
const inOrder = (v: unknown) => JSON.stringify(Object.entries(v ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * ISO 3166-1 alpha-2 codes with the Unicode CLDR names for en-GB, in display order. The United Kingdom is first,
 * because most customers are there. The list is included here, because reading it from the platform added 30 ms to each
 * start.
 */
const LIST =
  'GB United Kingdom; AF Afghanistan; AX Åland Islands; AL Albania; DZ Algeria; AS American Samoa; AD Andorra; AO Angola; AI Anguilla; AQ Antarctica; ' +
  'AG Antigua & Barbuda; AR Argentina; AM Armenia; AW Aruba; AU Australia; AT Austria; AZ Azerbaijan; BS Bahamas; BH Bahrain; BD Bangladesh; ' +
  'BB Barbados; BY Belarus; BE Belgium; BZ Belize; BJ Benin; BM Bermuda; BT Bhutan; BO Bolivia; BA Bosnia & Herzegovina; BW Botswana; BV Bouvet Island; ' +
  'BR Brazil; IO British Indian Ocean Territory; VG British Virgin Islands; BN Brunei; BG Bulgaria; BF Burkina Faso; BI Burundi; KH Cambodia; ' +
  'CM Cameroon; CA Canada; CV Cape Verde; BQ Caribbean Netherlands; KY Cayman Islands; CF Central African Republic; TD Chad; CL Chile; CN China; ' +
  'CX Christmas Island; CC Cocos (Keeling) Islands; CO Colombia; KM Comoros; CG Congo - Brazzaville; CD Congo - Kinshasa; CK Cook Islands; ' +
  'CR Costa Rica; CI Côte d’Ivoire; HR Croatia; CU Cuba; CW Curaçao; CY Cyprus; CZ Czechia; DK Denmark; DJ Djibouti; DM Dominica; DO Dominican Republic; ' +
  'EC Ecuador; EG Egypt; SV El Salvador; GQ Equatorial Guinea; ER Eritrea; EE Estonia; SZ Eswatini; ET Ethiopia; FK Falkland Islands; FO Faroe Islands; ' +
  'FJ Fiji; FI Finland; FR France; GF French Guiana; PF French Polynesia; TF French Southern Territories; GA Gabon; GM Gambia; GE Georgia; DE Germany; ' +
  'GH Ghana; GI Gibraltar; GR Greece; GL Greenland; GD Grenada; GP Guadeloupe; GU Guam; GT Guatemala; GG Guernsey; GN Guinea; GW Guinea-Bissau; ' +
  'GY Guyana; HT Haiti; HM Heard & McDonald Islands; HN Honduras; HK Hong Kong SAR China; HU Hungary; IS Iceland; IN India; ID Indonesia; IR Iran; ' +
  'IQ Iraq; IE Ireland; IM Isle of Man; IL Israel; IT Italy; JM Jamaica; JP Japan; JE Jersey; JO Jordan; KZ Kazakhstan; KE Kenya; KI Kiribati; ' +
  'KW Kuwait; KG Kyrgyzstan; LA Laos; LV Latvia; LB Lebanon; LS Lesotho; LR Liberia; LY Libya; LI Liechtenstein; LT Lithuania; LU Luxembourg; ' +
  'MO Macao SAR China; MG Madagascar; MW Malawi; MY Malaysia; MV Maldives; ML Mali; MT Malta; MH Marshall Islands; MQ Martinique; MR Mauritania; ' +
  'MU Mauritius; YT Mayotte; MX Mexico; FM Micronesia; MD Moldova; MC Monaco; MN Mongolia; ME Montenegro; MS Montserrat; MA Morocco; MZ Mozambique; ' +
  'MM Myanmar (Burma); NA Namibia; NR Nauru; NP Nepal; NL Netherlands; NC New Caledonia; NZ New Zealand; NI Nicaragua; NE Niger; NG Nigeria; NU Niue; ' +
  'NF Norfolk Island; KP North Korea; MK North Macedonia; MP Northern Mariana Islands; NO Norway; OM Oman; PK Pakistan; PW Palau; ' +
  'PS Palestinian Territories; PA Panama; PG Papua New Guinea; PY Paraguay; PE Peru; PH Philippines; PN Pitcairn Islands; PL Poland; PT Portugal; ' +
  'PR Puerto Rico; QA Qatar; RE Réunion; RO Romania; RU Russia; RW Rwanda; WS Samoa; SM San Marino; ST São Tomé & Príncipe; SA Saudi Arabia; SN Senegal; ' +
  'RS Serbia; SC Seychelles; SL Sierra Leone; SG Singapore; SX Sint Maarten; SK Slovakia; SI Slovenia; SB Solomon Islands; SO Somalia; ZA South Africa; ' +
  'GS South Georgia & South Sandwich Islands; KR South Korea; SS South Sudan; ES Spain; LK Sri Lanka; BL St Barthélemy; SH St Helena; ' +
  'KN St Kitts & Nevis; LC St Lucia; MF St Martin; PM St Pierre & Miquelon; VC St Vincent & the Grenadines; SD Sudan; SR Suriname; ' +
  'SJ Svalbard & Jan Mayen; SE Sweden; CH Switzerland; SY Syria; TW Taiwan; TJ Tajikistan; TZ Tanzania; TH Thailand; TL Timor-Leste; TG Togo; ' +
  'TK Tokelau; TO Tonga; TT Trinidad & Tobago; TN Tunisia; TR Türkiye; TM Turkmenistan; TC Turks & Caicos Islands; TV Tuvalu; UG Uganda; UA Ukraine; ' +
  'AE United Arab Emirates; US United States; UY Uruguay; UM US Outlying Islands; VI US Virgin Islands; UZ Uzbekistan; VU Vanuatu; VA Vatican City; ' +
  'VE Venezuela; VN Vietnam; WF Wallis & Futuna; EH Western Sahara; YE Yemen; ZM Zambia; ZW Zimbabwe'

const COUNTRIES = LIST.split('; ').map((one) => ({ value: one.slice(0, 2), label: one.slice(3) }))

/** Address of a customer, a client or a lead. */
export interface PostalAddress {
  readonly address1?: string | null
  readonly address2?: string | null
  readonly city?: string | null
  readonly county?: string | null
  readonly postcode?: string | null
}

/**
 * Returns the parts that an address needs on a VAT invoice and lacks (VAT Regulations 1995, regulation 14(1)(e)): street
 * and postcode, or street and town abroad, because not every country has postcodes.
 */
export const findMissingAddressParts = (of: PostalAddress, country: string): string[] =>
  [
    !of.address1?.trim() && !of.address2?.trim() && 'street',
    country === 'GB' ? !of.postcode?.trim() && 'postcode' : !of.city?.trim() && 'town',
  ].filter((part) => part !== false)

/** SQL expression for the source of the customer's lead; `t` is the outer table. */
export const LEAD_SOURCE_SQL =
  '(SELECT l.came_from_id FROM customer k JOIN contact l ON l.client_id = k.client_id AND l.id = k.contact_id WHERE k.client_id = t.client_id AND k.id = t.customer_id)'

const askApproval = flag({
  writeOnly: true,
  help: 'Request a second person’s approval if the change is above the limit.',
})
const keepBoth = flag({ writeOnly: true, help: 'Record the change even if the same amount was recorded a moment ago.' })

/**
 * A buyer in the books of the provider or of a client with the invoicing pack. The provider's customers can be linked
 * to a lead or client.
 */
export const customer = resource({
  type: 'Customer',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'customers',
  table: 'customer',
  tenant: 'own',
  title: 'companyName',
  order: ['-createdAt'],
  bulk: [{ action: 'sendStatement', input: ['from', 'to'] }, 'retire'],
  emails: 'id',
  fields: {
    companyName: text({ readonly: true, filter: 'partial', order: true, search: true, label: 'Company' }),
    contactName: text({ readonly: true, filter: 'partial', order: true, search: true }),
    telephone: phone({ readonly: true, search: true }),
    email: email({
      required: 'Please enter the e-mail address for quotes and invoices',
      filter: true,
      order: true,
      search: true,
      label: 'E-mail',
    }),
    coupon: link(() => coupon, {
      notWhileImpersonating: true,
      filter: true,
      embed: ['name', 'percentOff', 'amountOff', 'currency'],
    }),
    /**
     * Keys: owner, createdBy, contact_uri, contact_id, client_id, telephone, company_name, contact_name (specification,
     * section 3).
     */
    metadata: typedJson<CustomerMetadata>()({ default: {} }),
    /** Linked lead or client. Only the provider can set it, because the provider's customers use the portal. */
    contact: link(() => contact, { filter: true, embed: ['name', 'companyName'], editable: STAFF_ROLE }),
    client: link(() => client, { column: 'account_id', filter: true, editable: STAFF_ROLE }),
    currency: choice(CURRENCIES, { default: 'GBP' }),
    /** Pence; negative if the customer is in credit. */
    accountBalance: integer({ readonly: true, notNull: true, order: true, pence: true, label: 'Account balance' }),
    unsettled: flag({
      readonly: true,
      omitFromLists: true,
      filter: true,
      sql: '(t.account_balance <> 0)',
      label: 'Has a balance',
    }),
    /** Pence to add to the balance. Write-only. */
    accountBalanceChange: integer({
      writeOnly: true,
      notWhileImpersonating: true,
      min: -1_000_000_000,
      max: 1_000_000_000,
    }),
    /** Reason for the balance change; optional if a payment date is sent. */
    accountBalanceReason: text({ writeOnly: true, max: 500 }),
    keepBoth,
    /** Name on invoices, if different from the company name. */
    billingName: text({ default: '', omitFromLists: true, label: 'Name on invoices' }),
    address1: text({ default: '', omitFromLists: true, label: 'Address' }),
    address2: text({ default: '', omitFromLists: true, label: 'Address line 2' }),
    city: text({ default: '', omitFromLists: true }),
    county: text({ default: '', omitFromLists: true, ...suggestedCounty }),
    postcode: text({ default: '', omitFromLists: true, max: 20 }),
    country: choice(COUNTRIES, { default: 'GB', omitFromLists: true }),
    vatNumber: text({
      default: '',
      omitFromLists: true,
      max: 20,
      label: 'VAT number',
      help: 'Only the format and the check digits are checked, not the registration with HMRC.',
    }),
    vatNumberCheckedOn: date({ readonly: true, omitFromLists: true, label: 'VAT number format checked' }),
    /** Default purchase order number for the customer's invoices. */
    poNumber: text({ default: '', omitFromLists: true, max: 50, label: 'Purchase order number' }),
    invoiceEmail: email({ default: '', omitFromLists: true, label: 'E-mail for invoices' }),
    /** True for a private buyer: statutory interest is for debts between businesses only. */
    consumer: flag({ omitFromLists: true, label: 'Consumer, not a business' }),
    paymentDays: integer({
      default: 14,
      min: 0,
      max: 365,
      notWhileImpersonating: true,
      omitFromLists: true,
      label: 'Payment terms (days)',
    }),
    /** Evidence of an agreement to terms of more than 60 days. */
    longTermsAgreed: text({
      default: '',
      notWhileImpersonating: true,
      omitFromLists: true,
      max: 300,
      label: 'Agreement to more than 60 days',
      help: 'Required for payment terms of more than 60 days: date and form of the agreement, such as “E-mail from Ann Carter, 3 March 2026”.',
    }),
    paymentReceivedDate: instant({
      notWhileImpersonating: true,
      filter: true,
      order: true,
      label: 'Payment received',
    }),
    /** Key that identifies the customer at payment gateways; unique across portals. */
    gatewayKey: text({ readonly: true, notNull: true, visible: 'nobody' }),
    /** The customer's ID at each gateway, by gateway name. */
    gatewayRefs: typedJson<Readonly<Record<string, string>>>()({ readonly: true, notNull: true, visible: 'nobody' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
    retired: flag({ filter: true }),
  },
  allow: {
    read: SELLING_ROLES,
    create: SELLING_ROLES,
    update: SELLING_ROLES,
    whileImpersonating: ['create', 'update'],
  },
  actions: {
    balance: {
      path: 'balance',
      title: 'Change the account balance',
      allow: FINANCE_ROLES,
      input: {
        change: integer({ required: true, min: -1_000_000_000, max: 1_000_000_000 }),
        reason: text({ max: 500, help: 'Reason for the change; optional if you enter when the payment was received.' }),
        paymentReceivedDate: instant(),
        keepBoth,
        askApproval,
      },
    },
    sendStatement: {
      path: 'send-statement',
      title: 'E-mail a statement',
      allow: SELLING_ROLES,
      input: {
        from: date({ label: 'From', help: 'First day; defaults to 90 days before the last day.' }),
        to: date({ label: 'To', help: 'Last day; defaults to today.' }),
        again: flag({
          label: 'Send again',
          help: 'Also send a statement to this day that has already been requested.',
        }),
      },
    },
    detachCoupon: { path: 'detach-coupon', title: 'Remove the coupon', allow: SELLING_ROLES, input: {} },
  },
})

/**
 * A change to a customer's balance. The balance is the sum of these rows, which are written only through the customer.
 */
export const balanceChange = resource({
  type: 'BalanceChange',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'balance_changes',
  table: 'balance_change',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    customer: link(() => customer, { readonly: true, notNull: true, filter: true, embed: ['companyName'] }),
    /** Pence; negative if the change is in the customer's favour. */
    amount: integer({ readonly: true, notNull: true, filter: true, pence: true, label: 'Change' }),
    reason: text({ readonly: true, notNull: true, default: '' }),
    receivedAt: instant({ readonly: true, filter: true, order: true, label: 'Payment received' }),
    /** Balance in pence after this change. */
    balance: integer({ readonly: true, notNull: true, pence: true, label: 'Balance' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Recorded' }),
  },
  allow: { read: SELLING_ROLES },
})
