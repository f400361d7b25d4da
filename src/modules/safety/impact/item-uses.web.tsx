import { Suspense } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { LibraryItemRef, LibraryItemUsesProps } from './item-uses-section.web.tsx'

const load = () => import('./item-uses-section.web.tsx')
const Whole = lazyComponent(async () => ({ default: (await load()).LibraryItemUsesSection }))
const Line = lazyComponent(async () => ({ default: (await load()).LibraryItemUseCountLink }))

/** Documents affected by a change to a library item, loaded when the item is opened. */
export const LazyLibraryItemUses = (props: LibraryItemUsesProps) => (
  <Suspense>
    <Whole {...props} />
  </Suspense>
)

/** Number of affected documents as one line of text, shown beside the save button. */
export const LazyLibraryItemUseCount = (props: LibraryItemRef) => (
  <Suspense>
    <Line {...props} />
  </Suspense>
)
