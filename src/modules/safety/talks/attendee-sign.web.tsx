import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Autocomplete, Button, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { violation } from '#kernel/errors.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { type SignatureValue, signatureProblems, toDrawingRequestBody } from '#kernel/signature.ts'
import { document } from '#modules/documents/types/document.ts'
import { canSealPin, PIN_DIGITS, sealSigningPin } from '#modules/identity/profile/signing-pin.ts'
import { SigningPinInput } from '#modules/identity/profile/signing-pin.web.tsx'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { firstMessageByField, SignatureForm } from '#web/forms/inputs/signature-form.tsx'
import { EMPTY_SIGNATURE } from '#web/forms/inputs/signature-pad.tsx'
import { QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { signatureConfirmationText } from '../attendance/attendance-text.ts'
import { useTalkRequests } from './offline-talk.web.ts'
import {
  canSignOnBehalf,
  type PresentedTalkRecord,
  pinEntryFor,
  requestKeysOf,
  signingMethodFor,
  type TalkSigner,
  useRefetchTalkRecord,
  useSigningPins,
} from './presented-data.web.ts'
import css from './talks.module.css'

type SignatureSendState = 'signed' | 'waiting'

/**
 * Returns a function that sends a signature or, while offline, queues it on this device. If the server rejects the
 * signature, the function throws.
 */
function useSignForTalk({ '@id': record, title }: Pick<PresentedTalkRecord, '@id' | 'title'>) {
  const refreshed = useRefetchTalkRecord()
  return async (name: string, attendee: string | undefined, body: Values): Promise<SignatureSendState> => {
    try {
      // A device that is online may have a wrong clock, and the time of arrival is then the right one.
      const drawn = navigator.onLine ? {} : { drawnAt: new Date().toISOString() }
      const made = await sendOrQueue(
        'POST',
        `${record}/sign`,
        { ...body, ...drawn },
        {
          parts: requestKeysOf(record, attendee),
          description: {
            what: `Signature of ${name}`,
            of: title ?? '',
            at: location.pathname,
            about: [record, ...(attendee ? [attendee] : [])],
          },
        },
      )
      return made === QUEUED_RESULT ? 'waiting' : 'signed'
    } finally {
      await refreshed()
    }
  }
}

interface Props {
  /** Record of the talk for which people sign. */
  readonly record: PresentedTalkRecord
  readonly person: TalkSigner | undefined
  /** True if the record is already closed. */
  readonly late: boolean
  /** True if the user manages the open record, so that everyone signs on this device. */
  readonly keeps: boolean
  /** Companies of the visitors on the list, as suggestions. */
  readonly companies: readonly string[]
  /** Next person who can sign on this device. */
  readonly next: TalkSigner | undefined
  readonly onNext: (person: TalkSigner) => void
  readonly onClose: () => void
}

/** Dialog in which people sign on a shared device. After each signature, one tap moves on to the next person. */
export function AttendeeSignatureDialog(props: Props) {
  const { person, late, onClose } = props
  return (
    <Dialog
      opened={person !== undefined}
      onClose={onClose}
      title={`${person?.name ?? ''}: sign ${late ? 'late ' : ''}for the talk`}
      size="40rem"
    >
      {person && <Turn key={person['@id'] ?? person.name} {...props} person={person} />}
    </Dialog>
  )
}

interface AttendeeSignatureResult {
  readonly sent: SignatureSendState
  /** Name of the signatory, if someone signed on behalf of the person. */
  readonly behalf: string | undefined
}

/** Signing pad for one person, then a prompt for the next person. */
function Turn(props: Props & { readonly person: TalkSigner }) {
  const [done, setDone] = useState<AttendeeSignatureResult>()
  const { person, next, onNext, onClose } = props
  if (!done) return <Pad {...props} onSent={setDone} />
  const signed = signatureConfirmationText(person.name, done.behalf)
  return (
    <>
      <Text role="status">
        {done.sent === 'signed'
          ? signed
          : `${signed} You are offline. The signature is stored on this device and will be sent when the connection is back.`}
        {next ? ` Please pass the device to ${next.name}.` : ''}
      </Text>
      <DialogActions>
        <Button variant={next ? 'default' : 'filled'} onClick={onClose} {...(next ? {} : { 'data-autofocus': true })}>
          Done
        </Button>
        {next && (
          <Button autoFocus className={css.target ?? ''} onClick={() => onNext(next)}>
            {`Next: ${next.name}`}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

function Pad({
  record,
  person,
  late,
  keeps,
  companies,
  onClose,
  onSent,
}: Props & { readonly person: TalkSigner; readonly onSent: (done: AttendeeSignatureResult) => void }) {
  const me = useActor()
  const sign = useSignForTalk(record)
  const { resolve } = useTalkRequests(record['@id'])
  const may = signingMethodFor(me, person, { late, keeps })
  const [behalf, setBehalf] = useState(may === 'behalf')
  const talk = useApiRecord(document, idFromAnyIri(record.talk)).data
  const signsTalk = may === 'own' && talk?.current === true && idFromAnyIri(talk.client) === me.clientId
  const [given, setGiven] = useState<SignatureValue>(EMPTY_SIGNATURE)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const pins = useSigningPins()
  const asked = pinEntryFor(pins, behalf ? 'behalf' : may, person)
  const [pin, setPin] = useState('')
  const showsPin = asked === 'asked' || asked === 'optional' || (wrong.pin !== undefined && !behalf)
  const typedPin = showsPin ? pin : ''
  const [employer, setEmployer] = useState({ company: person.company ?? '', trade: person.trade ?? '' })
  // Whether a person whose name is queued has an account is only known once the server has the name.
  const isDrawn = !behalf && (may === 'device' || (may === 'visitor' && requestKeysOf(person['@id']).length > 0))
  const signed = { ...given, name: behalf ? me.name : person.name, ...(isDrawn ? { method: 'finger' as const } : {}) }
  const submit = async () => {
    const all = [
      ...signatureProblems(signed, isDrawn),
      ...((asked === 'asked' || typedPin) && typedPin.length < PIN_DIGITS
        ? [violation('pin', `Please ask ${person.name} to enter their PIN of ${PIN_DIGITS} digits`)]
        : []),
      ...(typedPin && !canSealPin()
        ? [violation('pin', 'A PIN can’t be encrypted here. Please open the portal at its https address')]
        : []),
    ]
    setWrong(firstMessageByField(all))
    if (all.length) return
    setBusy(true)
    // The person's row may have been created since the dialog was opened.
    const attendee = person['@id'] && resolve(person['@id'])
    const whose = attendee
      ? { attendee, shownName: person.name, shownUser: person.user }
      : may === 'own'
        ? {}
        : { name: person.name, visitor: person.visitor }
    const stated = may === 'visitor' ? employer : {}
    const strokes = toDrawingRequestBody(given)
    try {
      const entered =
        typedPin && pins
          ? await sealSigningPin(
              pins.publicKey,
              typedPin,
              {
                user: asked === 'optional' ? null : person.user,
                name: person.name,
                document: idFromAnyIri(record.talk) ?? 0,
                record: record.id || null,
                strokes,
              },
              new Date(Date.now() + pins.clockMs).toISOString(),
            )
          : undefined
      const method = behalf ? 'on behalf' : signed.method
      const sent = await sign(person.name, attendee, {
        ...whose,
        ...stated,
        method,
        strokes,
        ...(entered ? { pin: entered } : {}),
      })
      onSent({ sent, behalf: behalf ? me.name : undefined })
    } catch (e) {
      const first = e instanceof ApiError ? e.violations[0] : undefined
      setWrong(first?.propertyPath === 'pin' ? { pin: first.message } : { whole: first?.message ?? errorSentence(e) })
      setPin('')
      setBusy(false)
    }
  }
  return (
    <SignatureForm
      label={behalf ? `Your signature, ${me.name}` : 'Signature'}
      given={signed}
      known
      drawn={isDrawn}
      onChange={setGiven}
      wrong={wrong}
      busy={busy}
      begun={given.strokes.length > 0}
      failure={wrong.whole}
      padClass={css.pad}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {late ? 'Sign late' : 'Sign'}
          </Button>
        </>
      }
    >
      <OfflineNotice>
        {`You are offline. Your signature will be stored on this device and sent when the connection is back.${
          showsPin ? ' The PIN is encrypted now and checked then.' : ''
        }`}
      </OfflineNotice>
      <Text>{`I have heard and understood the talk “${record.title ?? ''}”.`}</Text>
      {signsTalk && (
        <Text size="sm">
          This also counts as your signature for the talk itself. You won’t be asked to sign the talk again.
        </Text>
      )}
      {late && <Text size="sm">The record is closed. Your signature will be marked as late, with the time.</Text>}
      {may === 'visitor' && (
        <div className={css.employer}>
          <Autocomplete
            label="Company"
            maxLength={255}
            data={companies}
            value={employer.company}
            onChange={(company) => setEmployer({ ...employer, company })}
          />
          <TextInput
            label="Trade"
            maxLength={255}
            value={employer.trade}
            onChange={(e) => setEmployer({ ...employer, trade: e.currentTarget.value })}
          />
        </div>
      )}
      {isDrawn && (
        <Text size="sm">{`Please pass the device to ${person.name} to sign by hand. The signature is recorded as drawn on ${me.name}’s device.`}</Text>
      )}
      {(may === 'visitor' || may === 'device') && canSignOnBehalf(me, person, late) && (
        <Switch
          label="I am signing on this person’s behalf"
          description="For a person who can’t sign for themselves. Both names are recorded."
          checked={behalf}
          onChange={(e) => setBehalf(e.currentTarget.checked)}
        />
      )}
      {showsPin && (
        <SigningPinInput
          label={`Signing PIN of ${person.name}`}
          description={`${person.name} enters it themselves.${asked === 'optional' ? ' Leave it empty for a visitor without an account.' : ''}`}
          value={pin}
          error={wrong.pin}
          disabled={busy}
          onChange={setPin}
        />
      )}
      {asked === 'not set' && (
        <Text size="sm">{`${person.name} has no signing PIN, so the record will say “no PIN set”. They can set one on their own phone or computer, under “Sign-in and security”.`}</Text>
      )}
      {may === 'behalf' && (
        <Text size="sm">
          {`${person.name} has an account and can sign for themselves on any phone or computer. If you sign here, you sign on their behalf, and both names are recorded.`}
        </Text>
      )}
    </SignatureForm>
  )
}
