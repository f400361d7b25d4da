import { useQuery } from '@tanstack/react-query'
import { now } from '#kernel/time.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { mailMessage } from './message.ts'

export const MAIL_STATE_COLOURS: Readonly<Record<string, ColourMeaning>> = {
  waiting: 'info',
  sending: 'info',
  sent: 'safe',
  received: 'safe',
  kept: 'attention',
  'perhaps sent': 'attention',
  stopped: 'attention',
  bounced: 'stop',
  failed: 'stop',
}

/** An e-mail about a record, as returned by the record's `letters`, such as `GET quotes/{id}/letters`. */
export interface EmailDelivery {
  readonly '@id': string
  readonly recipient: string
  readonly template: string
  readonly state: 'waiting' | 'sending' | 'sent' | 'perhaps sent' | 'bounced' | 'stopped' | 'kept' | 'failed'
  readonly error: string | null
  readonly createdAt: string
}

/** Advice for e-mails that can't be sent because no mail server is set up. */
const SEND_PDF = 'Download the PDF and send it yourself, or ask an administrator to set up a mail server.'

type Delivered = Pick<EmailDelivery, 'state' | 'recipient' | 'error'>

/**
 * Describes the delivery of an e-mail, such as "Sent to ann@acme.example". "Sent" means that a mail server has accepted
 * the e-mail. `instead` states what to do without a mail server.
 */
export function describeDelivery({ state, recipient, error }: Delivered, instead = SEND_PDF): string {
  const reason = error || 'no reason given'
  switch (state) {
    case 'waiting':
    case 'sending':
      return error ? `Not sent to ${recipient} yet (${error}). It will be tried again.` : `Being sent to ${recipient}`
    case 'sent':
      return `Sent to ${recipient}`
    case 'perhaps sent':
      return `Possibly sent to ${recipient}, but the mail server did not confirm it. Ask the recipient, or send it again.`
    case 'bounced':
      return `Not delivered: the e-mail to ${recipient} bounced (${reason}). Check the address and send it again.`
    case 'stopped':
      return `Not sent: ${recipient} has opted out of e-mails.`
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

const POLL_MS = 1500
/** Milliseconds for which an e-mail that has not been queued yet is treated as being sent. */
const SENDING_WINDOW_MS = 2 * 60_000

export const isWithinSendingWindow = (requestedAt: string | null | undefined): boolean =>
  Boolean(requestedAt && now().epochMilliseconds - Date.parse(requestedAt) < SENDING_WINDOW_MS)

/**
 * Returns the e-mails about a record, latest first; `undefined` while they are loading. Polls while an e-mail is being
 * sent. `requestedAt` is the time at which the last e-mail was requested.
 */
export const useEmailsAbout = (
  iri: string | undefined,
  { enabled = true, requestedAt }: { enabled?: boolean; requestedAt?: string | null | undefined } = {},
): readonly EmailDelivery[] | undefined =>
  useQuery({
    queryKey: [mailMessage.url, 'about', iri],
    ...urlQueryOptions<{ 'hydra:member': EmailDelivery[] }>(`${iri}/letters`),
    enabled: enabled && iri !== undefined,
    refetchInterval: (query) => {
      const latest = query.state.data?.['hydra:member'][0]
      const isUnderWay = latest
        ? latest.state === 'waiting' || latest.state === 'sending'
        : isWithinSendingWindow(requestedAt)
      return isUnderWay ? POLL_MS : false
    },
  }).data?.['hydra:member']
