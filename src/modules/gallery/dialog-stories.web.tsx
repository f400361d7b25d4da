import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { text } from '#kernel/fields.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { HelpButton, useHelpDialog } from '#web/ui/help.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from './gallery.module.css'
import { type GalleryStories, Story } from './story.web.tsx'

export const stories: GalleryStories = {
  dialog: (
    <Story title="Dialog with a form that is discarded 300 ms after closing">
      <DialogStory />
    </Story>
  ),
  confirm: (
    <Story title="Confirmation before deleting">
      <ConfirmStory />
    </Story>
  ),
  help: (
    <Story title="Help opened from the field's button or from elsewhere">
      <HelpStory />
    </Story>
  ),
  snackbars: (
    <Story title="Messages in the specification's words">
      <div className={css.row}>
        <Button variant="default" onClick={() => toast.saved('Scaffold, north face')}>
          Data saved
        </Button>
        <Button variant="default" onClick={toast.canceled}>
          Canceled
        </Button>
        <Button variant="default" onClick={toast.opened}>
          Dialog opened
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toast.failed('The connection was lost. Please try again.', () => toast.saved('Scaffold, north face'))
          }
        >
          Failed, with Retry
        </Button>
        <Button
          variant="default"
          onClick={() => showUndoToast({ message: 'Not at this time. Call back by 28/11/2026', undo: () => undefined })}
        >
          Message with Undo
        </Button>
      </div>
    </Story>
  ),
}

function DialogStory() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button onClick={() => setOpened(true)}>Open the dialog</Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New Item">
        <FormInDialog onClose={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

function FormInDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const guard = useUnsavedChangesGuard(name !== '')
  return (
    <>
      <FieldInput
        name="name"
        field={text({ required: true })}
        value={name}
        onChange={(v) => setName(String(v))}
        autoFocus
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={onClose}>Add</Button>
      </DialogActions>
      {guard}
    </>
  )
}

function ConfirmStory() {
  const [question, ask] = useConfirm()
  const [answer, setAnswer] = useState('')
  const remove = async () => {
    const yes = await ask({
      title: 'Deleting File',
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    setAnswer(yes ? 'Deleted' : 'Kept')
  }
  return (
    <>
      <Button variant="default" onClick={() => void remove()}>
        Delete
      </Button>
      <Text role="status">{answer}</Text>
      {question}
    </>
  )
}

function HelpStory() {
  const [dialog, help] = useHelpDialog()
  return (
    <div className={css.row}>
      <span>
        Postcode <HelpButton name="Postcode">The postcode of the place where the work is done.</HelpButton>
      </span>
      <Button variant="default" onClick={() => help('Severity', 'How bad it would be: 1 is slight, 5 is fatal.')}>
        Help for Severity
      </Button>
      {dialog}
    </div>
  )
}
