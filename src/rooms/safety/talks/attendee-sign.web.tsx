import { Button, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { holds } from '#kernel/roles.ts'
import { drawingOf, type SignatureGiven, signatureProblems } from '#kernel/signature.ts'
import { SIGN_FOR_OTHERS } from '#rooms/documents/kinds/rights.ts'
import { useActor } from '#web/api/me.ts'
import { firstMessages, SignatureForm } from '#web/forms/inputs/signature-form.tsx'
import { noSignature } from '#web/forms/inputs/signature-pad.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { sentence } from '#web/ui/say.ts'
import { type Attendee, signingOf } from './presented-data.web.ts'

interface Props {
  /** The talk's title. */
  readonly title: string
  /** Nobody: closed. */
  readonly person: Attendee | undefined
  readonly onClose: () => void
  readonly onSign: (given: Pick<Attendee, 'method' | 'strokes'>) => Promise<unknown>
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
  const me = useActor()
  const may = signingOf(me, person)
  const [behalf, setBehalf] = useState(may === 'behalf')
  const [given, setGiven] = useState<SignatureGiven>(noSignature)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const signed = { ...given, name: behalf ? me.name : person.name }
  const submit = async () => {
    const all = signatureProblems(signed)
    setWrong(firstMessages(all))
    if (all.length) return
    setBusy(true)
    try {
      await onSign({ method: behalf ? 'on behalf' : given.method, strokes: drawingOf(given) })
      onClose()
    } catch (e) {
      setWrong({ whole: sentence(e) })
      setBusy(false)
    }
  }
  return (
    <SignatureForm
      label={behalf ? `Your signature, ${me.name}` : 'Signature'}
      given={signed}
      known
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
      {may === 'visitor' && holds(me, SIGN_FOR_OTHERS) && (
        <Switch
          label="I sign on their behalf"
          description="They can’t sign themselves. Both names are kept."
          checked={behalf}
          onChange={(e) => setBehalf(e.currentTarget.checked)}
        />
      )}
      {may === 'behalf' && <Text size="sm">{`You sign on behalf of ${person.name}. Both names are kept.`}</Text>}
    </SignatureForm>
  )
}
