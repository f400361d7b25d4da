import { Suspense } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { LibraryItemProps, LibraryItemRef } from './item-uses-section.web.tsx'

const load = () => import('./item-uses-section.web.tsx')
const Whole = lazyComponent(async () => ({ default: (await load()).LibraryItemUsesSection }))
const Line = lazyComponent(async () => ({ default: (await load()).LibraryItemUseLine }))

/** Documents affected by a change of a library item, loaded when the item is opened. */
export const LibraryItemUses = (props: LibraryItemProps) => (
  <Suspense>
    <Whole {...props} />
  </Suspense>
)

/** Number of affected documents as one line beside the save button. */
export const LibraryItemUseCount = (props: LibraryItemRef) => (
  <Suspense>
    <Line {...props} />
  </Suspense>
)
