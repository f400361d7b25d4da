import { type ReactNode, Suspense, useState } from 'react'

/** What a button must have to ask for what it opens. */
interface Wanted {
  readonly 'aria-haspopup': 'true'
  readonly 'aria-expanded': false
  readonly onClick: () => void
  readonly onPointerEnter: () => void
  readonly onTouchStart: () => void
  readonly onFocus: () => void
}

interface Props {
  /** What is opened comes in a file of its own. */
  readonly load: () => Promise<unknown>
  /** The button alone. */
  readonly closed: (wanted: Wanted) => ReactNode
  /** The same with what it opens; open from the beginning. */
  readonly children: ReactNode
}

/**
 * A button that opens something, as long as nobody has wanted that: what it opens is loaded when somebody is about to press it,
 * and takes the button's place.
 */
export function WhenWanted({ load, closed, children }: Props) {
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
