import { useQuery } from '@tanstack/react-query'
import { urlQueryOptions } from '#web/api/reading.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { type EmailDelivery, isWithinSendingWindow, mailMessage } from './message.ts'

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
  automatic: 'plain',
  delayed: 'attention',
}

const POLL_MS = 1500

export const emailsAboutOptions = (iri: string | undefined) => ({
  queryKey: [mailMessage.url, 'about', iri],
  ...urlQueryOptions<{ 'hydra:member': EmailDelivery[] }>(`${iri}/letters`),
})

/**
 * Returns the e-mails about a record, latest first; `undefined` while they are loading. Polls while an e-mail is being
 * sent. `requestedAt` is the time at which the last e-mail was requested.
 */
export const useEmailsAbout = (
  iri: string | undefined,
  { enabled = true, requestedAt }: { enabled?: boolean; requestedAt?: string | null | undefined } = {},
): readonly EmailDelivery[] | undefined =>
  useQuery({
    ...emailsAboutOptions(iri),
    enabled: enabled && iri !== undefined,
    refetchInterval: (query) => {
      const latest = query.state.data?.['hydra:member'][0]
      const isUnderWay = latest
        ? latest.state === 'waiting' || latest.state === 'sending'
        : isWithinSendingWindow(requestedAt)
      return isUnderWay ? POLL_MS : false
    },
  }).data?.['hydra:member']
