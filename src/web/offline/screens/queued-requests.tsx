import { type ComponentProps, Suspense } from 'react'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import type { QueuedRequestChip as Chip, QueuedRequestList as List } from './queued-list.tsx'

/**
 * The list is seldom needed, so it is in a separate file. The file is loaded together with the queue, before the
 * connection can be lost.
 */
const load = () => import('./queued-list.tsx')
const LazyList = lazyComponent(async () => ({ default: (await load()).QueuedRequestList }))
const LazyChip = lazyComponent(async () => ({ default: (await load()).QueuedRequestChip }))

/** List of the queued and rejected requests about a record. Renders nothing if there are none. */
export const LazyQueuedRequestList = (props: ComponentProps<typeof List>) =>
  props.requests.length > 0 && (
    <Suspense>
      <LazyList {...props} />
    </Suspense>
  )

export const LazyQueuedRequestChip = (props: ComponentProps<typeof Chip>) => (
  <Suspense>
    <LazyChip {...props} />
  </Suspense>
)
