import { Group, Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import {
  Fragment,
  type ReactNode,
  use,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import css from './dialog.module.css'
import { DialogContext, type DialogScope } from './dialog-context.ts'
import { useCloseOnBack } from './overlays/back.ts'
import { RecordPagerContext } from './page-sign.ts'

/** The delay after closing until the input is reset (specification, section 9). */
const RESET_MS = 300

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** Width: 80% of the window by default; below 600 px a dialog is a sheet. */
  readonly size?: string | number
  /** Whether the address opens the dialog: Back closes it anyway, and is blocked only if something is unsaved. */
  readonly addressed?: boolean
  /** Shows the dialog above every other: for a question of the shell that something waits for. */
  readonly above?: boolean
  /**
   * Whether the dialog is temporarily closed: its contents remain, because it may have to open again. Set for every
   * dialog that may be suspended.
   */
  readonly asleep?: boolean
  /** Called once the dialog has closed and its contents are reset. */
  readonly onReset?: () => void
}

const ABOVE = 400
/** The number of open dialogs above all others: they alone handle Escape. */
let above = 0
const listeners = new Set<() => void>()
const onAbove = (l: () => void) => {
  listeners.add(l)
  return () => void listeners.delete(l)
}
const countAbove = (change: number) => {
  above += change
  for (const l of listeners) l()
}

/**
 * A dialog: the focus stays inside and returns afterwards, Escape closes it, and it asks before discarding unsaved
 * input.
 */
export function Dialog({
  opened: wanted,
  asleep,
  onClose,
  title,
  children,
  size = '80vw',
  above: isAbove = false,
  addressed = false,
  onReset,
}: Props) {
  const opened = wanted && !asleep
  const sleeps = asleep !== undefined
  const [dirty, setDirty] = useState(0)
  const [asking, setAsking] = useState(false)
  const { scope, covered } = useScope(setDirty)
  const { generation, holds } = useReset(wanted, onReset)
  const beside = use(RecordPagerContext)
  useCoverDialogBelow(opened)
  const isBelow = useSyncExternalStore(onAbove, () => above > 0) && !isAbove
  useEffect(() => {
    if (!opened || !isAbove) return
    countAbove(1)
    return () => countAbove(-1)
  }, [opened, isAbove])

  // Delayed, so that the Escape key that opens the question does not also dismiss it.
  const close = () => (dirty ? void setTimeout(() => setAsking(true)) : onClose())
  useCloseOnBack(opened && (!addressed || dirty > 0), close)
  const shown = useMounted() && opened

  return (
    <Modal
      opened={shown}
      {...(sleeps ? { keepMounted: true, keepMountedMode: 'display-none' } : {})}
      data-closed={!shown || undefined}
      onClose={close}
      title={title}
      size={size}
      closeOnEscape={!covered && !asking && !isBelow}
      closeOnClickOutside={!dirty}
      {...(isAbove ? { zIndex: ABOVE } : {})}
      transitionProps={{ duration: 150 }}
      classNames={{
        inner: css.inner ?? '',
        content: css.content ?? '',
        title: css.title ?? '',
        close: css.close ?? '',
      }}
    >
      <DialogContext value={scope}>
        {addressed && dirty === 0 && <div className={css.beside}>{beside}</div>}
        <Fragment key={generation}>{(holds || !sleeps) && children}</Fragment>
        <ConfirmDialog
          opened={asking}
          title="Unsaved changes"
          question="Your changes are not saved. Close without saving?"
          action="Close without saving"
          cancel="Keep editing"
          meaning="stop"
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            onClose()
          }}
        />
      </DialogContext>
    </Modal>
  )
}

/** The buttons at the foot of a dialog, always visible even if the dialog is long. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <Group className={css.actions} justify="flex-end" gap="sm">
    {children}
  </Group>
)

function useScope(setDirty: (change: (n: number) => number) => void) {
  const [covered, setCovered] = useState(0)
  const scope = useMemo((): DialogScope => {
    const counted = (set: (change: (n: number) => number) => void) => () => {
      set((n) => n + 1)
      return () => set((n) => n - 1)
    }
    return { unsaved: counted(setDirty), covered: counted(setCovered) }
  }, [setDirty])
  return { scope, covered: covered > 0 }
}

function useReset(opened: boolean, onReset: (() => void) | undefined) {
  const [generation, setGeneration] = useState(0)
  const [was, setWas] = useState(false)
  if (opened && !was) setWas(true)
  const reset = useEffectEvent(() => onReset?.())
  useEffect(() => {
    if (opened || !was) return
    const timer = setTimeout(() => {
      setWas(false)
      setGeneration((n) => n + 1)
      reset()
    }, RESET_MS)
    return () => clearTimeout(timer)
  }, [opened, was])
  return { generation, holds: was }
}

/** Notifies the dialog below that Escape is not meant for it while the caller is open. */
export function useCoverDialogBelow(opened: boolean) {
  const below = useContext(DialogContext)
  useEffect(() => (opened ? below?.covered() : undefined), [opened, below])
}
