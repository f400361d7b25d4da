import { type ComponentProps, Suspense } from 'react'
import { lazily } from '../../ui/lazily.tsx'
import type { QueuedChip as Chip, QueuedList as List } from './queued-list.tsx'

/** Rarely wanted: it comes with what keeps things, before a connection can go. */
const load = () => import('./queued-list.tsx')
const LazyList = lazily(async () => ({ default: (await load()).QueuedList }))
const LazyChip = lazily(async () => ({ default: (await load()).QueuedChip }))

/** What was given for a record on this device and is not in it yet, or was not taken. */
export const Kept = (props: ComponentProps<typeof List>) =>
  props.parcels.length > 0 && (
    <Suspense>
      <LazyList {...props} />
    </Suspense>
  )

/** How something stands that is on this device only. */
export const KeptChip = (props: ComponentProps<typeof Chip>) => (
  <Suspense>
    <LazyChip {...props} />
  </Suspense>
)
