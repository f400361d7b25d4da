import { type ReactNode, Suspense, useState } from 'react'
import { lazily } from '#web/ui/lazily.tsx'

const Congratulations = lazily(() => import('./congratulations.web.tsx'))

/** Says well done: what was sold is given to the function, and the dialog stands where the other is put. */
export function useCongratulations(): readonly [(sold: string) => void, ReactNode] {
  const [sold, setSold] = useState<string>()
  return [
    setSold,
    sold !== undefined && (
      <Suspense fallback={null}>
        <Congratulations sold={sold} onClose={() => setSold(undefined)} />
      </Suspense>
    ),
  ]
}
