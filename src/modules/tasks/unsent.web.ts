import { useEffect } from 'react'
import type { Me } from '#web/api/session.ts'
import { loadOfflineQueue, setOfflineQueueLoader, useQueuedRequests } from '#web/offline/outbox/outbox.ts'
import { offlineOwnerOf } from '#web/offline/owner.ts'
import { requestStore } from '#web/offline/request-store.ts'
import { isDeliveredForOthers, type QueuedRequest } from '#web/offline/requests.ts'

setOfflineQueueLoader(async () => (await import('#web/offline/outbox/start.ts')).startOfflineQueue())

/** Reads the requests of a person that exist only on this device. */
export async function readUnsent(me: Me): Promise<readonly QueuedRequest[]> {
  const owner = offlineOwnerOf(me)
  if (owner === undefined) return []
  return (await requestStore.all(owner).catch(() => [])).filter((request) => !isDeliveredForOthers(request))
}

/** Returns the person's unsent requests. The queue is loaded, and sends them, only if there are any. */
export function useUnsent(me: Me | undefined): readonly QueuedRequest[] {
  const owner = offlineOwnerOf(me)
  useEffect(() => {
    if (owner === undefined) return
    void requestStore.all(owner).then(
      (all) => {
        if (all.length) void loadOfflineQueue()
      },
      () => undefined,
    )
  }, [owner])
  return useQueuedRequests()
}
