import { useEffect, useEffectEvent, useId } from 'react'
import type { FormStore } from '#web/forms/schema/store.ts'
import { useStep } from '#web/forms/schema/use-step.ts'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { isBehindDialog } from '#web/ui/opened/layers.ts'

const MAC = /Mac|iP(hone|ad)/

/** Ctrl S saves now; Alt with the arrows goes from step to step. */
export function useEditorKeys(store: FormStore, save: () => unknown) {
  const { steps, step, go } = useStep(store, 'address', useId())
  const move = (by: 1 | -1) => {
    const next = steps[steps.findIndex((s) => s.name === step?.name) + by]
    if (!next) return
    go(next.name)
    // Once the step is there.
    setTimeout(() => document.querySelector<HTMLElement>('section[aria-labelledby$="-step"] h2')?.focus(), 60)
  }
  useShortcuts([
    { keys: 'mod+s', label: 'Save now', run: () => save(), always: true },
    { keys: 'Alt ArrowRight', label: 'Next step', run: () => move(1) },
    { keys: 'Alt ArrowLeft', label: 'Previous step', run: () => move(-1) },
  ])
  const onKey = useEffectEvent((e: KeyboardEvent) => {
    if (!e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return
    if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return
    // On a Mac these keys walk through the words of a text.
    const typing = e.target instanceof HTMLElement && e.target.closest('input, textarea, [contenteditable=true]')
    if ((typing && MAC.test(navigator.userAgent)) || isBehindDialog()) return
    e.preventDefault()
    move(e.key === 'ArrowRight' ? 1 : -1)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
