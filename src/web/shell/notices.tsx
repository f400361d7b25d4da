import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import css from './notices.module.css'

/** Sets the height of the toasts as a CSS variable, so that the menu ends above them. */
function useToastHeight() {
  useEffect(() => {
    const observer = new ResizeObserver(([toasts]) =>
      document.documentElement.style.setProperty('--toasts', `${Math.ceil(toasts?.contentRect.height ?? 0)}px`),
    )
    const toasts = document.querySelector(`.${css.place}`)
    if (toasts) observer.observe(toasts)
    return () => observer.disconnect()
  }, [])
}

/** Container for toasts. Toasts raised before this chunk has loaded are shown once it has. */
export default function Notices() {
  useToastHeight()
  return <Notifications position="bottom-left" limit={3} className={css.place} />
}
