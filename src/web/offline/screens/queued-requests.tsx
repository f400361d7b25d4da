import { type ComponentProps, Suspense } from 'react'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import type { QueuedRequestChip as Chip, QueuedRequestList as List } from './queued-list.tsx'

/** Seldom needed, so it is loaded with the queue, before the connection can be lost. */
const load = () => import('./queued-list.tsx')
const LazyList = lazyComponent(async () => ({ default: (await load()).QueuedRequestList }))
const LazyChip = lazyComponent(async () => ({ default: (await load()).QueuedRequestChip }))

/** The queued and rejected requests about a record; renders nothing if there are none. */
export const LazyQueuedRequestList = (props: ComponentProps<typeof List>) =>
  props.requests.length > 0 && (
    <Suspense>
      <LazyList {...props} />
    </Suspense>
  )

/** The status of a request: queued or rejected. */
export const LazyQueuedRequestChip = (props: ComponentProps<typeof Chip>) => (
  <Suspense>
    <LazyChip {...props} />
  </Suspense>
)
