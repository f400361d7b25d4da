import { Button, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { drawingOf, type SignatureGiven, signatureProblems } from '#kernel/signature.ts'
import { firstMessages, SignatureForm } from '#web/forms/inputs/signature-form.tsx'
import { noSignature } from '#web/forms/inputs/signature-pad.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { sentence } from '#web/ui/say.ts'
import type { Attendee } from './presented-data.web.ts'

interface Props {
  /** The talk's title. */
  readonly title: string
  /** Nobody: closed. */
  readonly person: Attendee | undefined
  readonly onClose: () => void
  readonly onSign: (given: Pick<Attendee, 'name' | 'method' | 'byName' | 'strokes'>) => Promise<unknown>
}

/** The pad that goes from hand to hand. */
export function AttendeeSign({ title, person, onClose, onSign }: Props) {
  return (
    <Dialog
      opened={person !== undefined}
      onClose={onClose}
      title={`${person?.name ?? ''}: sign for the talk`}
      size="40rem"
    >
      {person && <Pad title={title} person={person} onClose={onClose} onSign={onSign} />}
    </Dialog>
  )
}

function Pad({ title, person, onClose, onSign }: Props & { readonly person: Attendee }) {
  const [given, setGiven] = useState<SignatureGiven>({ ...noSignature, name: person.name })
  const [behalf, setBehalf] = useState(false)
  const [by, setBy] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    const all = [
      ...(behalf && !by.trim() ? [{ propertyPath: 'by', message: 'Please enter your own name' }] : []),
      ...signatureProblems(given),
    ]
    setWrong(firstMessages(all))
    if (all.length) return
    setBusy(true)
    try {
      await onSign({
        name: given.name.trim(),
        method: behalf ? 'on behalf' : given.method,
        byName: behalf ? by.trim() : null,
        strokes: drawingOf(given),
      })
      onClose()
    } catch (e) {
      setWrong({ whole: sentence(e) })
      setBusy(false)
    }
  }
  return (
    <SignatureForm
      label="Signature"
      given={given}
      onChange={setGiven}
      wrong={wrong}
      busy={busy}
      begun={given.strokes.length > 0}
      failure={wrong.whole}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Sign
          </Button>
        </>
      }
    >
      <Text>{`I have heard and understood the talk “${title}”.`}</Text>
      <Switch
        label="Somebody signs on their behalf"
        checked={behalf}
        onChange={(e) => setBehalf(e.currentTarget.checked)}
      />
      {behalf && (
        <TextInput
          label="Your own name (Required)"
          description="Both names are kept."
          maxLength={255}
          value={by}
          error={wrong.by}
          onChange={(e) => setBy(e.currentTarget.value)}
        />
      )}
    </SignatureForm>
  )
}
