import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'

interface Props {
  /** Where one is: it is said anew at another place. */
  readonly at: number
  readonly onNear: () => void
  readonly children: ReactNode
}

/** Says when somebody may be about to use what is in it: it has come into sight. */
export function Near({ at, onNear, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is the occasion
  useEffect(() => {
    if (!frame.current) return
    const watched = new IntersectionObserver(([seen]) => seen?.isIntersecting && near())
    watched.observe(frame.current)
    return () => watched.disconnect()
  }, [at])
  return <div ref={frame}>{children}</div>
}
