import { type ComponentProps, Suspense } from 'react'
import { lazily } from '../../ui/lazily.tsx'
import type { QueuedChip as Chip, QueuedList as List } from './queued-list.tsx'

/** Seldom needed: loaded with the queue, before the connection can be lost. */
const load = () => import('./queued-list.tsx')
const LazyList = lazily(async () => ({ default: (await load()).QueuedList }))
const LazyChip = lazily(async () => ({ default: (await load()).QueuedChip }))

/** The queued and refused requests about a record; nothing where there are none. */
export const QueuedList = (props: ComponentProps<typeof List>) =>
  props.requests.length > 0 && (
    <Suspense>
      <LazyList {...props} />
    </Suspense>
  )

/** The status of a request: queued or refused. */
export const QueuedChip = (props: ComponentProps<typeof Chip>) => (
  <Suspense>
    <LazyChip {...props} />
  </Suspense>
)
