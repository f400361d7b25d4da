import { Button, Group, Modal, Text } from '@mantine/core'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { type ColourMeaning, meaningStyles } from '../theme/meaning.ts'
import css from './dialog.module.css'
import { DialogContext } from './dialog-context.ts'
import { FormErrorText } from './error-text.tsx'
import { useOpenAfterRender } from './overlays/use-opened.ts'
import { errorSentence } from './toast.ts'

interface Question {
  readonly title: string
  readonly question: ReactNode
  /** Label of the confirm button, a verb. */
  readonly action: string
  readonly cancel?: string
  /** Colour meaning of the action: `stop` if the action can't be undone. */
  readonly meaning?: ColourMeaning
}

interface Props extends Question {
  readonly opened: boolean
  readonly onClose: () => void
  /** Runs the action. If it fails, the dialog stays open and shows the error. */
  readonly onConfirm: () => unknown
}

/** Dialog that asks for confirmation of an action that is hard to undo. The Cancel button is focused initially. */
export function ConfirmDialog({ opened, onClose, onConfirm, title, question, action, cancel, meaning }: Props) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const below = useContext(DialogContext)
  useEffect(() => (opened ? below?.covered() : undefined), [opened, below])
  const confirm = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
    } catch (e) {
      setFailure(errorSentence(e))
    }
    setBusy(false)
  }
  return (
    <Modal
      opened={useOpenAfterRender(opened, onClose)}
      onClose={onClose}
      title={title}
      size="28rem"
      transitionProps={{ duration: 150 }}
      classNames={{
        inner: css.inner ?? '',
        content: css.content ?? '',
        title: css.title ?? '',
        close: css.close ?? '',
      }}
    >
      <Text component="div">{question}</Text>
      {failure && <FormErrorText mt="sm">{failure}</FormErrorText>}
      <Group className={css.actions} justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? 'Cancel'}
        </Button>
        <Button color={meaning ? meaningStyles[meaning].fill : undefined} loading={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </Group>
    </Modal>
  )
}

/**
 * Returns a dialog and a function that opens it: `const [dialog, ask] = useConfirm()`. Render `dialog`. `await
 * ask({…})` resolves to true if the person confirms.
 */
export function useConfirm(): readonly [ReactNode, (question: Question) => Promise<boolean>] {
  const [asked, setAsked] = useState<Question>()
  const [opened, setOpened] = useState(false)
  const answer = useRef<(yes: boolean) => void>(undefined)
  const settle = (yes: boolean) => {
    setOpened(false)
    answer.current?.(yes)
    answer.current = undefined
  }
  const ask = (question: Question) => {
    setAsked(question)
    setOpened(true)
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
    })
  }
  const dialog = asked && (
    <ConfirmDialog {...asked} opened={opened} onClose={() => settle(false)} onConfirm={() => settle(true)} />
  )
  return [dialog, ask]
}
