import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import {
  choice,
  date,
  flag,
  instant,
  integer,
  link,
  longText,
  richText,
  strings,
  text,
  typedJson,
} from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { only, type RowCondition } from '#kernel/row-rules.ts'
import { defineSequence } from '#kernel/sequence.ts'
import type { SignatureValue } from '#kernel/signature.ts'
import { employee } from '../employees/employee.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { contractMailing } from './contract-mailing.ts'
import { contractTemplate } from './contract-template.ts'

export const contractNumbers = defineSequence({
  name: 'contract',
  prefix: 'EC-',
  per: 'client',
  gapless: true,
  digits: 4,
})

/** States in which the employee has not signed. */
export const UNSIGNED_STATES = ['sending', 'sent', 'opened'] as const
/** States in which a contract is neither complete nor ended. */
export const OPEN_STATES = [...UNSIGNED_STATES, 'signed'] as const

/** Most links of one contract that stay valid: one for each attempt to send an e-mail. */
export const MAX_CONTRACT_SECRETS = 5

/** A signature with the evidence that the audit page prints. */
export interface ContractSignature extends SignatureValue {
  /** ISO 8601 instant. */
  readonly at: string
  /** Username of the account; empty for a link. */
  readonly username: string
  /** Address to which the link was e-mailed; empty for an account. */
  readonly email: string
  /** Network address and user agent of the device. */
  readonly address: string
  readonly agent: string
  /** SHA-256 of the contract that was on the screen. */
  readonly digest: string
}

const OF_MYSELF: RowCondition = only.whose('employee', only.mine('user'))
const COUNTERSIGNED_BY_ME: RowCondition = only.whose('countersigner', only.mine('user'))

/** Both sides have signed a contract: its PDF is stored, and an employee without an account gets a link to it. */
export const contractCompleted = defineEvent({
  kind: 'contract.completed',
  version: 1,
  payload: z.object({ contract: z.int() }),
})

export const reasonFields = {
  reason: longText({ required: 'Please give a reason', max: 2000, label: 'Reason' }),
} as const

/** A contract with the text as it was sent: merge fields are filled in at that moment, and nothing of it changes later. */
export const contract = resource({
  type: 'Contract',
  service: 'employees',
  path: 'contracts',
  table: 'employment_contract',
  tenant: 'own',
  title: 'number',
  order: ['-id'],
  state: 'state',
  bulk: [{ action: 'resend', input: ['days'] }],
  emails: 'id',
  fields: {
    number: text({ readonly: true, notNull: true, default: '', filter: 'partial', order: true }),
    template: link(() => contractTemplate, { readonly: true, notNull: true, filter: true, hideUnreadable: true }),
    templateVersion: integer({ readonly: true, notNull: true, label: 'Version' }),
    title: text({ readonly: true, notNull: true, filter: 'partial', order: true }),
    writtenStatement: flag({ readonly: true, filter: true, label: 'Written statement of particulars' }),
    mailing: link(() => contractMailing, { readonly: true, notNull: true, filter: true, visible: HR_ROLES }),
    employee: link(() => employee, { readonly: true, notNull: true, embed: ['name'], filter: true }),
    /** Name as it was when the contract was sent. */
    employeeName: text({ readonly: true, notNull: true }),
    countersigner: link(() => employee, {
      readonly: true,
      notNull: true,
      embed: ['name'],
      filter: true,
      label: 'Countersigned by',
    }),
    body: richText({ readonly: true, notNull: true, omitFromLists: true, label: 'Text' }),
    /** SHA-256 of the contract as it was sent. A signature states the digest that was on the screen. */
    digest: text({ readonly: true, notNull: true }),
    signUntil: date({ readonly: true, notNull: true, filter: true, order: true, label: 'Sign by' }),
    state: choice(
      [
        { value: 'sending', label: 'E-mail not sent yet' },
        { value: 'sent', label: 'Sent' },
        { value: 'opened', label: 'Opened' },
        { value: 'signed', label: 'Signed by employee' },
        { value: 'complete', label: 'Countersigned' },
        { value: 'declined', label: 'Declined' },
        { value: 'expired', label: 'Expired' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
      { readonly: true, notNull: true, filter: true, count: true, label: 'Status' },
    ),
    /** Address of the link; empty if the employee signs in the portal. */
    email: text({ readonly: true, notNull: true, default: '', visible: HR_ROLES, label: 'E-mail' }),
    hashes: strings({ readonly: true, default: [], visible: 'nobody' }),
    /** Time at which the e-mail was queued; null while it waits for a new day’s e-mails. */
    queuedAt: instant({ readonly: true, visible: 'nobody' }),
    /** Time at which a mail server accepted the e-mail; null until then. */
    emailedAt: instant({ readonly: true, label: 'E-mail sent' }),
    openedAt: instant({ readonly: true, label: 'Opened' }),
    signature: typedJson<ContractSignature>()({ readonly: true, omitFromLists: true }),
    signedAt: instant({ readonly: true, order: true, label: 'Signed' }),
    countersignature: typedJson<ContractSignature>()({ readonly: true, omitFromLists: true }),
    countersignedAt: instant({ readonly: true, label: 'Countersigned' }),
    /** Reason why it was declined or cancelled. */
    reason: longText({ readonly: true, notNull: true, default: '' }),
    endedBy: text({ readonly: true, person: true, label: 'Ended by' }),
    endedAt: instant({ readonly: true, label: 'Ended' }),
    /** Person who sent it, also to a joiner. */
    author: text({ readonly: true, person: true, label: 'Sent by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, label: 'Created' }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    rows: [{ unless: HR_ROLES, only: only.either(OF_MYSELF, COUNTERSIGNED_BY_ME) }],
  },
  pack: 'employees',
  actions: {
    decline: {
      path: 'decline',
      title: 'Decline',
      allow: EMPLOYEE_READER_ROLES,
      rows: [{ unless: [], only: OF_MYSELF }],
      from: UNSIGNED_STATES,
      input: reasonFields,
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel contract',
      allow: HR_ROLES,
      from: OPEN_STATES,
      input: reasonFields,
    },
    /** Sends a new link, or notifies the employee again. The last day moves, if `days` is given. */
    resend: {
      path: 'resend',
      title: 'Send again',
      allow: HR_ROLES,
      from: UNSIGNED_STATES,
      input: {
        days: integer({ min: 1, max: 365, label: 'Days to sign', help: 'Empty to leave the last day as it is.' }),
      },
    },
    changeCountersigner: {
      path: 'change-countersigner',
      title: 'Change countersigner',
      allow: HR_ROLES,
      from: OPEN_STATES,
      input: {
        countersigner: link(() => employee, {
          required: 'Please choose a person',
          offers: IN_SERVICE,
          label: 'Countersigned by',
        }),
      },
    },
  },
})

export type Contract = RowOf<typeof contract>
export type ContractState = Contract['state']

/** Part of the reader in a contract; null for a reader who does not sign it. */
export interface ContractParty {
  readonly party: 'employee' | 'countersigner' | null
}

/** Input of both signatures: the digest of the contract on the screen, and the signature. */
export const signatureFields = {
  digest: text({ required: 'The digest of the contract is missing', max: 64 }),
  signature: typedJson<SignatureValue>()({ required: 'Please sign' }),
} as const

/** Stored PDF of a complete contract, with its checksum in the client's audit chain. */
export const contractPrint = resource({
  type: 'ContractPrint',
  service: 'employees',
  path: 'contract_prints',
  table: 'contract_print',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    contract: link(() => contract, { readonly: true, notNull: true, filter: true }),
    /** SHA-256 of the file in hexadecimal. */
    checksum: text({ readonly: true, notNull: true, filter: true }),
    bytes: integer({ readonly: true, notNull: true }),
    fileKey: text({ readonly: true, visible: 'nobody', notNull: true }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, rows: [{ unless: [], only: only.ofReadable('contract') }] },
  pack: 'employees',
})

/** A contract as the employee sees it by link. */
export interface LinkedContract {
  readonly '@id': string
  readonly '@type': 'LinkedContract'
  readonly company: string
  readonly logo: string | null
  /** Reason why the link shows nothing any more; empty while it does. */
  readonly sentence: string
  /** Undefined if the link shows nothing any more. */
  readonly contract?: {
    readonly number: string
    readonly title: string
    readonly employeeName: string
    readonly body: string
    readonly digest: string
    readonly signUntil: string
    readonly state: Contract['state']
    readonly signedAt: string | null
  }
}
