import {
  choice,
  email,
  flag,
  instant,
  integer,
  json,
  link,
  longText,
  strings,
  text,
  typedJson,
} from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { now } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { NO_CONSENT_ERROR } from '#modules/portal/mail/letter.ts'
import { contact } from '../contacts/contact.ts'
import { RECEIVED_KINDS, type ReceivedMailSummary } from '../received-mail/reports.ts'

export const MAIL_STATES = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'sending', label: 'Being sent' },
  { value: 'sent', label: 'Sent' },
  { value: 'perhaps sent', label: 'Possibly sent' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'failed', label: 'Failed' },
  { value: 'stopped', label: 'Opted out' },
  { value: 'kept', label: 'Not sent: no mail server' },
  { value: 'received', label: 'Received' },
] as const

export type MailState = Exclude<(typeof MAIL_STATES)[number]['value'], 'received'>

/** Roles that see all e-mails that belong to their company. */
export const ALL_MAIL_READER_ROLES = ['ROLE_MAIL_ADMIN', 'ROLE_CLIENT_ADMIN']

/** An outgoing e-mail or an incoming reply. */
export const mailMessage = resource({
  type: 'Message',
  service: 'email',
  path: 'messages',
  table: 'message',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  fields: {
    recipient: email({ readonly: true, filter: 'partial' }),
    /** Sender of an incoming e-mail. */
    sender: text({ readonly: true, default: '' }),
    subject: text({ readonly: true, filter: 'partial' }),
    /** Text of the e-mail. Any secret link is replaced with a note. */
    body: longText({ readonly: true }),
    template: text({ readonly: true, filter: true }),
    state: choice(MAIL_STATES, { readonly: true, filter: true }),
    error: text({ readonly: true }),
    author: text({ readonly: true, filter: true, person: true }),
    /** ID of the author's user account, if the author is a person. */
    user: integer({ readonly: true, visible: 'nobody', column: 'user_id' }),
    contact: link(() => contact, { readonly: true, filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    account: link(() => client, { readonly: true, filter: true, embed: ['company'], label: 'Client' }),
    /** API URL of the record that the e-mail, or the e-mail that it answers, is about; empty if there is none. */
    about: text({ readonly: true, filter: true }),
    /** File names of the attachments. */
    attachments: strings({ readonly: true }),
    files: json({ readonly: true, visible: 'nobody' }),
    /** True if the e-mail, or the e-mail that it answers, contains a personal link. */
    confidential: flag({ readonly: true }),
    /** Whether the e-mail was written by a person and has an unsubscribe link. */
    stoppable: flag({ readonly: true }),
    marketing: flag({ readonly: true, filter: true }),
    incoming: flag({ readonly: true, filter: true, label: 'Received' }),
    /** Kind of a received e-mail; null for a sent one. */
    kind: choice(RECEIVED_KINDS, { readonly: true, filter: true }),
    /** Quoted e-mails and signature of a received e-mail, which screens show on request. */
    quoted: longText({ readonly: true, default: '', omitFromLists: true }),
    received: typedJson<ReceivedMailSummary | null>()({
      readonly: true,
      sql: 'CASE WHEN t.incoming THEN received_mail(t.client_id, t.id) END',
    }),
    answerTo: link((): Resource => mailMessage, {
      readonly: true,
      filter: true,
      column: 'answer_to',
      label: 'Reply to',
    }),
    resendOf: link((): Resource => mailMessage, {
      readonly: true,
      filter: true,
      column: 'resend_of',
      label: 'Resend of',
    }),
    run: integer({ readonly: true, filter: true, column: 'run_id', label: 'Batch' }),
    token: text({ readonly: true, visible: 'nobody' }),
    createdAt: instant({ readonly: true, filter: true, order: true }),
    sentAt: instant({ readonly: true }),
  },
  allow: {
    read: [...ALL_MAIL_READER_ROLES, 'ROLE_STAFF'],
    rows: [
      { unless: ALL_MAIL_READER_ROLES, only: only.either(only.mine('user'), only.ofReadable('contact')) },
      { unless: [], only: only.ofReadableAddress('about') },
    ],
  },
})

/** A file of a received e-mail, accessible to everybody who may read the e-mail. Never changed or deleted. */
export const mailAttachment = resource({
  type: 'MailAttachment',
  service: 'email',
  path: 'attachments',
  table: 'mail_attachment',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  fields: {
    message: link(() => mailMessage, { readonly: true, filter: true, label: 'E-mail' }),
    name: text({ readonly: true, notNull: true, filter: 'partial', order: true }),
    ...storedFileFields,
  },
  allow: {
    read: [...ALL_MAIL_READER_ROLES, 'ROLE_STAFF'],
    rows: [{ unless: 'nobody', only: only.ofReadable('message') }],
  },
})

/** An e-mail about a record, as returned by the record's `letters`, such as `GET quotes/{id}/letters`. */
export interface EmailDelivery {
  readonly '@id': string
  readonly recipient: string
  readonly template: string
  readonly state: MailState
  readonly error: string | null
  readonly createdAt: string
}

/** Advice for e-mails that can't be sent because no mail server is set up. */
const SEND_PDF = 'Download the PDF and send it yourself, or ask an administrator to set up a mail server.'

type Delivered = Pick<EmailDelivery, 'state' | 'recipient' | 'error'>

/**
 * Describes the delivery of an e-mail, such as "Sent to ann@acme.example". "Sent" means that a mail server has accepted
 * the e-mail. `instead` says what to do without a mail server.
 */
export function describeDelivery({ state, recipient, error }: Delivered, instead = SEND_PDF): string {
  const reason = error || 'no reason given'
  switch (state) {
    case 'waiting':
    case 'sending':
      return error ? `Not sent to ${recipient} yet (${error}). It will be tried again.` : `Being sent to ${recipient}`
    case 'sent':
      return error ? `Sent to ${recipient}, but not delivered yet. ${error}` : `Sent to ${recipient}`
    case 'perhaps sent':
      return `Possibly sent to ${recipient}, but the mail server did not confirm it. Ask the recipient, or send it again.`
    case 'bounced':
      return `Not delivered: the e-mail to ${recipient} bounced (${reason}). Check the address and send it again.`
    case 'stopped':
      return error === NO_CONSENT_ERROR
        ? `Not sent: ${recipient} has not consented to marketing.`
        : `Not sent: ${recipient} has opted out of e-mails.`
    case 'kept':
      return `Not sent: no mail server is set up. ${instead}`
    case 'failed':
      return `Not sent: the mail server rejected ${recipient} (${reason}). Check the address and send it again.`
  }
}

/**
 * Returns the e-mail that determines whether a record has been sent: a sent e-mail or, if there is none, the latest. If
 * an e-mail has been sent, a later rejection doesn't change this.
 */
export const decisiveEmail = (emails: readonly EmailDelivery[]): EmailDelivery | undefined =>
  emails.find(({ state }) => state === 'sent') ?? emails[0]

/** Milliseconds for which an e-mail that has not been queued yet is treated as being sent. */
const SENDING_WINDOW_MS = 2 * 60_000

export const isWithinSendingWindow = (requestedAt: string | null | undefined): boolean =>
  Boolean(requestedAt && now().epochMilliseconds - Date.parse(requestedAt) < SENDING_WINDOW_MS)

/** An e-mail address to which no e-mails may be sent. Lifting the suppression requires a reason. */
export const emailSuppression = resource({
  type: 'EmailSuppression',
  service: 'email',
  path: 'suppressions',
  table: 'email_suppression',
  tenant: 'own',
  title: 'address',
  order: ['-id'],
  fields: {
    address: email({ required: true, filter: 'partial', order: true }),
    reason: choice(
      [
        { value: 'asked', label: 'Opted out' },
        { value: 'bounced', label: 'E-mails returned' },
      ],
      { default: 'asked', filter: true },
    ),
    detail: text({ default: '', max: 300 }),
    message: integer({ readonly: true, column: 'message_id', label: 'E-mail' }),
    createdAt: instant({ readonly: true, order: true, label: 'Since' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Recorded by' }),
    retired: flag({ filter: true, label: 'Lifted', editable: 'ROLE_MAIL_ADMIN' }),
    liftedReason: text({
      default: '',
      max: 300,
      label: 'Why e-mails may be sent again',
      editable: 'ROLE_MAIL_ADMIN',
    }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_MAIL_ADMIN' },
})
