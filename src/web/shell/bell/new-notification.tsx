import { type ComponentType, Suspense, useContext, useEffect, useState } from 'react'
import { ModulesContext, type NoticeDialogProps } from '../manifest/module.ts'
import { onNewNotifications } from './record-changes.ts'

/** Milliseconds between two checks of whether the user is still typing. */
const TYPING_CHECK_MS = 1000
const isTyping = () => document.activeElement?.matches('input, textarea, select, [contenteditable=true]') === true

interface OpenDialog extends Omit<NoticeDialogProps, 'onClose'> {
  readonly Body: ComponentType<NoticeDialogProps>
}

/** Dialog of a module for a notification that has just arrived. It waits until the user has stopped typing. */
export default function NewNotificationDialog() {
  const modules = useContext(ModulesContext)
  const [open, setOpen] = useState<OpenDialog>()
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setInterval>>()
    const stop = onNewNotifications((arrived) => {
      for (const { kind, words, about } of arrived) {
        const dialog = modules.flatMap((module) => module.noticeDialogs).find((one) => one.kind === kind)
        if (!dialog) continue
        const loading = dialog.load()
        const timer = setInterval(() => {
          if (isTyping()) return
          clearInterval(timer)
          timers.delete(timer)
          loading.then(({ default: Body }) => setOpen({ Body, words, about })).catch(() => undefined)
        }, TYPING_CHECK_MS)
        timers.add(timer)
      }
    })
    return () => {
      stop()
      for (const timer of timers) clearInterval(timer)
    }
  }, [modules])
  if (!open) return null
  const { Body, ...notice } = open
  return (
    <Suspense fallback={null}>
      <Body {...notice} onClose={() => setOpen(undefined)} />
    </Suspense>
  )
}
