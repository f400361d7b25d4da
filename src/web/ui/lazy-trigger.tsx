import { type ReactNode, Suspense, useState } from 'react'

/** The props that a button needs in order to open lazy content. */
interface LazyTriggerProps {
  readonly 'aria-haspopup': 'true'
  readonly 'aria-expanded': false
  readonly onClick: () => void
  readonly onPointerEnter: () => void
  readonly onTouchStart: () => void
  readonly onFocus: () => void
}

interface Props {
  /** Loads the content from a separate file. */
  readonly load: () => Promise<unknown>
  /** Renders the button before its content is loaded. */
  readonly closed: (wanted: LazyTriggerProps) => ReactNode
  /** The button with its content, open from the start. */
  readonly children: ReactNode
}

/**
 * A button for lazy content. The content is loaded when a person is about to press the button, and then replaces the
 * button.
 */
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
