import { Suspense } from 'react'
import { lazily } from '#web/ui/lazily.tsx'
import type { RippleProps, TouchesProps } from './ripple.web.tsx'

const load = () => import('./ripple.web.tsx')
const Whole = lazily(async () => ({ default: (await load()).Ripple }))
const Line = lazily(async () => ({ default: (await load()).Touches }))

/** Whom a change of the library touches; it comes when somebody looks at one of its things. */
export const Ripple = (props: RippleProps) => (
  <Suspense>
    <Whole {...props} />
  </Suspense>
)

/** The same in a line, beside the button that saves the change. */
export const Touches = (props: TouchesProps) => (
  <Suspense>
    <Line {...props} />
  </Suspense>
)
