import { useMounted } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/**
 * Returns the state of a menu that replaces its `LazyTrigger` button. The menu opens as soon as it is mounted, and the
 * button receives the focus.
 */
export function useOpenedMenu() {
  const [wanted, onChange] = useState(true)
  const opened = useMounted() && wanted
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return { menu: { opened, onChange, position: 'bottom-end' as const }, button }
}
