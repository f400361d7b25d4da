import { Suspense } from 'react'
import { lazily } from '#web/ui/lazily.tsx'
import type { RippleProps, TouchesProps } from './ripple.web.tsx'

const load = () => import('./ripple.web.tsx')
const Whole = lazily(async () => ({ default: (await load()).Ripple }))
const Line = lazily(async () => ({ default: (await load()).Touches }))

/** Documents affected by a change of a library item; loaded when an item is opened. */
export const Ripple = (props: RippleProps) => (
  <Suspense>
    <Whole {...props} />
  </Suspense>
)

/** The same as one line, next to the save button. */
export const Touches = (props: TouchesProps) => (
  <Suspense>
    <Line {...props} />
  </Suspense>
)
