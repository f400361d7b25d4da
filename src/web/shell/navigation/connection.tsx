import { Badge } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useIsMutating } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

function subscribe(l: () => void) {
  addEventListener('online', l)
  addEventListener('offline', l)
  return () => {
    removeEventListener('online', l)
    removeEventListener('offline', l)
  }
}

const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

/** Shown only while there is something to say: no connection, or changes that wait for one. */
export function Connection() {
  const online = useOnline()
  const waiting = useIsMutating({ predicate: (m) => m.state.isPaused })
  const words = [...(online ? [] : ['Offline']), ...(waiting ? [`${waiting} waiting to be sent`] : [])]
  return (
    <div role="status">
      {words.length > 0 && (
        <Badge color="yellow.6" size="lg" tt="none" leftSection={<IconCloudOff size={16} aria-hidden />}>
          {words.join(', ')}
        </Badge>
      )}
    </div>
  )
}
