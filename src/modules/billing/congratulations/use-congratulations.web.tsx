import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

const Congratulations = lazyComponent(() => import('./congratulations.web.tsx'))

/** Returns a function that congratulates the user on a sale, and the dialog to render. */
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
