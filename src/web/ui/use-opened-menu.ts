import { useEffect, useRef, useState } from 'react'

/** For a menu that takes the place of its button `WhenWanted`: it is open as soon as it comes, and its button has the focus. */
export function useOpenedMenu() {
  const [opened, onChange] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus()
    onChange(true)
  }, [])
  return { menu: { opened, onChange, position: 'bottom-end' as const }, button }
}
