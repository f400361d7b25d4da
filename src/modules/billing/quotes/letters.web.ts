import { useQuery } from '@tanstack/react-query'
import { now } from '#kernel/time.ts'
import { mailMessage } from '#modules/crm/mail/message.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import type { QuoteRecord } from './data.web.ts'

/** An e-mail to the customer, as returned by `GET quotes/{id}/letters`. */
export interface QuoteMailStatus {
  readonly '@id': string
  readonly recipient: string
  readonly template: string
  readonly state: 'waiting' | 'sending' | 'sent' | 'perhaps sent' | 'bounced' | 'stopped' | 'kept' | 'failed'
  readonly error: string | null
  readonly createdAt: string
}

/** Returns the e-mails to the customer, latest first. Polls while an e-mail is being sent. */
export const useQuoteMails = (q: QuoteRecord | undefined): readonly QuoteMailStatus[] =>
  useQuery({
    queryKey: [mailMessage.url, 'about', q?.['@id']],
    ...urlQueryOptions<{ 'hydra:member': QuoteMailStatus[] }>(`${q?.['@id']}/letters`),
    enabled: Boolean(q && q.state !== 'draft' && q.emailTo),
    refetchInterval: (query) => {
      const told = toldOf(query.state.data?.['hydra:member'] ?? [])
      return (told ? told.state === 'waiting' || told.state === 'sending' : isRecent(q)) ? ASK_AGAIN : false
    },
  }).data?.['hydra:member'] ?? []

const ASK_AGAIN = 1500

/**
 * Returns the e-mail that determines the delivery status: a sent e-mail or, if there is none, the latest. If an e-mail
 * has been sent, a later rejection doesn't change the status.
 */
const toldOf = (letters: readonly QuoteMailStatus[]): QuoteMailStatus | undefined =>
  letters.find(({ state }) => state === 'sent') ?? letters[0]

/** Milliseconds for which an e-mail with an unknown status is treated as being sent. */
const SENDING_WINDOW_MS = 2 * 60_000

const isRecent = (q: QuoteRecord | undefined): boolean =>
  Boolean(q?.sentAt && now().epochMilliseconds - Date.parse(q.sentAt) < SENDING_WINDOW_MS)

/** Describes the status of the e-mail with which a quote was sent, such as "sent to ann@acme.example". */
export function describeQuoteDelivery(q: QuoteRecord, letters: readonly QuoteMailStatus[]): string {
  if (!q.emailTo) return 'open'
  const letter = toldOf(letters)
  if (letter) return WENT[letter.state](letter)
  return WENT[isRecent(q) ? 'waiting' : 'sent']({ recipient: q.emailTo, error: null })
}

const WENT: Readonly<Record<QuoteMailStatus['state'], (of: Pick<QuoteMailStatus, 'recipient' | 'error'>) => string>> = {
  waiting: ({ recipient }) => `being sent to ${recipient}`,
  sending: ({ recipient }) => `being sent to ${recipient}`,
  sent: ({ recipient }) => `sent to ${recipient}`,
  'perhaps sent': ({ recipient }) =>
    `possibly sent to ${recipient}, but the mail server did not confirm it. Ask the customer, or send the quote again`,
  bounced: ({ recipient, error }) => `open, but the e-mail to ${recipient} bounced (${error ?? 'no reason given'})`,
  stopped: ({ recipient }) => `open, but ${recipient} has opted out of e-mails`,
  kept: ({ recipient }) =>
    `open, but not e-mailed to ${recipient} because no mail server is configured. Copy the link and send it to the customer yourself`,
  failed: ({ recipient, error }) => `open, but the mail server rejected ${recipient} (${error ?? 'no reason given'})`,
}
