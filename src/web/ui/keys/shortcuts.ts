import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { deviceStorage } from '../../offline/browser-storage.ts'
import { wasPageCovered } from '../overlays/layers.ts'
import { acceptsTyping, isCharacterKey } from '../overlays/typing.ts'
import { findShortcut, type ShortcutDefinition } from './keys.ts'

export type { ShortcutDefinition } from './keys.ts'

let groups: readonly (readonly ShortcutDefinition[])[] = []
let before: string | undefined
let beforeAt = 0
/** Time at which a letter that is not a shortcut was last typed, in ms since 1970. */
let strayAt = 0
/** Pause in typing, in milliseconds, after which letters work as shortcuts again. */
const CALM_MS = 500
const listeners = new Set<() => void>()
const singleKeysSetting = deviceStorage.text('stanchion-single-keys')

function change(next: typeof groups) {
  groups = next
  for (const l of listeners) l()
}

/** Setting for single-key shortcuts. They can be switched off, because they interfere with speech input. */
export const singleKeyShortcuts = {
  on: () => singleKeysSetting.read() !== 'off',
  set: (on: boolean) => {
    singleKeysSetting.write(on ? 'on' : 'off')
    change([...groups])
  },
}

export const useShortcutGroups = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    () => groups,
  )

/**
 * Registers shortcuts for as long as the calling screen is shown, from its first paint on. The person can list them
 * with `?`.
 */
export function useShortcuts(shortcuts: readonly ShortcutDefinition[]): void {
  const run = useEffectEvent((i: number) => shortcuts[i]?.run())
  const shape = JSON.stringify(shortcuts.map(({ keys, label, always }) => ({ keys, label, always })))
  useLayoutEffect(() => {
    const group = (JSON.parse(shape) as Omit<ShortcutDefinition, 'run'>[]).map(
      (s, i): ShortcutDefinition => ({ ...s, run: () => run(i) }),
    )
    change([...groups, group])
    return () => change(groups.filter((g) => g !== group))
  }, [shape])
}

const WIDGET = ['radiogroup', 'tablist', 'menu', 'menubar', 'listbox', 'grid', 'tree', 'slider', 'combobox']
  .map((role) => `[role=${role}]`)
  .join()

/** Returns true if the key is the first of a two-key shortcut. */
const begins = (key: string) => groups.flat().some((s) => s.keys.startsWith(`${key} `))

/** Starts the only key listener of the page, for the shell. Returns a function that stops it. */
export function listenForShortcuts(): () => void {
  const onKey = (e: KeyboardEvent) => {
    if (e.defaultPrevented || e.isComposing) return
    const typing = acceptsTyping(e.target)
    if (isCharacterKey(e) && typing) {
      before = undefined
      return
    }
    const at = e.target instanceof Element ? e.target : undefined
    const pressed = {
      key: e.key,
      mod: e.ctrlKey || e.metaKey,
      alt: e.altKey,
      typing,
      onControl: !!at?.closest('button, a[href], summary, [role=option], [role=menuitem]'),
      inWidget: !!at?.closest(WIDGET),
      layered: wasPageCovered(),
      repeat: e.repeat,
    }
    const isLetter = isCharacterKey(e) && !pressed.layered
    // Letters typed in quick succession while no field is focused are probably a sentence, so they must not trigger
    // shortcuts.
    if (isLetter && Date.now() - strayAt < CALM_MS) {
      strayAt = Date.now()
      return
    }
    const found = findShortcut(
      groups.flat(),
      pressed,
      Date.now() - beforeAt < 1000 ? before : undefined,
      singleKeyShortcuts.on(),
    )
    before = pressed.typing ? undefined : e.key
    beforeAt = Date.now()
    if (!found) {
      if (isLetter && !pressed.inWidget && !begins(e.key)) strayAt = Date.now()
      return
    }
    e.preventDefault()
    before = undefined
    found.run()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
