import type { Values } from '#kernel/forms/visible.ts'
import { iriOf } from '#kernel/resource.ts'
import { QUEUED, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { type Presented, type Signer, useRefreshed } from './presented-data.web.ts'
import { presentedTalk } from './toolbox-talk.ts'

export type Sent = 'signed' | 'waiting'

/** Sends one signature; without a connection it is kept on this device. Throws what the portal refuses. */
export function useSignForTalk({ id, title }: Pick<Presented, 'id' | 'title'>) {
  const refreshed = useRefreshed()
  return async ({ name, '@id': attendee }: Signer, body: Values): Promise<Sent> => {
    const record = iriOf(presentedTalk, id)
    try {
      const made = await sendOrQueue('POST', `${record}/sign`, body, {
        description: {
          what: `Signature of ${name}`,
          of: title ?? '',
          at: location.pathname,
          about: [record, ...(attendee ? [attendee] : [])],
        },
      })
      return made === QUEUED ? 'waiting' : 'signed'
    } finally {
      await refreshed()
    }
  }
}
