import { Button, SegmentedControl, Text, TextInput } from '@mantine/core'
import { onlineManager, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { type SignatureValue, signatureProblems, toDrawingRequestBody } from '#kernel/signature.ts'
import { ApiError } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { addOptimistically, type Rollback } from '#web/api/optimistic.ts'
import { firstMessageByField, SignatureForm } from '#web/forms/inputs/signature-form.tsx'
import { EMPTY_SIGNATURE } from '#web/forms/inputs/signature-pad.tsx'
import { QUEUED_MESSAGE, QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { PROXY_SIGNER_ROLES } from '../rights.ts'
import { useRefetchSignatures } from '../signoff/people.web.ts'
import { type AnsweredQuestion, document, type OpenedPart, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'
import { describeOpenedParts, readAndUnderstoodStatement } from './hand-words.ts'
import css from './signing.module.css'

type Signature = RecordOf<typeof signature>

type SignatureRequest = Pick<
  Signature,
  'name' | 'method' | 'strokes' | 'visitor' | 'statement' | 'opened' | 'questions'
>

/**
 * Returns a function that shows the user's signature before the server has responded. That function returns another,
 * which removes the signature again.
 */
function useOptimisticSignature(record: DocumentRecord) {
  const queries = useQueryClient()
  const { userId } = useActor()
  const of = iriOf(document, record.id)
  return (sent: SignatureRequest): Rollback =>
    addOptimistically(
      queries,
      signature,
      { ...sent, id: 0, mine: true, user: userId, signedAt: new Date().toISOString() },
      ({ document, user }) => document === of && (user === undefined || user === userId),
    )
}

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  /** Documents and files that were opened to their end on this device. */
  readonly read: readonly OpenedPart[]
  /** Questions that the user has answered about the document. */
  readonly questions: readonly AnsweredQuestion[]
  readonly signed: boolean
  readonly onClose: () => void
  readonly onUnderway: (underway: boolean) => void
}

type Who = 'me' | 'visitor' | 'behalf'

/** Form to sign for oneself, for several visitors in turn or, with permission, on behalf of someone. */
export function SignDocumentForm({ kind, record, read, questions, signed, onClose, onUnderway }: Props) {
  const me = useActor()
  const first: Who = signed ? 'visitor' : 'me'
  const [who, setWho] = useState<Who>(first)
  const [given, setGiven] = useState<SignatureValue>({ ...EMPTY_SIGNATURE, name: signed ? '' : me.name })
  const [person, setPerson] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [said, setSaid] = useState<string>()
  const sign = useSign(kind, record, onUnderway)
  const statement = readAndUnderstoodStatement(kind)
  const choose = (next: Who) => {
    setWho(next)
    setWrong({})
    setGiven({ ...EMPTY_SIGNATURE, method: given.method, name: next === 'visitor' ? '' : me.name })
  }
  const submit = async (another: boolean) => {
    const all = [
      ...(who === 'behalf' && !person.trim()
        ? [{ propertyPath: 'person', message: 'Please enter the name of the person you are signing for' }]
        : []),
      ...signatureProblems(given),
    ]
    setWrong(firstMessageByField(all))
    if (all.length) return
    const { name } = given
    let waits = false
    try {
      const made = await sign.mutateAsync({
        name: who === 'behalf' ? person.trim() : name.trim(),
        method: who === 'behalf' ? 'on behalf' : given.method,
        visitor: who === 'visitor',
        strokes: toDrawingRequestBody(given),
        statement,
        opened: read,
        questions: who === 'me' ? questions : [],
      })
      waits = made === QUEUED_RESULT
    } catch (e) {
      if (e instanceof ApiError && e.violations.length) setWrong(firstMessageByField(e.violations))
      return
    }
    const told = who === 'behalf' ? person.trim() : name.trim()
    if (!another) {
      const words = who === 'behalf' ? `Signed on behalf of ${told}` : `${told} has signed ${record.documentNumber}`
      if (waits) toast.info(`${words}. ${QUEUED_MESSAGE}`, 'attention')
      else toast.info(words, 'safe')
      return onClose()
    }
    sign.reset()
    setSaid(`${told} has signed. ${waits ? `${QUEUED_MESSAGE} ` : ''}Please pass the device to the next person.`)
    setGiven(EMPTY_SIGNATURE)
  }
  return (
    <SignatureForm
      label={who === 'visitor' ? 'Signature' : `Your signature, ${me.name}`}
      known={who !== 'visitor'}
      given={given}
      onChange={setGiven}
      wrong={{ name: wrong.name, strokes: wrong.strokes }}
      busy={sign.isPending}
      begun={(given.strokes.length > 0 || person !== '') && sign.isIdle}
      told={said}
      failure={sign.isError ? errorSentence(sign.error) : undefined}
      padClass={css.pad}
      onSubmit={() => void submit(false)}
      actions={
        <>
          <Button variant="default" onClick={onClose} {...(who === 'visitor' ? { visibleFrom: 'sm' } : {})}>
            {said ? 'Done' : 'Cancel'}
          </Button>
          {who === 'visitor' && (
            <Button variant="default" loading={sign.isPending} onClick={() => void submit(true)}>
              Sign and add another
            </Button>
          )}
          <Button type="submit" loading={sign.isPending}>
            Sign
          </Button>
        </>
      }
    >
      <OfflineNotice>
        You are offline. Your signature is stored on this device and sent when the connection is back.
      </OfflineNotice>
      <Text className={css.statement ?? ''}>
        <strong>{documentTitleOrUntitled(kind, record)}</strong>
        {statement}
      </Text>
      {read.length > 0 && <Text size="sm">{`${describeOpenedParts(read)} on this device.`}</Text>}
      <SegmentedControl
        aria-label="Signatory"
        fullWidth
        className={css.who ?? ''}
        value={who}
        onChange={(next) => choose(next as Who)}
        data={[
          ...(signed ? [] : [{ value: 'me', label: 'Myself' }]),
          { value: 'visitor', label: 'A visitor' },
          ...(hasRole(me, PROXY_SIGNER_ROLES) ? [{ value: 'behalf', label: 'On behalf of someone' }] : []),
        ]}
      />
      {who === 'visitor' && (
        <Text size="sm">
          Visitors have no account and sign on your device. Colleagues sign under their own account.
        </Text>
      )}
      {who === 'behalf' && (
        <TextInput
          label="On behalf of (Required)"
          description="For somebody who can’t sign but has been told what the document says. Both names are recorded."
          maxLength={255}
          value={person}
          error={wrong.person ?? wrong.name}
          onChange={(e) => setPerson(e.currentTarget.value)}
        />
      )}
    </SignatureForm>
  )
}

/**
 * Returns the mutation that sends a signature. The user's own signature is shown before the server has responded, and
 * is removed if the server rejects it.
 */
function useSign(kind: DocumentKind, record: DocumentRecord, onUnderway: Props['onUnderway']) {
  const refresh = useRefetchSignatures(kind)
  const show = useOptimisticSignature(record)
  const here = useIsMounted()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  return useMutation({
    mutationFn: async (values: SignatureRequest) => {
      const signed = iriOf(document, record.id)
      const body = { document: signed, ...values }
      const made = await sendOrQueue('POST', signature.url, body, {
        idempotencyKey: keys.keyFor(body),
        description: {
          what: `Signature of ${values.name}`,
          of: `${record.documentNumber} revision ${record.revision}`,
          at: location.pathname,
          about: [signed],
        },
      })
      keys.forget()
      return made
    },
    onMutate: (values) => {
      if (values.visitor || values.method === 'on behalf' || !onlineManager.isOnline()) return undefined
      onUnderway(true)
      return show(values)
    },
    onError: (error, _values, takeBack) => {
      takeBack?.()
      onUnderway(false)
      if (!here.current) toast.failed(`${record.documentNumber}: ${errorSentence(error)}`)
    },
    onSuccess: (made, _values, takeBack) => {
      if (made !== QUEUED_RESULT) return refresh()
      // Removes the optimistic signature, because the queued signature is now shown with its actual status.
      takeBack?.()
      return undefined
    },
  })
}
