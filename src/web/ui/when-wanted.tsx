import { type ReactNode, Suspense, useState } from 'react'

/** The props that a button needs in order to open lazy content. */
interface Wanted {
  readonly 'aria-haspopup': 'true'
  readonly 'aria-expanded': false
  readonly onClick: () => void
  readonly onPointerEnter: () => void
  readonly onTouchStart: () => void
  readonly onFocus: () => void
}

interface Props {
  /** Loads the content from its own file. */
  readonly load: () => Promise<unknown>
  /** The button on its own. */
  readonly closed: (wanted: Wanted) => ReactNode
  /** The button with its content, open from the start. */
  readonly children: ReactNode
}

/** A button for lazy content: the content is loaded when a person is about to press the button, and replaces it. */
export function LazyTrigger({ load, closed, children }: Props) {
  const [isWanted, setWanted] = useState(false)
  const ahead = () => void load().catch(() => undefined)
  const button = closed({
    'aria-haspopup': 'true',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: ahead,
    onTouchStart: ahead,
    onFocus: ahead,
  })
  return isWanted ? <Suspense fallback={button}>{children}</Suspense> : button
}
