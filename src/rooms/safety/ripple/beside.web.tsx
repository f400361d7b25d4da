import { lazy, Suspense } from 'react'
import type { RippleProps, TouchesProps } from './ripple.web.tsx'

const load = () => import('./ripple.web.tsx')
const Whole = lazy(async () => ({ default: (await load()).Ripple }))
const Line = lazy(async () => ({ default: (await load()).Touches }))

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
