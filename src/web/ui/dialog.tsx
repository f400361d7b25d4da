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

/** Delay in milliseconds after closing until the input is reset (specification, section 9). */
const RESET_MS = 300

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** Width, by default 80% of the window's width. Below 600 px, a dialog is a sheet. */
  readonly size?: string | number
  /**
   * Whether the URL opens the dialog. Back then closes the dialog anyway, so Back is intercepted only if there is
   * unsaved input.
   */
  readonly addressed?: boolean
  /**
   * Whether the dialog is shown above all other dialogs. Set for questions from the shell that another action is
   * waiting for.
   */
  readonly above?: boolean
  /**
   * Whether the dialog is temporarily closed. The contents are retained, because the dialog may have to open again. Set
   * this for every dialog that may be suspended.
   */
  readonly asleep?: boolean
  /** Called once the dialog has closed and its contents have been reset. */
  readonly onReset?: () => void
}

const ABOVE = 400
/** Number of open dialogs with `above` set. While there are any, only they handle Escape. */
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
 * Dialog that keeps the focus inside and restores it afterwards. Escape closes the dialog. Before unsaved input is
 * discarded, the person is asked for confirmation.
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

  // The question opens with a delay, because otherwise the same press of Escape would also close the question.
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

/** Buttons at the foot of a dialog. They stay visible even if the dialog is long. */
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

/** Prevents the dialog below from handling Escape while the caller is open. */
export function useCoverDialogBelow(opened: boolean) {
  const below = useContext(DialogContext)
  useEffect(() => (opened ? below?.covered() : undefined), [opened, below])
}
