import { ActionIcon, Button, Text } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Dialog, DialogActions } from './dialog.tsx'
import css from './help.module.css'

interface HelpDialogProps {
  /** Name of the field. */
  readonly name: string
  readonly children: ReactNode
  readonly opened: boolean
  readonly onClose: () => void
}

function HelpDialog({ name, children, opened, onClose }: HelpDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Help for ${name}`}>
      {typeof children === 'string' ? children.split('\n\n').map((p) => <Text key={p}>{p}</Text>) : children}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

export function HelpButton({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionIcon
        className={css.button}
        variant="subtle"
        size={26}
        color="gray"
        aria-label={`Help for ${name}`}
        onClick={() => setOpened(true)}
      >
        <IconHelpCircle size={18} aria-hidden />
      </ActionIcon>
      <HelpDialog name={name} opened={opened} onClose={() => setOpened(false)}>
        {children}
      </HelpDialog>
    </>
  )
}

/**
 * Returns a dialog and a function that opens it: `const [dialog, help] = useHelpDialog()`. Render `dialog`.
 * `help('Postcode', 'The …')` opens it.
 */
export function useHelpDialog(): readonly [ReactNode, (name: string, text: ReactNode) => void] {
  const [shown, setShown] = useState<{ name: string; text: ReactNode }>()
  const [opened, setOpened] = useState(false)
  const dialog = shown && (
    <HelpDialog name={shown.name} opened={opened} onClose={() => setOpened(false)}>
      {shown.text}
    </HelpDialog>
  )
  const help = (name: string, text: ReactNode) => {
    setShown({ name, text })
    setOpened(true)
  }
  return [dialog, help]
}
