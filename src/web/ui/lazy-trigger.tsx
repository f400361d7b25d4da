import { type ReactNode, Suspense, useState } from 'react'

/** Props that a button needs in order to open lazy content. */
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
  /** Button together with its content, which is open from the start. */
  readonly children: ReactNode
}

/**
 * Button for content that is loaded when the person is about to click the button. Once loaded, the content replaces the
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
