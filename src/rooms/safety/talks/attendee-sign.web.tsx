import { Button, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type SignatureGiven, signatureProblems } from '#kernel/signature.ts'
import { noSignature, SignaturePad } from '#web/forms/inputs/signature-pad.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { sentence } from '#web/ui/say.ts'
import { useUnsaved } from '#web/ui/unsaved.tsx'
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
  const guard = useUnsaved(given.strokes.length > 0 && !busy)
  const submit = async () => {
    const all = [
      ...(behalf && !by.trim() ? [{ propertyPath: 'by', message: 'Please enter your own name' }] : []),
      ...signatureProblems(given),
    ]
    setWrong(Object.fromEntries(all.toReversed().map((v) => [v.propertyPath, v.message])))
    if (all.length) return
    setBusy(true)
    const { name, method, strokes, width, height } = given
    try {
      await onSign({
        name: name.trim(),
        method: behalf ? 'on behalf' : method,
        byName: behalf ? by.trim() : null,
        strokes: method === 'finger' ? { width, height, strokes } : null,
      })
      onClose()
    } catch (e) {
      setWrong({ whole: sentence(e) })
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void submit()
      }}
    >
      <Stack gap="md">
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
        <SignaturePad
          label="Signature"
          value={given}
          onChange={setGiven}
          errors={{ name: wrong.name, strokes: wrong.strokes }}
          readOnly={busy}
        />
        {wrong.whole && (
          <Text role="alert" c="var(--mantine-color-error)" size="sm">
            {wrong.whole}
          </Text>
        )}
        {guard}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Sign
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
